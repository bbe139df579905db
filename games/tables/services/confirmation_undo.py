"""Undoing a confirmation: its `UndoData` says what the answer changed, and `undo` restores all of it or nothing.

The data is JSON, kept in the session of the user who answered. Links that the answer revoked stay revoked.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any, TypeAlias

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import ProtectedError
from django.utils.dateparse import parse_datetime
from django.utils.timezone import now

from games.common import locks, roles
from games.common.locks import ConcurrentChange
from games.models import BY_STRENGTH, Access, Member, Role, Table
from games.scoring.errors import RuleError
from games.scoring.i18n import _
from games.tables.services import authorization, membership
from games.tables.services.roster import People

UndoData: TypeAlias = dict[str, Any]
Values: TypeAlias = Mapping[str, Any]

UNDO_TIME = timedelta(minutes=15)

FIELDS = (
    *("member_id", "name", "confirmed_at", "confirmed_by_id", "denied_member_id", "denied_name"),
    *("role", "raised_by_id", "took_over_at"),
    *("until", "ended_at", "ended_by_id", "asked_at"),
)


@dataclass(frozen=True)
class LobbyState:
    """The accesses that an answer may change, and their users' names and retirements, as they are before it."""

    table: Table
    at: datetime
    accesses: Mapping[int, Values]
    first_names: Mapping[int, str]
    retirements: Mapping[int, datetime]

    @classmethod
    def read(cls, table: Table, accesses: Collection[Access]) -> LobbyState:
        """Read the present state. The caller holds the table's lock, and has just loaded these accesses."""
        return cls(
            table,
            now(),
            {access.pk: _values(access) for access in accesses},
            {access.user_id: access.user.first_name for access in accesses},
            {
                access.person.pk: access.person.retired_at
                for access in accesses
                if access.person is not None and access.person.retired_at is not None
            },
        )

    def changes(self, *, added: Member | None = None) -> UndoData:
        """Return what has changed since this state. `added` is the member whom the answer added."""
        accesses = {}
        for row in Access.objects.filter(pk__in=self.accesses):
            before, after = self.accesses[row.pk], _values(row)
            if before != after:
                changed = {name: _encode(before[name]) for name in FIELDS if before[name] != after[name]}
                accesses[str(row.pk)] = [changed, _digest(after)]
        names = User.objects.filter(pk__in=self.first_names).values_list("pk", "first_name")
        active = set(self.table.members.active().filter(pk__in=self.retirements).values_list("pk", flat=True))
        data = {
            "table": self.table.pk,
            "at": self.at.isoformat(),
            "accesses": accesses,
            "names": {str(pk): name for pk, name in names if name != self.first_names[pk]},
            "retired": {str(pk): _encode(at) for pk, at in self.retirements.items() if pk in active},
            "added": added and [added.pk, locks.get_version(self.table)],
        }
        return {**data, "digest": _digest(data)}


def _values(access: Access) -> Values:
    return {name: getattr(access, name) for name in FIELDS}


def _encode(value: Any) -> Any:
    return value.isoformat() if isinstance(value, datetime) else value


def _decode(name: str, value: Any) -> Any:
    return parse_datetime(value) if value is not None and name.endswith(("_at", "until")) else value


def _digest(values: Values) -> str:
    return sha256(json.dumps(values, default=_encode).encode()).hexdigest()[:16]


@transaction.atomic
def undo(table: Table, changes: UndoData, *, by: User) -> None:
    """Restore what a confirmation at this table changed: ends, retirements, names, and the other claims.

    The phones that lose a role lose also the pens and links that they made with it. A retired member who
    plays again since stays active. A member whom the answer added stays if anything was written to the table
    since, because records may name them, and then the phone claims to be that member. Lock the table. Raise
    RoleRequired unless `by` may answer, ConcurrentChange if one of the phones has changed since, and
    RuleError if `by` could not give that answer now, or after `UNDO_TIME`.
    """
    locked_table, by_access = authorization.lock_table(table, by, *roles.WRITERS)
    if changes.get("table") != table.pk:
        raise ConcurrentChange
    at = datetime.fromisoformat(changes["at"])
    if at + UNDO_TIME < now():
        raise RuleError(_("It's too late to undo that. Under “People”, an owner changes it."))
    rows = _unchanged_rows(locked_table, changes["accesses"])
    ended = [row for row in rows if row.ended_at is not None]
    confirmed = [row for row in rows if row.ended_at is None and row.confirmed_at is not None]
    _restore(ended, changes)
    _check_can_undo(confirmed, ended, by_access)
    _restore([row for row in rows if row not in ended], changes)
    Access.objects.bulk_update(rows, [name.removesuffix("_id") for name in FIELDS])
    lowered = [row.user_id for row in confirmed if _is_lowered(row, changes)]
    _end_what_they_made(locked_table, confirmed, lowered, at=at, by=by)
    _restore_names(rows, changes["names"])
    _restore_members(locked_table, rows, changes, at=at)
    locks.bump_revision(locked_table)


def _unchanged_rows(table: Table, changes: Mapping[str, Any]) -> list[Access]:
    """Return the accesses that the answer changed. Raise ConcurrentChange unless all are as it left them."""
    rows = list(table.accesses.filter(pk__in=map(int, changes)).select_related("user", "member__merged_into"))
    if len(rows) != len(changes) or any(changes[str(row.pk)][1] != _digest(_values(row)) for row in rows):
        raise ConcurrentChange
    return rows


def _restore(rows: Sequence[Access], changes: UndoData) -> None:
    for row in rows:
        for name, before in changes["accesses"][str(row.pk)][0].items():
            setattr(row, name, _decode(name, before))


def _check_can_undo(confirmed: Sequence[Access], ended: Sequence[Access], by_access: Access) -> None:
    """Raise RuleError unless the user of `by_access` could confirm these phones now, and end the others."""
    name = next((row.person.name for row in ended if row.person is not None), "")
    authorization.check_can_confirm(confirmed, name, ended, by_access)
    strength = BY_STRENGTH.index(Role(by_access.role))
    if any(BY_STRENGTH.index(Role(row.role)) > strength for row in ended):
        raise RuleError(_("{name} has a phone here. An owner can change that.", name=name))


def _is_lowered(row: Access, changes: UndoData) -> bool:
    """Return whether the answer had made this restored access an owner's."""
    return "role" in changes["accesses"][str(row.pk)][0] and row.role != Role.OWNER


def _end_what_they_made(
    table: Table, phones: Sequence[Access], lowered: Collection[int], *, at: datetime, by: User
) -> None:
    """End these phones' pens and revoke the links they made since `at`.

    Let `by` change the owners whom users with the ids in `lowered` made: the answer had made those users owners.
    """
    made_by = [phone.user_id for phone in phones]
    table.pens.filter(user__in=made_by).end()
    table.links.filter(made_by__in=made_by, made_at__gte=at).revoke()
    table.accesses.filter(raised_by__in=lowered).update(raised_by=by)


def _restore_names(rows: Sequence[Access], names: Mapping[str, str]) -> None:
    users = [row.user for row in rows if names.get(str(row.user_id)) == row.user.first_name]
    User.objects.filter(pk__in=[user.pk for user in users]).update(first_name="")


def _restore_members(table: Table, rows: Sequence[Access], changes: UndoData, *, at: datetime) -> None:
    if changes["retired"]:
        _retire_again(table, {int(pk): moment for pk, moment in changes["retired"].items()}, at=at)
    if changes["added"]:
        added, version = changes["added"]
        if table.version == version and _is_deleted(table, added):
            locks.bump_version(table)
        else:
            named = [row.pk for row in rows if row.member_id is None and row.name]
            table.accesses.filter(pk__in=named).update(member=added, name="")


def _retire_again(table: Table, retired: Mapping[int, str], *, at: datetime) -> None:
    """Retire these members as of those moments, except for those who play or are confirmed in another way."""
    people = People.of(table)
    kept = {people.by_slug[slug].pk for slug in membership.players_since(table, at)}
    kept |= {people.by_pk[pk].pk for pk in table.accesses.confirmed().values_list("member", flat=True) if pk}
    restored = list(table.members.active().filter(pk__in=retired.keys() - kept))
    for member in restored:
        member.retired_at = parse_datetime(retired[member.pk])
    Member.objects.bulk_update(restored, ["retired_at"])
    locks.bump_version(table)


def _is_deleted(table: Table, member: int) -> bool:
    """Delete this member. Return False if an access, now or before, or a link is theirs."""
    try:
        with transaction.atomic():
            table.members.filter(pk=member).delete()
    except ProtectedError:
        return False
    return True
