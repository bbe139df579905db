"""Apply tombstones again after a backup was restored: the backup must not bring back what people ended.

A tombstone is a note, kept beside the backups, of an act that ended or restored something.

An act is applied to the rows that the backup has, each found by its id and the moment at which it was made.
An act that the backup has already changes nothing, so the whole list is applied, whatever the age of the
backup. Each act runs the code of its service, but does not check the rights of the user who did it: in an
older backup the user may not have them yet.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar

from django.contrib.auth.models import User
from django.db.models import Max, Model

from games.models import Change, Device, Invite, Table, Token
from games.people.claims import end_claim_again
from games.people.deletion import clear_accounts_again, delete_again, make_nobody
from games.people.devices import end_session
from games.people.erasing import bring_back_again, erase_again, finish_all
from games.people.owners import keep_owned
from games.people.removals import end_again, undo_again
from games.people.suspension import (
    release_table_again,
    release_user_again,
    suspend_table_again,
    suspend_user_again,
)
from games.people.users import is_deleted
from games.tombstones import MADE_AT, Act, RowId, Tombstone

Row = TypeVar("Row", bound=Model)
# Pairs of opposite acts, of which only the last one counts. Both acts of a pair have the same value.
OPPOSITES = {
    Act.ERASED: Act.ERASED,
    Act.BROUGHT_BACK: Act.ERASED,
    Act.SUSPENDED: Act.SUSPENDED,
    Act.RELEASED: Act.SUSPENDED,
    Act.OPERATOR_ENDED: Act.OPERATOR_ENDED,
    Act.OPERATOR_MADE: Act.OPERATOR_ENDED,
}


@dataclass
class Reapplied:
    """The result of reapplying: the number of changes by act, and the tables left without an owner."""

    counts: Counter[Act]
    ownerless: Sequence[Table]


def reapply(tombstones: Iterable[Tombstone]) -> Reapplied:
    """Apply these acts again in the order in which they happened, and return what they changed."""
    acts = sorted(tombstones, key=lambda tombstone: tombstone.at)
    reapplying, counts = _Reapplying(acts), Counter[Act]()
    for tombstone in acts:
        counts[tombstone.act] += reapplying.apply(tombstone)
    finish_all()
    changed = Table.objects.filter(pk__in=reapplying.tables, erased_at=None).order_by("pk")
    return Reapplied(counts, [table for table in changed if not table.grants.owning().exists()])


class _Reapplying:
    """A run that applies a list of acts again.

    It first collects what must be known of the whole list before one act is applied, for example which acts
    were undone later.
    """

    def __init__(self, acts: Sequence[Tombstone]) -> None:
        self.tables: set[int] = set()  # ids of the tables that may have lost an owner
        self._nobodies: dict[RowId | None, User] = {}
        self._joined: list[Tombstone] = []
        # by pair of opposites (see `OPPOSITES`), table and user: the last such act of the list
        self._last: dict[object, Tombstone] = {}
        self._undone: set[tuple[RowId | None, datetime]] = set()
        # by table: the moment of the newest change that the backup has of it
        self._newest = dict(
            Change.objects.order_by()
            .values("table")
            .annotate(Max("made_at"))
            .values_list("table", "made_at__max")
        )
        for tombstone in acts:
            match tombstone.act:
                case Act.JOINED:
                    self._joined.append(tombstone)
                case act if act in OPPOSITES:
                    self._last[_kind_of(tombstone)] = tombstone
                case Act.UNDONE:
                    self._undone.add((tombstone.row("table"), _removed_at(tombstone)))
                case _:
                    pass

    def apply(self, tombstone: Tombstone) -> int:
        """Apply an act again, and return the number of things that it ended or restored."""
        match tombstone.act:
            case Act.DELETED:
                return int(self._delete(tombstone))
            case Act.TOKENS_REVOKED:
                tokens = [row.pk for row in _rows(Token, tombstone.rows("tokens")) if row.revoked_at is None]
                Token.objects.filter(pk__in=tokens).revoke()
                return len(tokens)
            case Act.INVITES_REVOKED:
                invites = [row.pk for row in _rows(Invite, tombstone.rows("invites"))]
                return Invite.objects.filter(pk__in=invites, revoked_at=None).update(revoked_at=tombstone.at)
            case Act.SIGNED_OUT:
                devices = list(_rows(Device, tombstone.rows("devices")))
                for device in devices:
                    end_session(device)
                return len(devices)
            case Act.SUSPENDED | Act.RELEASED | Act.OPERATOR_ENDED | Act.OPERATOR_MADE:
                return int(self._is_last(tombstone) and _restrict(tombstone))
            case Act.JOINED:
                return 0  # `_users` applies it: with a user it also returns the guests merged into the user
            case _:
                table = _row(Table, tombstone.row("table"))
                return 0 if table is None else int(self._apply_at(table, tombstone))

    def _apply_at(self, table: Table, tombstone: Tombstone) -> bool:
        """Apply an act at a table again, and return whether it changed something."""
        match tombstone.act:
            case Act.ERASED:
                by_operator = bool(tombstone.content.get("by_operator"))
                return self._is_last(tombstone) and erase_again(
                    table, at=tombstone.at, by_operator=by_operator
                )
            case Act.BROUGHT_BACK:
                return self._is_last(tombstone) and bring_back_again(table, at=tombstone.at)
            case Act.REMOVED:
                return self._remove(table, tombstone)
            case Act.UNDONE:
                return undo_again(table, of=_removed_at(tombstone))
            case Act.UNCLAIMED:
                member, users = tombstone.content["member"], self._users("user", tombstone)
                return end_claim_again(table, member, users=users, at=tombstone.at)
            case act:
                raise AssertionError(act)

    def _is_last(self, tombstone: Tombstone) -> bool:
        return self._last[_kind_of(tombstone)] is tombstone

    def _delete(self, tombstone: Tombstone) -> bool:
        user = _row(User, tombstone.row("user"))
        if user is not None and is_deleted(user):
            return False
        users = [user for user in self._users("user", tombstone) if not is_deleted(user)]
        for user in users:
            delete_again(user)
        for content in tombstone.content["tables"]:
            at_table = Tombstone(tombstone.act, tombstone.at, content)
            table = _row(Table, at_table.row("table"))
            if table is not None:
                if self._newest.get(table.pk, tombstone.at) <= tombstone.at:
                    clear_accounts_again(table, content["members"])
                self._keep_owned(table, at_table)
        return bool(users)

    def _remove(self, table: Table, tombstone: Tombstone) -> bool:
        if (tombstone.row("table"), tombstone.at) in self._undone:
            return False
        is_changed = end_again(
            table,
            at=tombstone.at,
            by=next(iter(self._users("by", tombstone)), None) or self._nobody(tombstone.row("by")),
            users=self._users("users", tombstone),
            invites=[invite.pk for invite in _rows(Invite, tombstone.rows("invites"))],
            revoked=_row(Invite, tombstone.row("revoked")),
            new_phone=_row(Invite, tombstone.row("new_phone")),
        )
        if is_changed:
            self._keep_owned(table, tombstone)
        return is_changed

    def _keep_owned(self, table: Table, tombstone: Tombstone) -> None:
        keep_owned(table, self._users("owners", tombstone), at=tombstone.at)
        self.tables.add(table.pk)

    def _users(self, name: str, tombstone: Tombstone) -> Sequence[User]:
        """Return the users that the tombstone lists in its field `name`, as far as the backup has them.

        Each is followed by the guests who had been merged into the user by the time of the act: in an older
        backup, the grants and claims of these guests may not belong to the user yet.
        """
        users = tombstone.rows(name)
        rows = [row for user in users for row in (user, *self._guests_of(user, tombstone.at))]
        return list(_rows(User, rows))

    def _guests_of(self, user: RowId, until: datetime) -> Iterator[RowId]:
        for joined in self._joined:
            if joined.at <= until and joined.row("user") == user:
                yield from joined.rows("guest")

    def _nobody(self, row: RowId | None) -> User:
        """Return a new anonymous user for the author of an act, whom the backup lacks.

        `row` identifies the author. A second call with it returns the same anonymous user.
        """
        if row not in self._nobodies:
            self._nobodies[row] = make_nobody()
        return self._nobodies[row]


def _kind_of(tombstone: Tombstone) -> object:
    return OPPOSITES[tombstone.act], tombstone.row("table"), tombstone.row("user")


def _restrict(tombstone: Tombstone) -> bool:
    """Apply an operator's act about a table or user again, and return whether it changed something."""
    table, user = _row(Table, tombstone.row("table")), _row(User, tombstone.row("user"))
    is_suspension = tombstone.act is Act.SUSPENDED
    if table is not None and tombstone.act in (Act.SUSPENDED, Act.RELEASED):
        return (suspend_table_again if is_suspension else release_table_again)(table, at=tombstone.at)
    if user is None or is_deleted(user) or tombstone.act is Act.OPERATOR_MADE:
        return False
    if tombstone.act is Act.OPERATOR_ENDED:
        return bool(User.objects.filter(pk=user.pk, is_staff=True).update(is_staff=False))
    return (suspend_user_again if is_suspension else release_user_again)(user, at=tombstone.at)


def _removed_at(tombstone: Tombstone) -> datetime:
    return datetime.fromisoformat(tombstone.content["removed_at"])


def _row(kind: type[Row], row: RowId | None) -> Row | None:
    """Return the stored row with the id and the creation time in `row`; None if there is no such row."""
    if row is None:
        return None
    return kind._base_manager.filter(pk=row.pk, **{MADE_AT[kind]: row.made_at}).first()


def _rows(kind: type[Row], rows: Iterable[RowId]) -> Iterator[Row]:
    return (known for row in rows if (known := _row(kind, row)) is not None)
