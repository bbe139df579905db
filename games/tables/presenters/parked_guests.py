"""The guests who were signed in on this phone before, and can be again (`parked_sessions.py`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.http import HttpRequest
from django.utils.timezone import localdate

from games.common import days, naming
from games.tables.services import guests, parked_sessions, users

MOST_NAMED = 3  # tables of a guest


@dataclass(frozen=True)
class ParkedGuest:
    """A guest who can be signed in again: their mark and name, their tables, and the last day for that."""

    mark: str
    name: str
    table_names: str
    last_day: str


def list_items(request: HttpRequest) -> Sequence[ParkedGuest]:
    """Return the guests of this phone's parked sessions, the newest session first."""
    return [
        ParkedGuest(
            users.opaque_id(session.guest),
            users.display_name(session.guest),
            naming.join_names([table.name for table in guests.accessible_tables(session.guest)[:MOST_NAMED]]),
            days.format_day(localdate(session.expires_at)),
        )
        for session in reversed(parked_sessions.load(request))
    ]
