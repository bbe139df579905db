"""Invitations and those let in, in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.db.models import Exists, OuterRef
from django.utils.translation import gettext as _

from games.invitations import LASTS
from games.models import Grant, Invite, Role, Table
from games.shown.flags import called


@dataclass(frozen=True)
class Choice:
    """Something an owner picks for a new invitation."""

    value: str
    label: str
    help: str
    chosen: bool


@dataclass(frozen=True)
class LetIn:
    """Somebody who is let in at a table, as what, since when and until when."""

    grant: Grant
    name: str
    role: str
    is_me: bool
    until: datetime | None


@dataclass(frozen=True)
class StandingInvite:
    """An invitation that still lets somebody in, and how many came in by it."""

    invite: Invite
    role: str
    came: int


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
    said: Mapping[Role, tuple[str, str]] = {
        Role.WITNESS: (_("Watch"), _("The sheet on their phone, live. Ends after 24 hours, unless you let them stay.")),
        Role.SCORER: (_("Hand the pen over"), _("They record and correct too. For one phone.")),
        Role.OWNER: (_("Own the table too"), _("Everything you may do, on one more phone: theirs, or yours.")),
    }  # fmt: skip
    return [Choice(role, label, help_, role == chosen) for role, (label, help_) in said.items()]


def lasting_choices(chosen: str) -> Sequence[Choice]:
    """How long an invitation may be accepted."""
    said = {"hour": _("1 hour"), "day": _("24 hours"), "week": _("a week"), "year": _("a year")}
    return [Choice(lasts, said[lasts], "", lasts == chosen) for lasts in LASTS]


def let_in(table: Table, me: User) -> Sequence[LetIn]:
    """Everybody who is let in now, owners first, then those who record."""
    order = (Role.OWNER, Role.SCORER, Role.WITNESS)
    grants = sorted(
        table.grants.standing().select_related("user").order_by("made_at", "pk"),
        key=lambda grant: order.index(Role(grant.role)),
    )
    return [
        LetIn(
            grant=grant,
            name=called(grant.user),
            role=role_in_words(Role(grant.role)),
            is_me=grant.user == me,
            until=grant.expires_at,
        )
        for grant in grants
    ]


def standing_invites(table: Table) -> Sequence[StandingInvite]:
    """The invitations that can be revoked: those that still let somebody in, or somebody in by them is still there."""
    came = Counter(table.grants.standing().values_list("invite", flat=True))
    standing = set(table.invites.standing().values_list("pk", flat=True))
    return [
        StandingInvite(invite, role_in_words(Role(invite.role)), came[invite.pk])
        for invite in table.invites.filter(revoked_at=None)
        if invite.pk in standing or came[invite.pk]
    ]


def only_ways_in(tables: Iterable[Table], me: User) -> Collection[int]:
    """The ids of the tables that would be lost with this phone, of those that are mine.

    No password, no other owner, no invitation to own it.
    """
    if me.has_usable_password():
        return ()
    owners = Grant.objects.standing().filter(table=OuterRef("pk"), role=Role.OWNER)
    invites = Invite.objects.standing().filter(table=OuterRef("pk"), role=Role.OWNER)
    mine = Table.objects.filter(pk__in=[table.pk for table in tables])
    lost = mine.filter(Exists(owners.filter(user=me)), ~Exists(owners.exclude(user=me)), ~Exists(invites))
    return set(lost.values_list("pk", flat=True))
