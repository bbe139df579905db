"""Undoing a confirmation: its `UndoData` says what the answer changed, and `undo` restores that.

The data is JSON, kept in the session of the user who answered. Only what is still as the answer left it is
restored.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Any, TypeAlias

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import ProtectedError
from django.utils.dateparse import parse_datetime
from django.utils.timezone import now

from games.common import locks, roles
from games.common.locks import ConcurrentChange
from games.models import Access, Link, Member, Table
from games.tables.services import authorization

UndoData: TypeAlias = dict[str, Any]
Values: TypeAlias = Mapping[str, Any]

ENDS = ("until", "ended_at", "ended_by_id", "asked_at", "vouched_at", "questioned_at")
ROLE_FIELDS = ("role", "raised_by_id", "took_over_at")
IDENTITY = (
    *("member_id", "name", "confirmed_at", "confirmed_by_id"),
    *("denied_member_id", "denied_name"),
)
FIELDS = (*IDENTITY, *ROLE_FIELDS, *ENDS)


@dataclass(frozen=True)
class LobbyState:
    """The rows that a confirmation may change, as they are before it. The caller holds the table's lock."""

    accesses: Mapping[int, Values]
    first_names: Mapping[int, str]
    retirements: Mapping[int, datetime | None]
    links: frozenset[int]

    @classmethod
    def read(cls, table: Table) -> LobbyState:
        rows = list(table.accesses.valid().values("pk", "user_id", "user__first_name", *FIELDS))
        return cls(
            {row["pk"]: {name: row[name] for name in FIELDS} for row in rows},
            {row["user_id"]: row["user__first_name"] for row in rows},
            dict(table.members.values_list("pk", "retired_at")),
            frozenset(table.links.valid().values_list("pk", flat=True)),
        )

    def changes(self, table: Table) -> UndoData:
        """Return what has changed since this state."""
        rows = table.accesses.filter(pk__in=self.accesses).values("pk", *FIELDS)
        accesses = {}
        for row in rows:
            before = self.accesses[row["pk"]]
            names = [name for name in FIELDS if row[name] != before[name]]
            if names:
                accesses[str(row["pk"])] = [{name: _encode(before[name]) for name in names}, _digest(row)]
        users = User.objects.filter(pk__in=self.first_names).values_list("pk", "first_name")
        members = dict(table.members.values_list("pk", "retired_at"))
        revoked = Link.objects.filter(pk__in=self.links).exclude(revoked_at=None)
        return {
            "table": table.pk,
            "version": locks.get_version(table),
            "accesses": accesses,
            "names": {str(pk): name for pk, name in users if name != self.first_names[pk]},
            "retired": {
                str(pk): _encode(moment)
                for pk, moment in self.retirements.items()
                if moment is not None and members[pk] is None
            },
            "added": [pk for pk in members if pk not in self.retirements],
            "links": list(revoked.values_list("pk", flat=True)),
        }


def _encode(value: Any) -> Any:
    return value.isoformat() if isinstance(value, datetime) else value


def _decode(name: str, value: Any) -> Any:
    return parse_datetime(value) if value is not None and name.endswith(("_at", "until")) else value


@transaction.atomic
def undo(table: Table, changes: UndoData, *, by: User) -> None:
    """Restore what a confirmation at this table changed: ends, retirements, names, and the other claims.

    A phone that has changed since stays as it is. A member whom the answer added is deleted again, unless
    something was recorded since: then the phone still claims to be that member. Lock the table. Raise
    RoleRequired unless `by` may answer, and ConcurrentChange if nothing is left to undo.
    """
    locked_table, _access = authorization.lock_table(table, by, *roles.WRITERS)
    if changes.get("table") != table.pk:
        raise ConcurrentChange
    rows = _unchanged_rows(locked_table, changes["accesses"])
    if not rows:
        raise ConcurrentChange
    is_unused = locks.get_version(locked_table) == changes["version"]
    added = frozenset(changes["added"])
    for row in rows:
        for name, before in changes["accesses"][str(row.pk)][0].items():
            setattr(row, name, _decode(name, before))
        if added and row.member_id is None and row.name and not is_unused:
            row.member_id, row.name = next(iter(added)), ""
    locked_table.pens.filter(user__in=[row.user_id for row in rows], ended_at=None).update(ended_at=now())
    Access.objects.bulk_update(rows, [name.removesuffix("_id") for name in FIELDS])
    _restore_names(rows, changes["names"])
    Link.objects.filter(pk__in=changes["links"], table=locked_table).update(revoked_at=None)
    if is_unused:
        _restore_members(locked_table, changes)
    locks.bump_revision(locked_table)


def _unchanged_rows(table: Table, changes: Mapping[str, Any]) -> list[Access]:
    """Return the changed accesses that are still as the answer left them."""
    rows = table.accesses.filter(pk__in=map(int, changes)).select_related("user")
    return [
        row
        for row in rows
        if changes[str(row.pk)][1] == _digest({name: getattr(row, name) for name in FIELDS})
    ]


def _digest(row: Values) -> str:
    values = [_encode(row[name]) for name in FIELDS]
    return sha256(json.dumps(values).encode()).hexdigest()[:16]


def _restore_names(rows: list[Access], names: Mapping[str, str]) -> None:
    users = [row.user for row in rows if names.get(str(row.user_id)) == row.user.first_name]
    User.objects.filter(pk__in=[user.pk for user in users]).update(first_name="")


def _restore_members(table: Table, changes: UndoData) -> None:
    retired = list(table.members.filter(pk__in=map(int, changes["retired"])))
    for member in retired:
        member.retired_at = parse_datetime(changes["retired"][str(member.pk)])
    Member.objects.bulk_update(retired, ["retired_at"])
    try:
        with transaction.atomic():
            table.members.filter(pk__in=changes["added"]).delete()
    except ProtectedError:  # another phone claims to be this member meanwhile
        pass
    if retired or changes["added"]:
        locks.bump_version(table)
