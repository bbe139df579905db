"""Settle the access of a restored site: revoke its links and tokens, and end again what ended after the backup.

A backup still has the tables, accounts and grants (users' access to tables) that ended after it was made. The
database that it replaces says what ended. Only SQLite has a replaced database: on PostgreSQL a backup is
restored into an empty one.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet
from django.utils.timezone import now

from games.locks import lock, revise
from games.models import Grant, Invite, SignInLink, Table, Token
from games.people.deletion import OwnsAlone, delete_account
from games.people.users import DELETED

# A user is known by the id and the moment at which the user was made.
DELETED_USERS = f"SELECT id, date_joined FROM auth_user WHERE NOT is_active AND username LIKE '{DELETED}%'"
OPERATORS = "SELECT id, date_joined FROM auth_user WHERE is_staff"
ENDED_GRANTS = """
    SELECT auth_user.id, date_joined, code
    FROM games_grant JOIN games_table ON games_table.id = table_id JOIN auth_user ON auth_user.id = user_id
    WHERE removal_id IS NOT NULL"""
ERASED_TABLES = "SELECT code, erased_at FROM games_table WHERE erased_at IS NOT NULL"


@dataclass(frozen=True)
class Revoked:
    """The numbers of links and tokens that were revoked at a restored site."""

    invitations: int
    sign_in_links: int
    tokens: int


@dataclass(frozen=True)
class EndedRows:
    """The rows of one database that say what has ended, and its operators."""

    deleted: Sequence[tuple[int, str]]
    operators: Sequence[tuple[int, str]]
    grants: Sequence[tuple[int, str, str]]
    erased: Sequence[tuple[str, str]]


def read_ended(database: sqlite3.Connection) -> EndedRows:
    """Return what has ended in this database. Raise sqlite3.DatabaseError if it cannot be read."""
    queries = (DELETED_USERS, OPERATORS, ENDED_GRANTS, ERASED_TABLES)
    return EndedRows(*(database.execute(query).fetchall() for query in queries))


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


def end_again(ended: EndedRows) -> Iterator[str]:
    """End again what has ended in the replaced database, and yield it in words.

    The only owner of a table stays, since the backup lacks the owners who came later.
    """
    for pk, made_at, code in ended.grants:
        for grant in Grant.objects.standing().filter(user__in=_user(pk, made_at), table__code=code):
            yield _end_grant(grant)
    for pk, made_at in ended.deleted:
        for user in _user(pk, made_at).filter(is_active=True):
            yield _delete_again(user)
    for code, erased_at in ended.erased:
        for table in Table.objects.filter(code=code, erased_at=None):
            yield _erase_again(table, erased_at)
    operators = [pk for pk, _made_at in ended.operators]
    for user in User.objects.filter(is_staff=True).exclude(pk__in=operators):
        User.objects.filter(pk=user.pk).update(is_staff=False)
        yield f"{user.username} is no operator"


def _user(pk: int, made_at: str) -> QuerySet[User]:
    return User.objects.filter(pk=pk, date_joined=datetime.fromisoformat(made_at).replace(tzinfo=UTC))


def _end_grant(grant: Grant) -> str:
    words = f"the access of {grant.user.username} to {grant.table.name} ({grant.table.code})"
    if grant.table.grants.owning().exists() and not grant.table.grants.owning().exclude(pk=grant.pk).exists():
        return f"not {words}, who is its only owner in the backup"
    grant.delete()
    return words


def _delete_again(user: User) -> str:
    words = f"the account {user.username}"
    try:
        delete_account(user)
    except OwnsAlone:
        return f"not {words}, the only owner of a table in the backup"
    return words


def _erase_again(table: Table, erased_at: str) -> str:
    held = lock(table)
    held.erased_at = datetime.fromisoformat(erased_at).replace(tzinfo=UTC)
    held.save(update_fields=["erased_at"])
    revise(held)
    return f"the table {held.name} ({held.code})"
