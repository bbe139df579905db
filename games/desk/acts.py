"""The acts of the site's operators. Each changes one object and logs operator and reason, in one transaction.

Only an operator can restore what an operator suspended or erased. Each act raises PermissionDenied if its
user `by` is no longer an operator. Most raise Outdated if they are not possible any more.
"""

from __future__ import annotations

from django.contrib.auth.models import AnonymousUser, User
from django.contrib.sessions.models import Session
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.utils.timezone import now

from games.locks import lock, revise, revise_tables_of
from games.models import REASON_LENGTH, Act, OperatorAct, Report, Table, Token
from games.people import deletion, sign_in_links
from games.people.erasing import restore
from games.people.suspension import suspension_of
from games.people.throttled import Throttled, release
from games.people.tokens import revoke_token
from games.people.users import is_deleted


class Outdated(Exception):
    """Raised when an act is not possible any more: something changed since the page was shown."""


def is_operator(user: User | AnonymousUser) -> bool:
    """Return whether this user is an operator: active, marked as staff, and with a password."""
    return isinstance(user, User) and user.is_active and user.is_staff and user.has_usable_password()


def _note(
    by: User, what: Act, reason: str, *, table: str = "", user: User | None = None, about: str = ""
) -> None:
    """Add an entry to the log of acts. Raise PermissionDenied unless `by` is still an operator.

    The act is about the table with the code `table` or about `user`, or both. `about` names anything else
    that it is about, e.g. a token.
    """
    if not is_operator(User.objects.get(pk=by.pk)):
        raise PermissionDenied
    reason = " ".join(reason.split())[:REASON_LENGTH]
    OperatorAct.objects.create(by=by, what=what, table_code=table, user=user, about=about, reason=reason)


# --- tables -----------------------------------------------------------------------------------------------


@transaction.atomic
def suspend_table(table: Table, *, by: User, reason: str) -> None:
    """Close the table to everybody until an operator releases it. Phones keep their unsent entries."""
    held = lock(table)
    if held.suspended_at is not None or held.erased_at is not None:
        raise Outdated
    _save_table(held, suspended_at=now())
    _note(by, Act.TABLE_SUSPENDED, reason, table=held.code)


@transaction.atomic
def release_table(table: Table, *, by: User, reason: str) -> None:
    """Open a suspended table again."""
    held = lock(table)
    if held.suspended_at is None:
        raise Outdated
    _save_table(held, suspended_at=None)
    _note(by, Act.TABLE_RELEASED, reason, table=held.code)


@transaction.atomic
def erase_table(table: Table, *, by: User, reason: str) -> None:
    """Erase the table. Only an operator can restore it, within seven days."""
    held = lock(table)
    if held.erased_at is not None:
        raise Outdated
    _save_table(held, erased_at=now(), erased_by_operator=True)
    _note(by, Act.TABLE_ERASED, reason, table=held.code)


@transaction.atomic
def bring_table_back(table: Table, *, by: User, reason: str) -> None:
    """Restore a table that an operator erased; raise Outdated for one that an owner erased.

    Raise GoneForGood if the table can no longer be restored.
    """
    held = lock(table)
    if not held.erased_by_operator:
        raise Outdated
    restore(held)
    revise(held)
    _note(by, Act.TABLE_BACK, reason, table=held.code)


def _save_table(held: Table, **fields: object) -> None:
    """Store these fields of a locked table and raise its revision: polling phones must prove access again."""
    for name, stored in fields.items():
        setattr(held, name, stored)
    held.save(update_fields=[*fields])
    revise(held)


# --- users ------------------------------------------------------------------------------------------------


@transaction.atomic
def suspend_user(user: User, *, by: User, reason: str) -> None:
    """Refuse the user's sessions and tokens until an operator releases the user. Their tables stay open.

    The sessions are not deleted: a guest could not sign in again.
    """
    held = _lock_user(user, other_than=by)
    if not held.is_active:
        raise Outdated
    held.is_active = False
    held.save(update_fields=["is_active"])
    revise_tables_of(held)
    _note(by, Act.USER_SUSPENDED, reason, user=held)


@transaction.atomic
def release_user(user: User, *, by: User, reason: str) -> None:
    """End the suspension of a user, whose sessions and tokens are then valid again."""
    held = _lock_user(user, other_than=by)
    if suspension_of(held) is None:
        raise Outdated
    held.is_active = True
    held.save(update_fields=["is_active"])
    _note(by, Act.USER_RELEASED, reason, user=held)


@transaction.atomic
def end_sessions(user: User, *, by: User, reason: str) -> None:
    """Sign the user out on every device. Raise Outdated for a guest, who could not sign in again."""
    held = _lock_user(user)
    if not held.has_usable_password():
        raise Outdated
    Session.objects.filter(session_key__in=held.devices.values("session_key")).delete()
    held.devices.all().delete()
    revise_tables_of(held)
    _note(by, Act.SESSIONS_ENDED, reason, user=held)


@transaction.atomic
def let_in(user: User, *, by: User, reason: str) -> str:
    """Create a sign-in link for a user who lost the password, and return its token.

    Raise Outdated if the user is a guest or not active.
    """
    held = _lock_user(user)
    if not (held.is_active and held.has_usable_password()):
        raise Outdated
    _note(by, Act.LET_IN, reason, user=held)
    return sign_in_links.make_link(held)


@transaction.atomic
def delete_user(user: User, *, by: User, reason: str) -> None:
    """Delete the user's account. Raise OwnsAlone if a table would be left without an owner."""
    held = _lock_user(user, other_than=by)
    if is_deleted(held):
        raise Outdated
    deletion.delete_account(held)
    _note(by, Act.USER_DELETED, reason, user=held)


def _lock_user(user: User, *, other_than: User | None = None) -> User:
    """Lock the user's row and return it as it is stored now.

    Raise Outdated if the user is `other_than`, the operator: no operator acts on their own account.
    """
    if user == other_than:
        raise Outdated
    return User.objects.select_for_update(no_key=True).get(pk=user.pk)


# --- tokens, addresses, reports ---------------------------------------------------------------------------


@transaction.atomic
def end_token(token: Token, *, by: User, reason: str) -> None:
    """Revoke a program's token."""
    revoke_token(token)
    code = token.table.code if token.table else ""
    _note(by, Act.TOKEN_REVOKED, reason, table=code, user=token.user, about=token.name)


@transaction.atomic
def release_address(throttled: Throttled, *, by: User, reason: str) -> None:
    """Reset the counter of a client that exceeded a rate limit. The log names the limit, not the client."""
    _note(by, Act.ADDRESS_RELEASED, reason, about=throttled.kind)
    release(throttled)


@transaction.atomic
def close_report(report: Report, *, by: User, reason: str) -> None:
    """Close a report, and store `reason` as its note.

    The owners are not told, so that nobody looks for its sender.
    """
    held = Report.objects.select_for_update(no_key=True).get(pk=report.pk)
    if held.closed_at is not None:
        raise Outdated
    held.closed_at, held.note = now(), " ".join(reason.split())[:REASON_LENGTH]
    held.save(update_fields=["closed_at", "note"])
    _note(by, Act.REPORT_CLOSED, reason, about=f"{held.pk}")
