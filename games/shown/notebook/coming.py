"""The preview of bringing a table's file into a table that exists, in words."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.models import Table
from games.names import isolated
from games.notebook.coming import Coming
from games.shown.common.amounts import money_of
from games.shown.common.people import all_of
from games.shown.common.sentences import translate
from games.shown.notebook.old_notebook import games_and_nights

LEFT_SHOWN = 20


def coming_in_words(coming: Coming, table: Table) -> list[str]:
    """Return sentences on what comes, who is new, and what is left out and why."""
    return [*_what_comes(coming), *_what_stays(coming, table)] if not coming.is_open else []


def _what_comes(coming: Coming) -> Iterator[str]:
    if not coming.count:
        yield _("Nothing new: everything in it is already here")
    if coming.games:
        yield games_and_nights([date.fromordinal(whole.game.night_number) for whole in coming.games])
    changes = len(coming.longer) + len(coming.later)
    rows = len(coming.payments) + len(coming.costs) + len(coming.openings)
    for count, words in (
        (rows, ngettext("%(count)s payment, cost or balance", "%(count)s payments, costs or balances", rows)),
        (
            changes,
            ngettext("%(count)s continues what is here", "%(count)s continue what is here", changes),
        ),
    ):
        if count:
            yield words % {"count": count}
    if coming.newcomers:
        names = [isolated(member.name) for member in coming.newcomers]
        yield _("New at this table: %(names)s") % {"names": all_of(names)}


def _what_stays(coming: Coming, table: Table) -> Iterator[str]:
    for count, words in (
        (coming.known, _("Already here, left out: %(lines)s")),
        (coming.behind, _("Discarded or taken back there, left out: %(lines)s")),
    ):
        if count:
            yield words % {"lines": count}
    shown = money_of(table)
    yield from (translate(text, shown) for text in coming.left[:LEFT_SHOWN])
    more = len(coming.left) - LEFT_SHOWN
    if more > 0:
        yield ngettext("… and %(count)s more.", "… and %(count)s more.", more) % {"count": more}
