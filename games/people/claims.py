"""*I am Ana* (soy Ana): which member a user is, claimed by himself and agreed to by an owner of the table."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import OuterRef, QuerySet
from django.utils.timezone import now

from games.changes import tell
from games.locks import lock
from games.models import Change, Member, Table, What
from games.scoring.errors import RuleError
from games.scoring.words import _


def waiting_claims(table: Table | OuterRef) -> QuerySet[Member]:
    """The members whom somebody claims to be without an owner's word yet."""
    return Member.objects.filter(table=table, user__isnull=False, claimed_at=None, merged_into=None)


@transaction.atomic
def claim(member: Member, user: User, *, is_agreed: bool) -> Member:
    """The member, claimed by this user; it counts where it `is_agreed`, as what an owner says of himself is."""
    _hold(member)
    if member.user_id == user.pk:
        return member
    other = member.table.members.filter(user=user, merged_into=None).first()
    if other is not None:
        raise RuleError(_("You are already {name}. First say that you are not.", name=other.name))
    if member.user_id is not None:
        raise RuleError(
            _("Somebody else says they are {name}. An owner of the table can look into it.", name=member.name)
        )
    member.user, member.claimed_at = user, now() if is_agreed else None
    return _keep(member)


@transaction.atomic
def accept_claim(member: Member, *, of: int) -> Member:
    """The member, who is this user from now on; RuleError where the user does not say so any more."""
    _hold(member)
    if member.user_id != of:
        raise RuleError(_("This has changed meanwhile. Look again."))
    if member.claimed_at is None:
        member.claimed_at = now()
        _keep(member)
    return member


@transaction.atomic
def end_claim(member: Member, *, of: int) -> Member:
    """The member, who is this user no longer."""
    _hold(member)
    if member.user_id == of:
        _let_go(member)
    return member


def end_claims(table: Table, user: User) -> None:
    """Frees whoever this user is at the table; call it inside the transaction that holds the table."""
    for member in table.members.filter(user=user):
        _let_go(member)


def _let_go(member: Member) -> None:
    member.merged.update(gave_claim=False)  # there is nothing to give back any more
    member.user = member.claimed_at = None
    _keep(member)


def _keep(member: Member) -> Member:
    member.save(update_fields=["user", "claimed_at"])
    tell(member.table, Change(what=What.CLAIMS_CHANGED, member=member))
    return member


def _hold(member: Member) -> None:
    """Holds the member's table and reads what others may have said."""
    lock(member.table)
    member.refresh_from_db()
