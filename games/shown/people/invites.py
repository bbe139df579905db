"""Invitations to a table and the people with access to it, in words.

A user's access is a grant, which gives a role: witness (may only watch), scorer (records too) or owner. A
removal ends somebody's access, the invitations that this person made, and the one they used. A token lets
another program act for the user who made it.
"""

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
from django.utils.translation import ngettext, pgettext

from games.models import Grant, Invite, Removal, Role, Table, Token
from games.names import isolated
from games.network import reachable_host
from games.people.invitations import LASTS
from games.people.leaving import left_by_themselves
from games.people.owners import first_owner
from games.people.removals import Ending
from games.rows import grouped
from games.shown.common.people import all_of, given_name

SPARE = "spare"  # beside the roles, the choice of a spare link: it opens the table on the user's next phone
MOST_LEFT = 50  # the most people listed who left, last first


@dataclass(frozen=True)
class Choice:
    """A choice in the HTML form of a new invitation or a new token."""

    value: str
    label: str
    help: str
    chosen: bool


@dataclass(frozen=True)
class LetIn:
    """A person with access to a table: their role, who let them in, and the start and end of the access.

    `is_first` marks the first owner, whom nobody else can remove. `programs` are the names of the tokens,
    valid for this table alone, that end when this person is removed; they are given only where the page shows
    them.
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
        """The end of the person's access, None if it has no end."""
        return self.grant.expires_at

    @property
    def is_owner(self) -> bool:
        """True for an owner of the table."""
        return self.grant.role == Role.OWNER

    @property
    def programs_in_words(self) -> str:
        """A sentence on the tokens that end when this person is removed; "" if no tokens do."""
        if not self.programs:
            return ""
        template = ngettext(
            "This also ends the token of a program: %(names)s",
            "This also ends the tokens of %(count)d programs: %(names)s",
            len(self.programs),
        )
        return template % {"count": len(self.programs), "names": ", ".join(self.programs)}


@dataclass(frozen=True)
class Gone:
    """A person who left the table, with their role and the time they left."""

    grant: Grant
    name: str
    role: str
    at: datetime


@dataclass(frozen=True)
class NewPhone:
    """A member's new phone, which replaced a lost one.

    `can_undo` is True if the user of the page removed the lost phone, and so may undo the removal.
    """

    removal: Removal
    name: str
    can_undo: bool

    @property
    def at(self) -> datetime:
        """The time at which the lost phone lost access."""
        return self.removal.made_at


@dataclass(frozen=True)
class StandingInvite:
    """An invitation that can be revoked: its role, its author, and the number of people who joined by it."""

    invite: Invite
    what: str
    by: str
    came: int


@dataclass(frozen=True)
class Asked:
    """The question before a removal: the people who would lose access (`out`), and the invitations that end.

    `others` are people whom the user may remove too by ticking them, each with True if they are ticked now.
    """

    out: Sequence[LetIn]
    invites: Sequence[StandingInvite]
    others: Sequence[tuple[LetIn, bool]]


@dataclass(frozen=True)
class Undoable:
    """A removal that was just made and can be undone, with a sentence about it."""

    removal: Removal
    sentence: str


def role_in_words(role: Role) -> str:
    """Return a label for this role, such as “recording”, which fits the word “you” as well as a name."""
    labels = {Role.WITNESS: _("watching"), Role.SCORER: _("recording"), Role.OWNER: _("owner of the table")}
    return labels[role]


def offer_in_words(role: Role) -> str:
    """Return a sentence on what a user who accepts an invitation to this role may do."""
    return {
        Role.WITNESS: _("Watch the score sheet live and report wrong hands."),
        Role.SCORER: _("Record and correct the rounds on your phone."),
        Role.OWNER: _("Own the table: record, and decide who else has access."),
    }[role]


def new_phone_in_words(role: Role) -> str:
    """Return a sentence for an owner on what a new phone, which replaces a lost one, may do in this role."""
    return {
        Role.WITNESS: _("The new phone can watch."),
        Role.SCORER: _("The new phone can record and correct."),
        Role.OWNER: _("The new phone owns the table, replacing the old one."),
    }[role]


def choices_of(chosen: str) -> Sequence[Choice]:
    """Return the choices for the kind of a new invitation: the roles, and a spare link.

    A spare link is for the user's own next phone. `chosen` is the value of the selected choice.
    """
    labels: Mapping[str, tuple[str, str]] = {
        Role.WITNESS: (pgettext("a role", "Watch"), _("The live sheet on their phones. Access ends after 24 hours unless you keep it.")),
        Role.SCORER: (_("Keep score"), _("They record and correct too. The link works once.")),
        Role.OWNER: (_("Own the table too"), _("All your permissions, on another person's phone. The link works once, for a week.")),
        SPARE: (_("Your own spare link"), _("If you lose this phone: opens the table on another one as yours. The link works once, for a year.")),
    }  # fmt: skip
    return [Choice(kind, label, help_, kind == chosen) for kind, (label, help_) in labels.items()]


def lasting_choices(chosen: str) -> Sequence[Choice]:
    """Return the choices for the lifetime of an invitation. `chosen` is the value of the selected one."""
    labels = {"hour": _("1 hour"), "day": _("24 hours"), "week": _("a week"), "year": _("a year")}
    return [Choice(lasts, labels[lasts], "", lasts == chosen) for lasts in LASTS]


def link_of(token: str, request: HttpRequest) -> str:
    """Return the link of the invitation with this token, with a host that other phones can reach."""
    host = reachable_host(request.get_host(), settings.ALLOWED_HOSTS)
    return f"{request.scheme}://{host}{reverse('invitation', args=[token])}"


def name_of(user: User) -> str:
    """Return the user's display name, or a stand-in if they gave none."""
    return given_name(user) or _("A person without a name")


def let_in(table: Table, me: User) -> Sequence[LetIn]:
    """Return everybody with access to the table: owners, then scorers, then witnesses.

    Owners are in the order of their rank: nobody else can remove the first. The user `me` is called “You”.
    """
    others = table.grants.standing().exclude(role=Role.OWNER).order_by("role", "made_at", "pk")
    return _shown([*_with_names(table.grants.owning()), *_with_names(others)], table, me)


def _with_names(grants: QuerySet[Grant]) -> QuerySet[Grant]:
    return grants.select_related("user", "invite__made_by", "invite__member")


def _shown(grants: Iterable[Grant], table: Table, me: User) -> Sequence[LetIn]:
    first = first_owner(table)
    return [
        LetIn(
            grant=grant,
            name=_("You") if grant.user == me else name_of(grant.user),
            role=role_in_words(grant.present_role),
            by=_let_in_by(grant, me),
            is_me=grant.user == me,
            is_first=grant == first,
        )
        for grant in grants
    ]


def _let_in_by(grant: Grant, me: User) -> str:
    """Return a text on how the person with this grant got access, such as `invited by Ana`.

    Return "" if they came without an invitation.
    """
    if grant.invite is None:
        return ""
    if grant.invite.is_spare:
        return _("by a spare link")
    if grant.invite.member is not None:
        return _("the new phone of %(name)s") % {"name": isolated(grant.invite.member.name)}
    if grant.invite.made_by == me:
        return _("invited by you")
    return _("invited by %(name)s") % {"name": name_of(grant.invite.made_by)}


def standing_invites(table: Table, me: User) -> Sequence[StandingInvite]:
    """Return the invitations of the table that can be revoked. The user `me` is called “you”.

    They are the valid ones, and those by which people with access joined.
    """
    came = Counter(table.grants.standing().values_list("invite", flat=True))
    standing = set(table.invites.standing().values_list("pk", flat=True))
    return [
        _invite_shown(invite, me, came[invite.pk])
        for invite in table.invites.filter(revoked_at=None).select_related("made_by", "member")
        if invite.pk in standing or came[invite.pk]
    ]


def _invite_shown(invite: Invite, me: User, came: int) -> StandingInvite:
    what = _("spare link") if invite.is_spare else role_in_words(Role(invite.role))
    if invite.member is not None:
        what = _("the new phone of %(name)s") % {"name": isolated(invite.member.name)}
    by = (
        _("made by you")
        if invite.made_by == me
        else _("made by %(name)s") % {"name": name_of(invite.made_by)}
    )
    return StandingInvite(invite, what, by, came)


def asked_of(table: Table, ending: Ending, me: User, *, named: Collection[int]) -> Asked:
    """Return the question before a removal, to the user `me`.

    `ending` has the grants and invitations that the removal would end. `named` are the ids of further grants
    that the user has ticked so far, to end them too.
    """
    others = _with_programs(_shown(ending.others, table, me), table)
    return Asked(
        out=_with_programs(_shown(ending.grants, table, me), table),
        invites=[_invite_shown(invite, me, 0) for invite in ending.invites],
        others=[
            (person, person.grant.pk in named) for person in others if not (person.is_me or person.is_first)
        ],
    )


def _with_programs(people: Sequence[LetIn], table: Table) -> Sequence[LetIn]:
    """Return the given people, each with the names of the tokens that end with their access to this table."""
    users = {person.grant.user_id for person in people}
    tokens = Token.objects.standing().filter(table=table, user__in=users)
    named = grouped(tokens.values_list("user", "name"))
    return [replace(person, programs=sorted(named.get(person.grant.user_id, ()))) for person in people]


def who_left(table: Table) -> Sequence[Gone]:
    """Return the people who left the table on their own, last first, at most `MOST_LEFT`."""
    gone = left_by_themselves(table)[:MOST_LEFT]
    return [
        Gone(grant, name_of(grant.user), role_in_words(Role(grant.role)), grant.removal.made_at)
        for grant in gone
        if grant.removal is not None
    ]


def new_phones(table: Table, me: User) -> Sequence[NewPhone]:
    """Return the phones that took the place of lost ones, last first. `me` is the user of the page."""
    replaced = table.removals.filter(new_phone__isnull=False, undone_at=None)
    replaced = replaced.select_related("new_phone__member")
    return [
        NewPhone(removal, isolated(removal.new_phone.member.name), removal.made_by_id == me.pk)
        for removal in replaced[:MOST_LEFT]
        if removal.new_phone is not None and removal.new_phone.member is not None
    ]


def undoable(removal: Removal) -> Undoable:
    """Return a removal together with a sentence that names the people and the invitation that it ended."""
    names = all_of([name_of(grant.user) for grant in removal.grants.select_related("user").order_by("pk")])
    if removal.invite is None:
        sentence = _("Without access now: %(names)s") % {"names": names}
    elif names:
        sentence = _("The invitation was revoked. Without access now: %(names)s") % {"names": names}
    else:
        sentence = _("The invitation was revoked.")
    return Undoable(removal, sentence)
