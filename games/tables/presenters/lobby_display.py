"""The lobby (la sala) as a user sees it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.contrib.auth.models import User
from django.utils.timezone import now
from django.utils.translation import gettext as _

from games.common import naming, roles
from games.common.naming import Person
from games.models import Access, Member, Role
from games.tables.presenters import claim_list, phone_labels
from games.tables.presenters.claim_list import ClaimItem
from games.tables.presenters.phone_labels import PhoneItem
from games.tables.services import confirmations, roster
from games.tables.services.lobby import LobbySnapshot

JUST_NOW = timedelta(seconds=6)  # somewhat longer than the poll interval


@dataclass(frozen=True)
class MemberItem:
    """A member in the lobby, with a label for their phone: theirs, pending, or none."""

    person: Person
    looks: str = ""  # CSS classes of the face: "new" makes it light up for a moment
    label: str = ""


@dataclass(frozen=True)
class LobbyContext:
    faces: Sequence[MemberItem]
    claims: Sequence[ClaimItem]
    others: Sequence[PhoneItem]  # the phones without a member or a name
    simple_claims: Sequence[Access] = ()  # those that one key confirms, if there are several
    confirm_label: str = ""  # its label, which names them
    lasts: bool = True  # whether this user's yes lasts


def lobby_context(snapshot: LobbySnapshot, me: User, role: Role) -> LobbyContext:
    """Return the lobby as this user sees it.

    Owners and scorers see all pending claims and each member's role; other members see only the claims about
    an owner's new phone that they may answer. Only owners see phones without a member.
    """
    phones, writes, mine = snapshot.phones, role in roles.WRITERS, snapshot.of(me)
    faceless = [phone for phone in phones if phone.person is None and not phone.name and phone.user != me]
    simple = (
        confirmations.simple_claims(phones, mine, active_count=len(snapshot.members))
        if writes and mine
        else ()
    )
    simple = simple if len(simple) > 1 else ()
    return LobbyContext(
        faces=[_member_item(member, phones, me, shows_roles=writes) for member in snapshot.members],
        claims=(claim_list.claim_items if writes else claim_list.new_phone_items)(snapshot, me),
        others=phone_labels.distinguish([phone_labels.phone_item(phone, me) for phone in faceless])
        if role is Role.OWNER
        else (),
        simple_claims=simple,
        confirm_label=_confirm_label(simple),
        lasts=mine is None or mine.until is None,
    )


MOST_NAMED = 4  # people whom a key names; it counts more of them


def _confirm_label(claims: Sequence[Access]) -> str:
    if len(claims) > MOST_NAMED:
        return _("It's all %(count)s") % {"count": len(claims)}
    return _("It's %(names)s") % {
        "names": naming.join_names([claim.person.name for claim in claims if claim.person])
    }


def _member_item(member: Member, phones: Sequence[Access], me: User, *, shows_roles: bool) -> MemberItem:
    theirs = [phone for phone in phones if phone.person == member]
    if not theirs:
        return MemberItem(roster.to_person(member), label=_("no phone here"))
    confirmed = next((phone for phone in theirs if phone.is_confirmed), None)
    came = max(phone.confirmed_at or phone.made_at for phone in theirs)
    mine = next((phone for phone in theirs if phone.user == me), None)
    if confirmed is None or (mine is not None and not mine.is_confirmed):
        label = _("unconfirmed")
    elif mine is not None:
        label = _("this phone")
    else:
        label = phone_labels.access_label(confirmed) if shows_roles else ""
    state = "asks" if confirmed is None else "here"
    looks = f"{state} new" if came > now() - JUST_NOW else state
    return MemberItem(roster.to_person(member), looks, label)
