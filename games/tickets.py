"""Tickets: with one, a phone that watches learns that nothing is new without anybody asking again who it is.

A page that is watched carries a ticket for the one address it asks next. It is signed for that address, which holds the
version shown, and for the session's cookie; so it is worth nothing for another version and on another phone. Whatever
ends what somebody may do raises the version (`revise`, `revise_tables_of` in `games/locks.py`): the next look is then
answered in full, and refused. A ticket ends with the grant, and after a few minutes anyway, so that a right that ends
in the very moment in which a ticket is made is not overlooked for longer. All it ever opens is an empty answer.
"""

from __future__ import annotations

from datetime import datetime
from time import time

from django.db import connection
from django.utils.crypto import constant_time_compare, salted_hmac

HEADER = "X-Ticket"
LASTS = 5 * 60  # seconds
SALT = "games.tickets"
BY_TICKET_ALONE = (
    "games.by_ticket_alone"  # of a request that is asked once more where its ticket is not enough
)
NOT_ENOUGH = 202  # the status in which it is told so

# One look into two indexes. The records of a game are numbered from 1, without gaps.
VERSION = """
    SELECT "games_table"."revision" + (
        SELECT MAX("games_record"."number") FROM "games_record" WHERE "games_record"."game_id" = "games_game"."id"
    )
    FROM "games_game" INNER JOIN "games_table" ON "games_table"."id" = "games_game"."table_id"
    WHERE "games_game"."code" = %s
"""


def make_ticket(address: str, cookie: str, *, until: datetime | None) -> str:
    """Return a ticket for this address and this session's cookie, valid no longer than `until`."""
    end = time() + LASTS
    end = int(end if until is None else min(end, until.timestamp()))
    return f"{end}:{_signature(address, cookie, end)}"


def is_unchanged(ticket: str, address: str, cookie: str) -> bool:
    """Return whether the ticket is valid for this address and the version in the address is still the present
    one.

    An address that tickets are made for ends with the game's code, the part of it that is shown, and the
    version.
    """
    end, _colon, signature = ticket.partition(":")
    if not (end.isascii() and end.isdigit() and len(end) < 12 and time() < int(end)):
        return False
    if not constant_time_compare(signature, _signature(address, cookie, int(end))):
        return False
    _empty, _game, code, *_shown, version, _end = address.split("/")
    return version == str(version_of(code))


def version_of(code: str) -> int | None:
    """Return the version of the game with this code, a number that every change of its pages raises, in one
    query.

    None if there is no such game.
    """
    with connection.cursor() as cursor:
        cursor.execute(VERSION, [code])
        row: tuple[int | None] | None = cursor.fetchone()
    return row[0] if row else None


def _signature(address: str, cookie: str, end: int) -> str:
    return salted_hmac(SALT, f"{cookie}\n{address}\n{end}", algorithm="sha256").hexdigest()
