"""Tickets: signed permissions to poll one page, so that a poll without news needs no check of the session.

A live page carries a ticket for the address that it polls next. The ticket is signed for that address, which
holds the version shown, and for the session's cookie: so it is invalid for another version or another phone.
Every change that takes away a right raises the version (`revise`, `revise_tables_of` in `games/common/locks.py`).
The next poll is then checked in full, and refused. A ticket expires with the access and after a few minutes at
the latest, in case a right ends in the very moment in which the ticket is made. A valid ticket only ever
yields an empty response.
"""

from __future__ import annotations

from datetime import datetime
from time import time

from django.db import connection
from django.utils.crypto import constant_time_compare, salted_hmac

HEADER = "X-Ticket"
LASTS = 5 * 60  # seconds for which a ticket is valid
SALT = "games.common.tickets"

# This query reads two indexes only. The records of a game are numbered from 1, without gaps.
VERSION = """
    SELECT "games_table"."revision" + (
        SELECT MAX("games_record"."number") FROM "games_record" WHERE "games_record"."game_id" = "games_game"."id"
    )
    FROM "games_game" INNER JOIN "games_table" ON "games_table"."id" = "games_game"."table_id"
    WHERE "games_game"."code" = %s
"""
# A table's pages: the lobby shows no game, the home page does.
OF_TABLE = {
    "people": 'SELECT "revision" FROM "games_table" WHERE "code" = %s',
    "home": 'SELECT "revision" + "version" FROM "games_table" WHERE "code" = %s',
}


def make_ticket(address: str, cookie: str, *, until: datetime | None) -> str:
    """Return a ticket for this address and this session's cookie.

    It expires after `LASTS` seconds or at `until`, whichever is earlier; with None for `until`, after `LASTS`
    seconds.
    """
    end = time() + LASTS
    end = int(end if until is None else min(end, until.timestamp()))
    return f"{end}:{_signature(address, cookie, end)}"


def is_valid(ticket: str, address: str, cookie: str) -> bool:
    """Return whether the ticket was made for this address and this session's cookie, and has not expired."""
    end, _colon, signature = ticket.partition(":")
    if not (end.isascii() and end.isdigit() and len(end) < 12 and time() < int(end)):
        return False
    return constant_time_compare(signature, _signature(address, cookie, int(end)))


def is_unchanged(address: str) -> bool:
    """Return whether the version in the address is still the present version, in one query.

    An address has `g` and the game's code, or `t` and the table's, then the name of the page, then the version
    that the page shows. The version of a lobby is the table's revision; that of the home page is the revision plus
    the table's version; that of a game's page is the revision plus the number of the game's newest event.
    Everything that changes one of these pages raises it.
    """
    _empty, kind, code, page, *_shown, version, _end = address.split("/")
    return version == str(_version_of(code, OF_TABLE[page] if kind == "t" else VERSION))


def _version_of(code: str, query: str) -> int | None:
    with connection.cursor() as cursor:
        cursor.execute(query, [code])
        row: tuple[int | None] | None = cursor.fetchone()
    return row[0] if row else None


def _signature(address: str, cookie: str, end: int) -> str:
    return salted_hmac(SALT, f"{cookie}\n{address}\n{end}", algorithm="sha256").hexdigest()
