"""A member's new phone (el celular nuevo): an owner lets in a user who takes the place of a lost phone.

The invitation (`invitations.make_new_phone`) names the member. The user who accepts it is the member from
then on, with the role that the lost phone had, and the lost phone is removed from this table. A *phone*
stands for the user who is signed in on it, and a *grant* is that user's role at the table.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib.auth.models import User

from games.models import Grant, Invite, Member, Role
from games.people.claims import check_is_nobody_else, claim, end_claim
from games.people.owners import check_owners
from games.people.removals import put_out_for
from games.scoring.errors import RuleError
from games.scoring.words import _


@dataclass(frozen=True)
class Replacement:
    """The role that a member's new phone gets, and the grant of the lost phone, which ends.

    `lost` is None if the lost phone has no access.
    """

    member: Member
    role: Role
    lost: Grant | None


def replacement_of(member: Member, *, by: User) -> Replacement:
    """Return the role that a new phone of this member would get, and the grant that would end.

    The new phone gets the role of the lost one. In place of a lost owner, though, it becomes an owner only if
    `by`, the owner who invites it, ranks before the lost owner; else it becomes a scorer. If the lost phone
    has no access now, the new one becomes a witness.

    Raise RuleError if `by` is the member, or may not remove the lost owner.
    """
    user = member.user_id if member.claimed_at is not None else None
    if user == by.pk:
        raise RuleError(_("You are {name} yourself: make a spare link for your own phone.", name=member.name))
    lost = None if user is None else member.table.grants.standing().filter(user=user).first()
    if lost is None:
        return Replacement(member, Role.WITNESS, None)
    check_owners(member.table, without=[lost], by=by)
    return Replacement(member, _role(lost, by), lost)


def check_user(invite: Invite, user: User) -> None:
    """Raise RuleError if this user may not accept the invitation for a member's new phone.

    The invitation's maker may not, nor the user whose phone was lost, nor a user who claims another member.
    """
    assert invite.member is not None
    if user.pk == invite.made_by_id:
        raise RuleError(_("You made this link: open it on the new phone of {name}.", name=invite.member.name))
    if user.pk == invite.replaces_id:
        raise RuleError(
            _("You are already {name} here: open the link on the new phone.", name=invite.member.name)
        )
    check_is_nobody_else(invite.member, user)


def still_means_the_same(invite: Invite) -> bool:
    """Return whether the invitation's maker may still replace the phone, and with the same role."""
    assert invite.member is not None
    try:
        return replacement_of(invite.member, by=invite.made_by).role == invite.role
    except RuleError:
        return False


def take_over(invite: Invite, user: User) -> Grant | None:
    """Make this user the member whom the invitation names, and remove the lost phone.

    Return the grant of the lost phone, which has ended; None if that phone had no access. The caller holds
    the table's lock.
    """
    assert invite.member is not None
    member, lost = invite.member, replacement_of(invite.member, by=invite.made_by).lost
    if lost is not None:
        put_out_for(lost, invite)
    if member.user_id is not None:
        member = end_claim(member, of=member.user_id)
    claim(member, user, is_agreed=True)
    return lost


def _role(lost: Grant, by: User) -> Role:
    role = Role(lost.role)
    if role is not Role.OWNER:
        return role
    ranks = list(lost.table.grants.owning().values_list("user", flat=True))
    return Role.OWNER if by.pk in ranks[: ranks.index(lost.user_id)] else Role.SCORER
