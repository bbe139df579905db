"""Tombstones: a list, beside the backups, of what people ended. So a restored backup does not bring it back.

Each line is an act: an erased table, a deleted account, a removal, a revocation,
a suspension, or the undo of one. It has the ids of rows, each with the moment at which the row was made, and
no name, text or secret. The line is appended once the act is committed: to the list in `DATA_DIR`, and to the
list in the folder of the last backup, which outlives a lost database. If a line cannot be written, the act
itself succeeds and the line is logged; `manage.py doctor` reports it, and the next backup completes its list.
`games/people/reapplying.py` applies the acts again.
"""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Model
from django.utils.timezone import now

from games.last_backup import last_backup_folder
from games.models import Device, Invite, Table, Token

NAME = "tombstones.jsonl"
LISTS = "tombstones*.jsonl"  # beside a backup, also those of other servers
# The column with the moment at which a row was made. Another row with the same id has another moment.
MADE_AT: Mapping[type[Model], str] = {
    Table: "created_at",
    User: "date_joined",
    Invite: "made_at",
    Token: "made_at",
    Device: "since",
}

logger = logging.getLogger(__name__)


class Act(StrEnum):
    """A kind of act that ends something, or brings it back."""

    ERASED = "erased"  # a table
    BROUGHT_BACK = "brought_back"  # an erased table
    DELETED = "deleted"  # an account
    JOINED = "joined"  # a guest who signed in and brought their tables along: from then on they are that user
    REMOVED = "removed"  # users, from a table; also the revocation of an invitation
    UNDONE = "undone"  # a removal
    UNCLAIMED = "unclaimed"  # a claim to be a member
    INVITES_REVOKED = "invites_revoked"
    TOKENS_REVOKED = "tokens_revoked"
    SIGNED_OUT = "signed_out"  # devices
    SUSPENDED = "suspended"  # a table or a user, by an operator
    RELEASED = "released"  # a suspended table or user
    OPERATOR_ENDED = "operator_ended"  # a user is an operator no longer
    OPERATOR_MADE = "operator_made"  # never applied again; it only says that an earlier end is over


@dataclass(frozen=True)
class RowId:
    """The identity of a row in every backup: its id, and the moment at which it was made."""

    pk: int
    made_at: datetime


@dataclass(frozen=True)
class Tombstone:
    """A line of the list: an act, its moment `at`, and its content by name, such as the rows it ended."""

    act: Act
    at: datetime
    content: Mapping[str, Any]

    def row(self, name: str) -> RowId | None:
        """Return the identity of the row under this name in the content, None if there is none."""
        return next(iter(self.rows(name)), None)

    def rows(self, name: str) -> Sequence[RowId]:
        """Return the identities of all rows under this name in the content; empty if there are none."""
        data = self.content.get(name) or []
        return [
            _row_id(pair) for pair in (data if isinstance(next(iter(data), None), list) else [data]) if pair
        ]


class Unreadable(Exception):
    """Raised for a line that this version of the program cannot read as a tombstone."""


# --- writing ----------------------------------------------------------------------------------------------------------


def note(act: Act, *, at: datetime | None = None, **content: object) -> None:
    """Add a tombstone for this act to the lists once the present transaction is committed.

    A model instance in `content`, or a list of some, is written as the identity of its row. In the app that a
    phone carries, do nothing.
    """
    if settings.IS_A_PHONE:
        return
    data = {"act": act, "at": written(at or now()), **content}
    transaction.on_commit(partial(_append_everywhere, json.dumps(data, default=_identity)))


def own_list() -> Path:
    """Return the path of the list in `DATA_DIR`."""
    return Path(settings.DATA_DIR) / NAME


def missing_in(folder: Path) -> Sequence[str]:
    """Return the lines of the list in `DATA_DIR` that the list in this folder does not have."""
    listed = set(_lines(folder / NAME))
    return [line for line in _lines(own_list()) if line not in listed]


def complete(folder: Path) -> None:
    """Add to the list in this folder the lines it lacks. Create a missing list, even if it stays empty."""
    _append(folder / NAME, missing_in(folder))


def adopt(lines: Iterable[str]) -> None:
    """Add to the list in `DATA_DIR` those of these lines that it does not have."""
    listed = set(_lines(own_list()))
    _append(own_list(), [line for line in dict.fromkeys(lines) if line not in listed])


def _append_everywhere(line: str) -> None:
    folder = last_backup_folder()
    # `backup` creates the list in the backups' folder. If it is missing, the folder's disk is not mounted, so
    # no list is created here.
    for file, flags in ((own_list(), os.O_CREAT), *([(folder / NAME, 0)] if folder else [])):
        try:
            _append(file, [line], flags)
        except OSError as error:
            logger.error(
                "%s could not be written (%s), so this act is not listed there: %s", file, error, line
            )


def _append(file: Path, lines: Collection[str], flags: int = os.O_CREAT) -> None:
    """Append lines in one write, so that a line of another process never comes in between.

    The line break stands before each line, so that a line cut short by a full disk does not spoil the next.
    `flags` are flags of `os.open`; by default, a missing file is created.
    """
    data = "".join(f"\n{line}" for line in lines).encode()
    descriptor = os.open(file, os.O_WRONLY | os.O_APPEND | flags, 0o600)
    try:
        if os.write(descriptor, data) < len(data):
            raise OSError("only a part of it was written")
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _identity(row: object) -> object:
    if not isinstance(row, Model):
        raise TypeError(f"{row!r} is no row")
    # not `type(row)`, because the user of a request is a lazy object
    return [row.pk, written(getattr(row, MADE_AT[row._meta.model]))]


def written(moment: datetime) -> str:
    """Return a moment in the form that the lists use: ISO 8601, always with microseconds."""
    return moment.isoformat(timespec="microseconds")


# --- reading ----------------------------------------------------------------------------------------------------------


def lists_for(backup: Path) -> Sequence[Path]:
    """Return the lists to apply when this backup is restored: those beside it, and the one in `DATA_DIR`."""
    return [
        file
        for file in dict.fromkeys([*sorted(backup.absolute().parent.glob(LISTS)), own_list()])
        if file.exists()
    ]


def lines_of(files: Iterable[Path]) -> Sequence[str]:
    """Return all lines of these lists (files), each line once."""
    return list(dict.fromkeys(line for file in files for line in _lines(file)))


def read(line: str) -> Tombstone:
    """Return the tombstone that this line holds. Raise Unreadable if it holds none."""
    try:
        data = json.loads(line)
        return Tombstone(Act(data.pop("act")), datetime.fromisoformat(data.pop("at")), data)
    except (ValueError, KeyError, AttributeError, TypeError) as error:
        raise Unreadable(line) from error


def _lines(file: Path) -> Sequence[str]:
    try:
        return [line for line in file.read_text(encoding="utf-8", errors="replace").split("\n") if line]
    except FileNotFoundError:
        return []


def _row_id(data: Any) -> RowId:
    pk, made_at = data
    return RowId(int(pk), datetime.fromisoformat(made_at))
