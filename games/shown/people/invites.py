"""Invitations and those let in, in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.conf import settings
from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.models import Grant, Invite, Removal, Role, Table, Token
from games.network import beside
from games.people.invitations import LASTS
from games.people.leaving import left_by_themselves
from games.people.owners import first_owner
from games.people.removals import Ending
from games.shown.common.people import called

SPARE = "spare"  # what an owner picks for a link of his own
MOST_LEFT = 50  # who left and are told of, the last ones


@dataclass(frozen=True)
class Choice:
    """Something an owner picks for a new invitation."""

    value: str
    label: str
    help: str
    chosen: bool


@dataclass(frozen=True)
class LetIn:
    """Somebody who is let in at a table, as what, by whom, since when and until when.

    `is_first` says that nobody else removes him. `programs` are the tokens for this table alone that end with him, by
    name, where that is asked.
    """

    grant: Grant
    name: str
    role: str
    by: str
    is_me: bool
    is_first: bool
    programs: Sequence[str] = ()

    @property
    def until(self) -> datetime | None:
        """When it ends, None for whoever stays."""
        return self.grant.expires_at

    @property
    def is_owner(self) -> bool:
        """Whether he owns the table."""
        return self.grant.role == Role.OWNER

    @property
    def programs_in_words(self) -> str:
        """How many tokens of programs end with him, and which; "" for none."""
        if not self.programs:
            return ""
        said = ngettext(
            "With them ends the token of a program: %(names)s",
            "With them end the tokens of %(count)d programs: %(names)s",
            len(self.programs),
        )
        return said % {"count": len(self.programs), "names": ", ".join(self.programs)}


@dataclass(frozen=True)
class Gone:
    """Somebody who left, what he was here for, and when."""

    grant: Grant
    name: str
    role: str
    at: datetime


@dataclass(frozen=True)
class StandingInvite:
    """An invitation that still lets somebody in: to what, made by whom, and how many came in by it."""

    invite: Invite
    what: str
    by: str
    came: int


@dataclass(frozen=True)
class Asked:
    """What an owner is asked before something ends: who is out, what lets nobody in then, and who stays unless ticked."""

    out: Sequence[LetIn]
    invites: Sequence[StandingInvite]
    others: Sequence[tuple[LetIn, bool]]


@dataclass(frozen=True)
class Undoable:
    """What was just ended, in words."""

    removal: Removal
    said: str


def role_in_words(role: Role) -> str:
    """What somebody with this role is here for; it fits “you” as well as a name."""
    said = {Role.WITNESS: _("watching"), Role.SCORER: _("recording"), Role.OWNER: _("owner of the table")}
    return said[role]


def offer_in_words(role: Role) -> str:
    """What an invitation to this role offers."""
    return {
        Role.WITNESS: _("Watch the scoresheet live, and say when a hand is wrong."),
        Role.SCORER: _("Record and correct the rounds on your phone."),
        Role.OWNER: _("Own the table: record, and decide who else is let in."),
    }[role]


def choices_of(chosen: str) -> Sequence[Choice]:
    """What an invitation may let somebody do."""
    said: Mapping[str, tuple[str, str]] = {
        Role.WITNESS: (_("Watch"), _("The sheet on their phone, live. Ends after 24 hours, unless you let them stay.")),
        Role.SCORER: (_("Hand the pen over"), _("They record and correct too. For one phone.")),
        Role.OWNER: (_("Own the table too"), _("Everything you may do, on somebody else’s phone. One use, seven days.")),
        SPARE: (_("Your own spare link"), _("Should this phone get lost: it opens the table on another, as yours. One use, a year.")),
    }  # fmt: skip
    return [Choice(kind, label, help_, kind == chosen) for kind, (label, help_) in said.items()]


def lasting_choices(chosen: str) -> Sequence[Choice]:
    """How long an invitation may be accepted."""
    said = {"hour": _("1 hour"), "day": _("24 hours"), "week": _("a week"), "year": _("a year")}
    return [Choice(lasts, said[lasts], "", lasts == chosen) for lasts in LASTS]


def link_of(token: str, request: HttpRequest) -> str:
    """The link of the invitation with this token, as other phones open it."""
    host = beside(request.get_host(), settings.ALLOWED_HOSTS)
    return f"{request.scheme}://{host}{reverse('invitation', args=[token])}"


def name_of(user: User) -> str:
    """What somebody let in calls himself, also where he does not say."""
    return called(user) or _("Somebody without a name")


def let_in(table: Table, me: User) -> Sequence[LetIn]:
    """Everybody who is let in now: the owners in their order, then those who record, then those who watch."""
    others = table.grants.standing().exclude(role=Role.OWNER).order_by("role", "made_at", "pk")
    return _shown([*_with_names(table.grants.owning()), *_with_names(others)], table, me)


def _with_names(grants: QuerySet[Grant]) -> QuerySet[Grant]:
    return grants.select_related("user", "invite__made_by")


def _shown(grants: Iterable[Grant], table: Table, me: User) -> Sequence[LetIn]:
    first = first_owner(table)
    return [
        LetIn(
            grant=grant,
            name=_("You") if grant.user == me else name_of(grant.user),
            role=role_in_words(Role(grant.role)),
            by=_let_in_by(grant, me),
            is_me=grant.user == me,
            is_first=grant == first,
        )
        for grant in grants
    ]


def _let_in_by(grant: Grant, me: User) -> str:
    """Who let somebody in, "" where nobody did."""
    if grant.invite is None:
        return ""
    if grant.invite.is_spare:
        return _("by a spare link")
    if grant.invite.made_by == me:
        return _("let in by you")
    return _("let in by %(name)s") % {"name": name_of(grant.invite.made_by)}


def standing_invites(table: Table, me: User) -> Sequence[StandingInvite]:
    """The invitations that can be revoked: those that still let somebody in, or somebody in by them is still there."""
    came = Counter(table.grants.standing().values_list("invite", flat=True))
    standing = set(table.invites.standing().values_list("pk", flat=True))
    return [
        _invite_shown(invite, me, came[invite.pk])
        for invite in table.invites.filter(revoked_at=None).select_related("made_by")
        if invite.pk in standing or came[invite.pk]
    ]


def _invite_shown(invite: Invite, me: User, came: int) -> StandingInvite:
    what = _("spare link") if invite.is_spare else role_in_words(Role(invite.role))
    by = (
        _("made by you")
        if invite.made_by == me
        else _("made by %(name)s") % {"name": name_of(invite.made_by)}
    )
    return StandingInvite(invite, what, by, came)


def asked_of(table: Table, ending: Ending, me: User, *, named: Collection[int]) -> Asked:
    """What an owner is asked before this ends; `named` are the grants ticked already."""
    others = _with_programs(_shown(ending.others, table, me), table)
    return Asked(
        out=_with_programs(_shown(ending.grants, table, me), table),
        invites=[_invite_shown(invite, me, 0) for invite in ending.invites],
        others=[(one, one.grant.pk in named) for one in others if not (one.is_me or one.is_first)],
    )


def _with_programs(people: Sequence[LetIn], table: Table) -> Sequence[LetIn]:
    """These people, each with the tokens for this table that open nothing without the grant."""
    users = {one.grant.user_id for one in people}
    named: dict[int, list[str]] = {}
    for user, name in (
        Token.objects.standing().filter(table=table, user__in=users).values_list("user", "name")
    ):
        named.setdefault(user, []).append(name)
    return [replace(one, programs=sorted(named.get(one.grant.user_id, ()))) for one in people]


def who_left(table: Table) -> Sequence[Gone]:
    """Who ended what they may do here themselves, the last one first."""
    gone = left_by_themselves(table)[:MOST_LEFT]
    return [
        Gone(grant, name_of(grant.user), role_in_words(Role(grant.role)), grant.removal.made_at)
        for grant in gone
        if grant.removal is not None
    ]


def undoable(removal: Removal) -> Undoable:
    """What this removal ended, in words."""
    names = ", ".join(name_of(grant.user) for grant in removal.grants.select_related("user"))
    if removal.invite is None:
        said = _("Removed: %(names)s") % {"names": names}
    elif names:
        said = _("The invitation was revoked. Removed: %(names)s") % {"names": names}
    else:
        said = _("The invitation was revoked.")
    return Undoable(removal, said)
