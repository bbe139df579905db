"""Claims, *I am Ana* (soy Ana): a user claims to be a member, and an owner of the table confirms it.

A member is a player of the table, who need not be a user.
"""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import OuterRef, QuerySet
from django.utils.timezone import now

from games.locks import ChangedMeanwhile, lock, raise_version
from games.models import Member, Table
from games.people.staying import keep_members
from games.scoring.errors import RuleError
from games.scoring.words import _


def waiting_claims(table: Table | OuterRef) -> QuerySet[Member]:
    """Return the members with a claim that no owner has confirmed yet."""
    return Member.objects.filter(table=table, user__isnull=False, claimed_at=None, merged_into=None)


@transaction.atomic
def claim(member: Member, user: User, *, is_agreed: bool) -> Member:
    """Claim a member for this user. With `is_agreed`, as for an owner's own claim, confirm the claim at once.

    If the user claims this member already, change nothing. Raise RuleError if the user claims another member,
    or if another user claims this one. Return the member.
    """
    _hold(member)
    if member.user_id == user.pk:
        return member
    check_is_nobody_else(member, user)
    if member.user_id is not None:
        raise RuleError(_("Another user says they are {name}. Ask an owner of the table.", name=member.name))
    member.user, member.claimed_at = user, now() if is_agreed else None
    return _keep(member)


def check_is_nobody_else(member: Member, user: User) -> None:
    """Raise RuleError if this user claims a member of the table other than `member`."""
    other = member.table.members.filter(user=user, merged_into=None).exclude(pk=member.pk).first()
    if other is not None:
        raise RuleError(
            _("You are already {name} here. To change that, first say that you are not.", name=other.name)
        )


@transaction.atomic
def accept_claim(member: Member, *, of: int) -> Member:
    """Confirm the claim of the user with the id `of` to be this member. Their access no longer expires.

    Return the member. Raise ChangedMeanwhile if the user no longer claims the member.
    """
    _hold(member)
    if member.user_id != of:
        raise ChangedMeanwhile
    if member.claimed_at is None:
        member.claimed_at = now()
        _keep(member)
    return member


@transaction.atomic
def end_claim(member: Member, *, of: int) -> Member:
    """End the claim of the user with the id `of` to be this member, and return the member.

    If the user does not claim the member, change nothing. The user's access stays as it is.
    """
    _hold(member)
    if member.user_id == of:
        _let_go(member)
    return member


def end_claims(table: Table, user: User) -> None:
    """End every claim of this user at the table. The caller holds the table's lock."""
    for member in table.members.filter(user=user):
        _let_go(member)


def _let_go(member: Member) -> None:
    member.merged.update(gave_claim=False)  # undoing a merge must not restore an ended claim
    member.user = member.claimed_at = None
    _keep(member)


def _keep(member: Member) -> Member:
    """Store the changed claim of a member, and return the member.

    A confirmed claim makes its user's access permanent.
    """
    member.save(update_fields=["user", "claimed_at"])
    if member.claimed_at is not None:
        keep_members(member.table, [member.user_id])
    raise_version(member.table)
    return member


def _hold(member: Member) -> None:
    """Lock the member's table, and update `member` from the database."""
    lock(member.table)
    member.refresh_from_db()
