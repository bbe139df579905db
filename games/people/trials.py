"""Tables for trying the API: a table, a guest and a token, for one hour.

Nobody signs in as the guest: only the token acts as them. Their grant and the token expire with the table,
and `erasing.finish_erasing` then deletes the rows, the guest included. Such a table does not count among the
tables that a user may open in a day.
"""

from __future__ import annotations

from datetime import timedelta
from typing import NamedTuple

from django.conf import settings
from django.db import transaction
from django.utils.timezone import now
from django.utils.translation import get_language, gettext

from games.models import Role, Table
from games.people.erasing import IN_A_REQUEST, finish_erasing
from games.people.founding import found_table
from games.people.guests import make_guest
from games.people.tables import parts_of
from games.people.tokens import make_token
from games.people.tries import Tries
from games.scoring.errors import RuleError
from games.scoring.words import _

LASTS = timedelta(hours=1)
PEOPLE = ("Ana", "Beto", "Caro")  # the guide's examples play with the first two
MOST = 100  # such tables at a time
MADE = Tries("trial", most=5, window=60 * 60)  # tables made per address


class Trial(NamedTuple):
    """A table for trying the API, and the secret of its token."""

    table: Table
    secret: str


def make_trial(address: str) -> Trial:
    """Make a table, and a token with which a program can record there for an hour.

    `address` is the client's. Raise RuleError if too many such tables exist, or were made from the address.
    """
    _erase_some_ended()
    if not MADE.take(address):
        raise RuleError(_("Too many trial tables were made from this network. Wait an hour."))
    if Table.objects.filter(ends_at__gt=now()).count() >= MOST:
        raise RuleError(_("Too many people are trying this now. Wait a few minutes."))
    return _made()


@transaction.atomic
def _made() -> Trial:
    made_at = now()
    guest = make_guest()
    language, zone = get_language() or settings.LANGUAGE_CODE, settings.TIME_ZONE
    name = gettext("A trial table")
    parts = parts_of(name, unit="$", decimals=0, language=language, timezone=zone)
    table = found_table(guest, parts, PEOPLE, key="", at=made_at)
    table.ends_at = made_at + LASTS
    table.save(update_fields=["ends_at"])
    table.grants.update(expires_at=table.ends_at)
    # A scorer's token: to record is all there is to try.
    _token, secret = make_token(guest, name, Role.SCORER, lasts=LASTS, table=table, at=made_at)
    return Trial(table, secret)


def _erase_some_ended() -> None:
    """Delete the rows of the table that ended first, in a few steps; `clean` deletes all of them."""
    ended = Table.objects.past_return().filter(ends_at__isnull=False).order_by("ends_at").first()
    if ended is not None:
        finish_erasing(ended.pk, most=IN_A_REQUEST)
