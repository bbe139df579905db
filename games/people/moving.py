"""Moving a table by its file to another place: the site of another installation, or a phone.

The copy here can only be read until the file from the other place is brought back
(`games/notebook/returning.py`), or until an owner ends the move. Every change of what is in the file is
refused meanwhile (`games/changes.py`). Access is not in the file, so owners can still change it here.
"""

from __future__ import annotations

from datetime import datetime
from urllib.parse import urlsplit

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.timezone import now

from games import tombstones
from games.changes import tell
from games.locks import lock, revise
from games.models import PLACE_LENGTH, Change, ChangeKind, Table
from games.people.owners import hold
from games.scoring.errors import RuleError
from games.scoring.one_line import one_line
from games.scoring.words import _
from games.tombstones import Act


@transaction.atomic
def move(table: Table, *, by: User, to: str = "", at: datetime | None = None) -> Table:
    """Mark the table as moved. `to` is the address of the other place, "" if it is not known.

    If the table has moved already, only change the address, if one is given. Raise OwnsNoLonger if `by` is no
    longer an owner. Return the table as it is stored now.
    """
    held, place = hold(table, by), _read_place(to)
    if held.moved_at is None:
        # Phones get this change before `moved_at` is set, because every change of a moved table is refused.
        tell(held, Change(what=ChangeKind.TABLE_CHANGED))
        held.moved_at = at or now()
        tombstones.note(Act.MOVED, at=held.moved_at, table=held)
    held.moved_to = place or held.moved_to
    held.save(update_fields=["moved_at", "moved_to"])
    revise(held)
    return held


@transaction.atomic
def end_move(table: Table, *, by: User) -> Table:
    """Let the table be changed here again although it was not brought back, and return it.

    If the copy at the other place was changed too, the two copies can no longer be joined. Raise OwnsNoLonger
    if `by` is no longer an owner.
    """
    held = hold(table, by)
    if held.moved_at is not None:
        end_move_of(held)
        tell(held, Change(what=ChangeKind.TABLE_CHANGED))
        revise(held)
    return held


def end_move_of(held: Table) -> None:
    """End the move of a table, which the caller has locked."""
    held.moved_at, held.moved_to = None, ""
    held.save(update_fields=["moved_at", "moved_to"])
    tombstones.note(Act.RETURNED, table=held)


@transaction.atomic
def move_again(table: Table, *, at: datetime) -> bool:
    """Mark a table as moved again, if a restored backup has it as not moved. Return whether this was needed.

    `at` is the moment of the move.
    """
    held = lock(table)
    if held.moved_at is not None:
        return False
    held.moved_at = at
    held.save(update_fields=["moved_at"])
    revise(held)
    return True


def _read_place(text: str) -> str:
    """Return the address of the other place; "" for none. Raise RuleError if it is not an http URL."""
    place = one_line(text, longest=PLACE_LENGTH, field="moved-to")
    try:
        parts = urlsplit(place)
    except ValueError:
        parts = urlsplit("")
    if place and (parts.scheme not in ("https", "http") or not parts.hostname):
        raise RuleError(_("That doesn't look like a link. Links start with http."), field="moved-to")
    return place
