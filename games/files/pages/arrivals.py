"""The list of what was brought into a table, in words."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.common.days import moment_in_words
from games.common.names import isolated
from games.common.played import games_in_words
from games.files.models import FILE_LENGTH
from games.models import Arrival
from games.tables.people import People, known_as


@dataclass(frozen=True)
class ArrivalRow:
    """A row of the list of arrivals: the file, how much came, and who brought and took it back."""

    number: str
    title: str
    detail: str
    is_void: bool


def arrival_row(arrival: Arrival, people: People) -> ArrivalRow:
    """Return what came as a row of a list, struck out if it was taken back."""
    table = arrival.table
    counts = [games_in_words(arrival.games)] if arrival.games else []
    for count, words in (
        (arrival.payments, ngettext("%(count)s payment", "%(count)s payments", arrival.payments)),
        (arrival.expenses, ngettext("%(count)s expense", "%(count)s expenses", arrival.expenses)),
    ):
        if count:
            counts.append(words % {"count": count})
    acts = [(arrival.at, arrival.user, "%(who)s")]
    if arrival.ended_at is not None:
        acts.append((arrival.ended_at, arrival.ended_by, _("taken back by %(who)s")))
    done = [
        f"{moment_in_words(at, table)}, {words % {'who': isolated(known_as(user, people) if user else '–')}}"
        for at, user, words in acts
    ]
    title = isolated(arrival.file) if arrival.file else _("An old notebook")
    return ArrivalRow(str(arrival.pk), title, " · ".join((*counts, *done)), arrival.ended_at is not None)


def file_name(request: HttpRequest) -> str:
    """Return the name of the file that was sent, without what cannot be shown; "" without a file."""
    file = request.FILES.get("file")
    name = (file.name or "") if file else ""
    return "".join(letter for letter in name if letter.isprintable())[:FILE_LENGTH]
