"""Remove a user from a table, revoke an invitation, and undo a removal or revocation.

A removal ends the user's grant, which is the user's role at the table. The invitations that the user made end
too, because the user could come back with one of them. Users who accepted those invitations stay, unless the
owner selects them too. An invitation for the removed user's own new phone ends as well. A *phone* stands for
the user who is signed in on it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.timezone import now

from games.locks import ChangedMeanwhile, revise
from games.models import Grant, Invite, Removal, Role, Table
from games.people.claims import claim, end_claim
from games.people.owners import check_owners, hold
from games.people.staying import keep_members
from games.scoring.errors import RuleError
from games.scoring.words import _


@dataclass(frozen=True)
class Ending:
    """The grants and invitations that a removal ends, and the grants of other users that it may end too.

    The grants in `others` end only if an owner selects them. Some came from the ended invitations. The rest,
    also in `phones`, are probably the same person's other phones, let in by a spare link (an owner's backup
    for a lost phone).
    """

    grants: Sequence[Grant]
    invites: Sequence[Invite]
    others: Sequence[Grant]
    phones: Sequence[Grant]


def ending_of(grant: Grant) -> Ending:
    """Return the grants and invitations that end when the user with this grant is removed."""
    return _ending(grant.table, _in_at(grant.table).filter(pk=grant.pk))


def ending_by_leaving(grant: Grant) -> Ending:
    """Return the grants and invitations that end when the user with this grant leaves.

    Unlike after a removal, the invitation that the user accepted stays valid.
    """
    ending = ending_of(grant)
    theirs = (grant.user_id,)
    made = [one for one in ending.invites if one.made_by_id in theirs or one.replaces_id in theirs]
    return replace(ending, invites=made)


def ending_with(invite: Invite) -> Ending:
    """Return the grants and other invitations that end when this invitation is revoked.

    These are all grants that the invitation gave, and the invitations of their users. If it is tonight's
    invitation, users whom somebody confirmed to be members stay.
    """
    came = _in_at(invite.table).filter(invite=invite)
    if invite.night is not None:
        members = invite.table.members.filter(claimed_at__isnull=False, user=OuterRef("user"))
        faces = invite.table.faces.filter(agreed_at__isnull=False, user=OuterRef("user"), night=invite.night)
        came = came.exclude(Exists(members) | Exists(faces))
    return _ending(invite.table, came, besides=invite)


@transaction.atomic
def put_out(grant: Grant, *, by: User, also: Collection[int] = ()) -> Removal:
    """Remove the user with this grant from the table, and end the user's invitations.

    `also` has the ids of other users' grants to end. Raise RuleError if the table would have no owner left,
    or if the first owner would be removed by another user.
    """
    table = hold(grant.table, by)
    ending = ending_of(grant)
    if not ending.grants:
        raise ChangedMeanwhile
    return end(table, ending, by=by, also=also)


@transaction.atomic
def revoke_invite(invite: Invite, *, by: User, also: Collection[int] = ()) -> Removal:
    """Revoke the invitation, and end the grants and other invitations in `ending_with`.

    `also` has the ids of other users' grants to end. The errors are those of `put_out`.
    """
    table = hold(invite.table, by)
    if not table.invites.filter(pk=invite.pk, revoked_at=None).exists():
        raise ChangedMeanwhile
    removal = end(table, ending_with(invite), by=by, also=also, invite=invite)
    table.invites.filter(pk=invite.pk).update(revoked_at=removal.made_at)
    return removal


def put_out_for(grant: Grant, invite: Invite) -> Removal:
    """Remove the lost phone with this grant. The phone that accepts the invitation takes its place.

    The caller holds the table's lock. The errors are those of `put_out`.
    """
    ending = _ending(grant.table, _in_at(grant.table).filter(pk=grant.pk), besides=invite)
    return end(grant.table, ending, by=invite.made_by, also=(), new_phone=invite)


@transaction.atomic
def undo_removal(removal: Removal, *, by: User) -> None:
    """Restore the grants and invitations that this removal ended. Raise RuleError unless `by` made it.

    A grant whose invitation was revoked since stays ended, as does an invitation whose maker is no longer an
    owner.
    """
    table = hold(removal.table, by)
    removal = table.removals.get(pk=removal.pk)
    if removal.undone_at is not None:  # a repeated tap
        return
    if removal.made_by_id != by.pk:
        raise RuleError(_("Only the person who did this can undo it."))
    removal.undone_at = now()
    removal.save(update_fields=["undone_at"])
    table.invites.filter(revocations=removal).update(revoked_at=None)
    grants = list(removal.grants.select_related("invite"))
    for grant in grants:
        grant.removal = _grant_removal_after_undo(grant, removal)
        grant.save(update_fields=["removal"])
    for invite in table.invites.filter(Q(removal=removal) | Q(revocations=removal)):
        invite.removal = _invite_removal_after_undo(invite, removal)
        invite.save(update_fields=["removal"])
    # Only now: an expired grant comes back only if its invitation has not ended.
    keep_members(table, [grant.user_id for grant in grants])
    if removal.new_phone is not None:
        _give_claim_back(removal.new_phone)


def _give_claim_back(invite: Invite) -> None:
    """Make the user of the lost phone the member again, after undoing its replacement by a new phone.

    `invite` is the invitation for the new phone. The new phone stays at the table until somebody removes it.
    Change nothing if a third user claims the member by now, or if the user of the lost phone claims another
    member.
    """
    member, user = invite.member, invite.replaces
    assert member is not None
    assert user is not None
    if member.merged_into is not None or member.user_id not in (None, invite.used_by_id):
        return
    if member.table.members.filter(user=user, merged_into=None).exists():
        return
    if invite.used_by_id is not None:
        member = end_claim(member, of=invite.used_by_id)
    claim(member, user, is_agreed=True)


def _in_at(table: Table) -> QuerySet[Grant]:
    """Return the valid grants of a table, oldest first."""
    return (
        table.grants.standing()
        .select_related("user", "invite__made_by", "invite__member")
        .order_by("made_at", "pk")
    )


def _ending(table: Table, out: Iterable[Grant], *, besides: Invite | None = None) -> Ending:
    grants = list(out)
    ended = table.invites.standing().filter(_of(grants)).select_related("made_by", "member")
    invites = [invite for invite in ended if invite != besides]
    everybody = list(_in_at(table))
    phones = _phones_of(grants, everybody)
    others = [*phones, *_came_by([*grants, *phones], everybody)]
    return Ending(grants, invites, sorted(others, key=lambda grant: (grant.made_at, grant.pk)), phones)


def _of(grants: Collection[Grant]) -> Q:
    """Return a filter for invitations by which the users of these grants could come back after a removal.

    These are the invitations that they made or accepted, and those for their own new phones.
    """
    users, came = {grant.user_id for grant in grants}, {grant.invite_id for grant in grants}
    return Q(made_by__in=users) | Q(replaces__in=users) | Q(pk__in=came)


def _phones_of(grants: Collection[Grant], everybody: Collection[Grant]) -> list[Grant]:
    """Return the grants of phones that probably belong to the same people as the phones with these `grants`.

    `everybody` has all valid grants of the table. Two phones are connected if the user of one accepted a
    spare invitation made on the other. Phones connected through further phones are included.
    """
    users, phones = {grant.user_id for grant in grants}, list(grants)
    while True:
        users |= {maker for grant in phones if (maker := _spare_maker(grant))}
        new_phones = [
            grant
            for grant in everybody
            if grant not in phones and (grant.user_id in users or _spare_maker(grant) in users)
        ]
        if not new_phones:
            return [grant for grant in phones if grant not in grants]
        phones += new_phones
        users |= {grant.user_id for grant in new_phones}


def _spare_maker(grant: Grant) -> int | None:
    return grant.invite.made_by_id if grant.invite and grant.invite.is_spare else None


def _came_by(grants: Collection[Grant], everybody: Collection[Grant]) -> list[Grant]:
    """Return the grants of users whom the users of these `grants` invited, oldest first.

    `everybody` has all valid grants of the table. Users invited by those users are included, and so on.
    """
    makers = {grant.user_id for grant in grants}
    arrivals: list[Grant] = []
    while True:
        new_arrivals = [
            grant
            for grant in everybody
            if grant not in grants
            and grant not in arrivals
            and grant.invite
            and grant.invite.made_by_id in makers
        ]
        if not new_arrivals:
            return sorted(arrivals, key=lambda grant: (grant.made_at, grant.pk))
        arrivals += new_arrivals
        makers |= {grant.user_id for grant in new_arrivals}


def end(
    table: Table,
    ending: Ending,
    *,
    by: User,
    also: Collection[int],
    invite: Invite | None = None,
    new_phone: Invite | None = None,
) -> Removal:
    """End the grants and invitations of `ending`, and those of its `others` whose ids are in `also`.

    `invite` is the invitation that is revoked, `new_phone` the one by which a new phone replaces a lost one.
    The caller holds the table's lock. Raise RuleError if no owner would be left.
    """
    named = [grant for grant in ending.others if grant.pk in also]
    out = [*ending.grants, *named]
    check_owners(table, without=out, by=by)
    removal = Removal.objects.create(table=table, made_by=by, invite=invite, new_phone=new_phone)
    ended = [*ending.invites, *table.invites.standing().filter(_of(named))]
    _end_rows(removal, out, ended)
    return removal


def _end_rows(removal: Removal, grants: Iterable[Grant], invites: Iterable[Invite]) -> None:
    """End these grants and invitations, and store that this removal ended them."""
    table = removal.table
    table.invites.filter(pk__in=[invite.pk for invite in invites]).update(removal=removal)
    ended = table.grants.filter(pk__in=[grant.pk for grant in grants])
    ended.update(removal=removal)
    revise(table)


def _grant_removal_after_undo(grant: Grant, removal: Removal) -> Removal | None:
    """Return the removal that keeps a grant ended after `removal` is undone, or None to restore the grant.

    A grant stays ended if its invitation is still revoked.
    """
    if grant.invite is None or grant.invite.revoked_at is None:
        return None
    return grant.invite.revocations.filter(undone_at=None).first() or removal


def _invite_removal_after_undo(invite: Invite, removal: Removal) -> Removal | None:
    """Return the removal that keeps an invitation ended after `removal` is undone, or None to restore it.

    An invitation stays ended if its maker is no longer an owner.
    """
    grants = invite.table.grants.filter(user=invite.made_by_id)
    if grants.standing().filter(role=Role.OWNER).exists():
        return None
    maker = grants.select_related("removal").first()
    return maker.removal if maker and maker.removal else removal
