"""Tables and users that an operator suspended. The operator's own services are in `games/desk`."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from games.locks import lock, revise
from games.models import Act, OperatorAct, Role, Table
from games.people.users import DELETED

# The acts that the owners of a table read on its page.
TOLD = (Act.TABLE_SUSPENDED, Act.TABLE_RELEASED, Act.TABLE_ERASED, Act.TABLE_BACK, Act.TOKEN_REVOKED)
MOST_TOLD = 10


class TableSuspended(Exception):
    """Raised for everybody with access to a suspended table. The answer is 503, so phones keep their entries.

    `role` is the reader's role at the table, None for somebody with an invitation.
    """

    def __init__(self, table: Table, role: Role | None = None) -> None:
        super().__init__(table.code)
        self.table, self.role = table, role


def check_not_suspended(table: Table, role: Role | None = None) -> None:
    """Raise TableSuspended for a suspended table. `role` is the user's role, which the exception gets."""
    if table.suspended_at is not None:
        raise TableSuspended(table, role)


def has_suspended_table(user: User) -> bool:
    """Return whether one of this user's tables is suspended."""
    suspended = user.grants.standing().filter(table__suspended_at__isnull=False)
    return suspended.filter(table__erased_at=None).exists()


def acts_told(table: Table) -> Sequence[OperatorAct]:
    """Return the last acts of operators on this table that its owners may read about, newest first."""
    return list(OperatorAct.objects.filter(table_code=table.code, what__in=TOLD)[:MOST_TOLD])


def suspension_of(user: User | int) -> OperatorAct | None:
    """Return the act that suspended this user, or None if the user is not suspended.

    Deleted accounts are inactive too, and so are users who only exist because an imported file names them.
    Neither are suspended.
    """
    acts = OperatorAct.objects.filter(user=user, user__is_active=False)
    # Users may delete their own account, without an operator's act.
    acts = acts.exclude(user__username__startswith=DELETED)
    last = acts.filter(what__in=(Act.USER_SUSPENDED, Act.USER_RELEASED, Act.USER_DELETED)).first()
    return last if last is not None and last.what == Act.USER_SUSPENDED else None


# --- after a backup was restored --------------------------------------------------------------------------


@transaction.atomic
def suspend_table_again(table: Table, *, at: datetime) -> bool:
    """Suspend a table again, if a restored backup has it as not suspended. Return whether this was needed.

    `at` is the moment at which the operator had suspended it.
    """
    return _set_suspended(table, at, Act.TABLE_SUSPENDED, at=at) if table.suspended_at is None else False


@transaction.atomic
def release_table_again(table: Table, *, at: datetime) -> bool:
    """End a table's suspension again, if a restored backup still has it. Return whether this was needed.

    `at` is the moment at which the operator had ended it. A suspension that began later stays.
    """
    if table.suspended_at is None or table.suspended_at > at:
        return False
    return _set_suspended(table, None, Act.TABLE_RELEASED, at=at)


def _set_suspended(table: Table, since: datetime | None, act: Act, *, at: datetime) -> bool:
    held = lock(table)
    held.suspended_at = since
    held.save(update_fields=["suspended_at"])
    revise(held)
    OperatorAct.objects.create(what=act, table_code=held.code, made_at=at, reason=_lost_reason())
    return True


@transaction.atomic
def suspend_user_again(user: User, *, at: datetime) -> bool:
    """Suspend a user again, if a restored backup has the user as active. Return whether this was needed.

    `at` is the moment at which the operator had suspended them.
    """
    return _set_active(user, False, Act.USER_SUSPENDED, at=at) if user.is_active else False


@transaction.atomic
def release_user_again(user: User, *, at: datetime) -> bool:
    """End a user's suspension again, if a restored backup still has it. Return whether this was needed.

    `at` is the moment at which the operator had ended it. A suspension that began later stays.
    """
    act = suspension_of(user)
    if act is None or act.made_at > at:
        return False
    return _set_active(user, True, Act.USER_RELEASED, at=at)


def _set_active(user: User, is_active: bool, act: Act, *, at: datetime) -> bool:
    user.is_active = is_active
    user.save(update_fields=["is_active"])
    OperatorAct.objects.create(what=act, user=user, made_at=at, reason=_lost_reason())
    return True


def _lost_reason() -> str:
    """Return the text that replaces the operator's reason.

    Tombstones, the notes of acts by which a restored backup is corrected, do not store the reason.
    """
    return _("The reason was lost when a backup was restored.")
