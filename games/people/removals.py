"""Remove a person, revoke an invitation, and undo either.

A removed person's invitations end too, because they could come back by one of them. People who accepted those
invitations stay, unless they are named.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.timezone import now

from games.locks import revise
from games.models import Grant, Invite, Removal, Role, Table
from games.people.owners import check_owners, hold
from games.scoring.errors import RuleError
from games.scoring.words import _


@dataclass(frozen=True)
class Ending:
    """The grants and invitations a removal ends, and the people who may be removed too but stay unless named.

    Those `others` came in by these invitations, or are the same person's other `phones`, linked by spare
    links.
    """

    grants: Sequence[Grant]
    invites: Sequence[Invite]
    others: Sequence[Grant]
    phones: Sequence[Grant]


def ending_of(grant: Grant) -> Ending:
    """Return what ends when this person is removed."""
    return _ending(grant.table, _in_at(grant.table).filter(pk=grant.pk))


def ending_by_leaving(grant: Grant) -> Ending:
    """Return what ends when this person leaves. Unlike a removal, the invitation they came by stays valid."""
    ending = ending_of(grant)
    made = [invite for invite in ending.invites if invite.made_by_id == grant.user_id]
    return replace(ending, invites=made)


def ending_with(invite: Invite) -> Ending:
    """Return what ends when this invitation is revoked: every grant it made."""
    return _ending(invite.table, _in_at(invite.table).filter(invite=invite), besides=invite)


@transaction.atomic
def put_out(grant: Grant, *, by: User, also: Collection[int] = ()) -> Removal:
    """Remove a person from a table, with their invitations and the grants of others listed in `also`.

    Raise RuleError if the table would be left without an owner, or without its first one.
    """
    table = hold(grant.table, by)
    ending = ending_of(grant)
    if not ending.grants:
        raise RuleError(_("This has changed meanwhile. Look again."))
    return end(table, ending, by=by, also=also)


@transaction.atomic
def revoke_invite(invite: Invite, *, by: User, also: Collection[int] = ()) -> Removal:
    """End the invitation and every grant it made, under the same conditions as `put_out`."""
    table = hold(invite.table, by)
    if not table.invites.filter(pk=invite.pk, revoked_at=None).exists():
        raise RuleError(_("This has changed meanwhile. Look again."))
    removal = end(table, ending_with(invite), by=by, also=also, invite=invite)
    table.invites.filter(pk=invite.pk).update(revoked_at=removal.made_at)
    return removal


@transaction.atomic
def undo_removal(removal: Removal, *, by: User) -> None:
    """Restore what this removal ended, for the user who made it. What was ended again since stays ended."""
    table = hold(removal.table, by)
    removal = table.removals.get(pk=removal.pk)
    if removal.undone_at is not None:  # a repeated tap
        return
    if removal.made_by_id != by.pk:
        raise RuleError(_("Only who did this can undo it."))
    removal.undone_at = now()
    removal.save(update_fields=["undone_at"])
    table.invites.filter(revocations=removal).update(revoked_at=None)
    for grant in removal.grants.select_related("invite"):
        grant.removal = _grant_removal_after_undo(grant, removal)
        grant.save(update_fields=["removal"])
    for invite in table.invites.filter(Q(removal=removal) | Q(revocations=removal)):
        invite.removal = _invite_removal_after_undo(invite, removal)
        invite.save(update_fields=["removal"])


def _in_at(table: Table) -> QuerySet[Grant]:
    return table.grants.standing().select_related("user", "invite__made_by").order_by("made_at", "pk")


def _ending(table: Table, out: Iterable[Grant], *, besides: Invite | None = None) -> Ending:
    grants = list(out)
    ended = table.invites.standing().filter(_of(grants)).select_related("made_by")
    invites = [invite for invite in ended if invite != besides]
    everybody = list(_in_at(table))
    phones = _phones_of(grants, everybody)
    others = [*phones, *_came_by([*grants, *phones], everybody)]
    return Ending(grants, invites, sorted(others, key=lambda grant: (grant.made_at, grant.pk)), phones)


def _of(grants: Collection[Grant]) -> Q:
    """Match the invitations by which these people could come back: the ones they made and came by."""
    makers, came = {grant.user_id for grant in grants}, {grant.invite_id for grant in grants}
    return Q(made_by__in=makers) | Q(pk__in=came)


def _phones_of(grants: Collection[Grant], everybody: Collection[Grant]) -> list[Grant]:
    """Return the probable other phones of these people: linked by a spare link, in either direction."""
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
    """Return the grants made by the invitations of these people, directly or through others, in order."""
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
    table: Table, ending: Ending, *, by: User, also: Collection[int], invite: Invite | None = None
) -> Removal:
    """End this and the `others` named, at a locked table. Raise RuleError if no owner would be left."""
    named = [grant for grant in ending.others if grant.pk in also]
    out = [*ending.grants, *named]
    check_owners(table, without=out, by=by)
    removal = Removal.objects.create(table=table, made_by=by, invite=invite)
    ended = [*ending.invites, *table.invites.standing().filter(_of(named))]
    table.invites.filter(pk__in=[one.pk for one in ended]).update(removal=removal)
    table.grants.filter(pk__in=[grant.pk for grant in out]).update(removal=removal)
    revise(table)
    return removal


def _grant_removal_after_undo(grant: Grant, removal: Removal) -> Removal | None:
    """Return the removal that keeps a grant ended after this undo: its invitation was revoked since."""
    if grant.invite is None or grant.invite.revoked_at is None:
        return None
    return grant.invite.revocations.filter(undone_at=None).first() or removal


def _invite_removal_after_undo(invite: Invite, removal: Removal) -> Removal | None:
    """Return the removal that keeps an invitation ended: its maker no longer owns the table."""
    grants = invite.table.grants.filter(user=invite.made_by_id)
    if grants.standing().filter(role=Role.OWNER).exists():
        return None
    maker = grants.select_related("removal").first()
    return maker.removal if maker and maker.removal else removal
