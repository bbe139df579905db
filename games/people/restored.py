"""Settle the access of a restored site: revoke its links and tokens, and end again what ended after the backup.

A backup still has the tables, accounts and grants (users' access to tables) that ended after it was made. The
database that it replaces says what ended: its rows are compared with those of the restored one. What it has no
row of comes back, and is named. Only SQLite has a replaced database: on PostgreSQL a backup is restored into an
empty one.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import NamedTuple, TypeAlias, TypeVar

from django.contrib.auth.hashers import UNUSABLE_PASSWORD_PREFIX
from django.contrib.auth.models import User
from django.db import transaction
from django.utils.timezone import now

from games.locks import lock, revise
from games.models import Grant, Invite, Role, SignInLink, Table, Token
from games.people.deletion import erase_account
from games.people.owners import keep_owned
from games.people.users import DELETED

UserKey: TypeAlias = tuple[int, str]  # the id, and the moment at which the user was made
Key = TypeVar("Key")
Row = TypeVar("Row")

TABLES = "SELECT code, name, erased_at FROM games_table ORDER BY id"
USERS = "SELECT id, date_joined, username, password, is_active, is_staff FROM auth_user ORDER BY id"
GRANTS = """
    SELECT code, auth_user.id, date_joined, role, removal_id
    FROM games_grant JOIN games_table ON games_table.id = table_id JOIN auth_user ON auth_user.id = user_id
    ORDER BY ranks_from, games_grant.id"""
SESSIONS = "SELECT session_key FROM django_session WHERE expire_date > ?"


class TableRow(NamedTuple):
    """A table as one database has it."""

    name: str
    erased_at: str | None


class UserRow(NamedTuple):
    """A user as one database has them."""

    name: str
    is_guest: bool
    is_deleted: bool
    is_operator: bool


class GrantRow(NamedTuple):
    """A user's access to a table as one database has it."""

    is_owner: bool
    has_ended: bool


@dataclass(frozen=True)
class Access:
    """The rows of one database that say who has access to what."""

    tables: Mapping[str, TableRow]  # by code
    users: Mapping[UserKey, UserRow]
    grants: Mapping[tuple[str, UserKey], GrantRow]  # owners by rank
    sessions: frozenset[str]


@dataclass(frozen=True)
class Revoked:
    """The numbers of links and tokens that were revoked at a restored site."""

    invitations: int
    sign_in_links: int
    tokens: int


@dataclass(frozen=True)
class Ended:
    """The numbers of rows that ended again, by kind, and the tables that have no owner now."""

    erased: int
    brought_back: int
    deleted: int
    grants: int
    operators: int
    ownerless: Sequence[Table]


def read_access(database: sqlite3.Connection) -> Access:
    """Return the rows about access in this database. Raise sqlite3.DatabaseError if they cannot be read."""
    return Access(
        tables={code: TableRow(name, erased_at) for code, name, erased_at in database.execute(TABLES)},
        users={
            (pk, made_at): UserRow(
                name,
                password.startswith(UNUSABLE_PASSWORD_PREFIX),
                not is_active and name.startswith(DELETED),
                bool(is_staff),
            )
            for pk, made_at, name, password, is_active, is_staff in database.execute(USERS)
        },
        grants={
            (code, (pk, made_at)): GrantRow(role == Role.OWNER, removal is not None)
            for code, pk, made_at, role, removal in database.execute(GRANTS)
        },
        sessions=frozenset(key for (key,) in database.execute(SESSIONS, [f"{now():%Y-%m-%d %H:%M:%S}"])),
    )


@transaction.atomic
def revoke_links() -> Revoked:
    """Revoke all invitations, sign-in links and tokens: some of them may have been revoked after the backup."""
    invites = Invite.objects.filter(revoked_at=None, used_at=None, expires_at__gt=now())
    tokens = Token.objects.filter(revoked_at=None, expires_at__gt=now())
    links = SignInLink.objects.filter(expires_at__gt=now())
    revoked = Revoked(invites.count(), links.count(), tokens.count())
    invites.update(revoked_at=now())
    tokens.revoke()
    SignInLink.objects.all().delete()
    return revoked


@transaction.atomic
def end_again(restored: Access, replaced: Access) -> Ended:
    """End again what the replaced database says has ended, and return how much that was.

    A table that was erased when the backup was made, and brought back since, is brought back too.
    """
    users, grants = _pairs(restored.users, replaced.users), _pairs(restored.grants, replaced.grants)
    tables = [
        pair for pair in _pairs(restored.tables, replaced.tables) if pair[1].erased_at != pair[2].erased_at
    ]
    deleted = [key for key, row, was in users if was.is_deleted and not row.is_deleted]
    ended = [key for key, row, was in grants if was.has_ended and not row.has_ended]
    dismissed = [key for key, row, was in users if row.is_operator and not was.is_operator]
    affected = _tables_at(restored, ended, deleted)
    for pk, _made_at in deleted:
        erase_account(User.objects.get(pk=pk))
    for code, (pk, _made_at) in ended:
        Grant.objects.filter(table__code=code, user=pk).delete()
    User.objects.filter(pk__in=[pk for pk, _made_at in dismissed]).update(is_staff=False)
    for code, _row, table in tables:
        _set_erased(code, table.erased_at)
    return Ended(
        erased=sum(row.erased_at is None for _code, row, _was in tables),
        brought_back=sum(was.erased_at is None for _code, _row, was in tables),
        deleted=len(deleted),
        grants=len(ended),
        operators=len(dismissed),
        ownerless=[table for table in affected if not _keep_owned(table, replaced)],
    )


def came_back(restored: Access, replaced: Access) -> Iterator[str]:
    """Yield what is in the restored database although the replaced one has no row of it, in words."""
    for code, table in restored.tables.items():
        if code not in replaced.tables and Table.objects.filter(code=code).exists():
            yield f"the table {table.name} ({code})"
    absent = [user for key, user in restored.users.items() if key not in replaced.users]
    yield from (f"the user {user.name}" for user in absent if not user.is_guest)
    if guests := sum(user.is_guest for user in absent):
        yield f"{guests} guests"
    for key in restored.grants.keys() - replaced.grants.keys():
        code, user = key
        here = user in replaced.users and not replaced.users[user].is_deleted
        if code in replaced.tables and here and not restored.grants[key].has_ended:
            yield f"the access of {restored.users[user].name} to {restored.tables[code].name} ({code})"
    if sessions := len(restored.sessions - replaced.sessions):
        yield f"{sessions} signed-in phones"


def _pairs(rows: Mapping[Key, Row], others: Mapping[Key, Row]) -> list[tuple[Key, Row, Row]]:
    """Return each key that both have, with both rows."""
    return [(key, row, others[key]) for key, row in rows.items() if key in others]


def _tables_at(
    restored: Access, ended: Iterable[tuple[str, UserKey]], deleted: Iterable[UserKey]
) -> Sequence[Table]:
    """Return the tables at which one of these grants, or a grant of one of these users, ended."""
    gone = set(deleted)
    codes = {code for code, _user in ended} | {code for code, user in restored.grants if user in gone}
    return list(Table.objects.filter(code__in=codes).order_by("pk"))


def _keep_owned(table: Table, replaced: Access) -> bool:
    """Make an owner of the replaced database an owner again if the table has none. Return whether it has one."""
    owners = [
        User.objects.filter(pk=pk, is_active=True).first()
        for (code, (pk, _made_at)), grant in replaced.grants.items()
        if code == table.code and grant.is_owner and not grant.has_ended
    ]
    return keep_owned(table, [user for user in owners if user is not None], at=now())


def _set_erased(code: str, erased_at: str | None) -> None:
    held = lock(Table.objects.get(code=code))
    held.erased_at = None if erased_at is None else datetime.fromisoformat(erased_at).replace(tzinfo=UTC)
    held.save(update_fields=["erased_at"])
    revise(held)
