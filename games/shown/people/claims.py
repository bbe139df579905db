"""Users' claims to be members, as an owner of the table sees them.

A member is a name in the table's lists; a user claims to be that person, and an owner confirms it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from games.models import Member
from games.shown.common.members import person_of
from games.shown.common.people import Person, given_name


@dataclass(frozen=True)
class Claim:
    """A user's claim to be a member.

    `of` is the user's id, which the form with the owner's answer sends. `is_agreed` is True if an owner
    confirmed the claim.
    """

    person: Person
    who: str
    of: int
    is_agreed: bool


def claims_of(members: Iterable[Member], *, besides: User) -> tuple[Claim, ...]:
    """Return the users' claims to be one of `members`, unconfirmed ones first.

    Claims of the user `besides` are left out.
    """
    claims = (
        Claim(
            person_of(member),
            f"“{name}”" if (name := given_name(member.user)) else _("A person without a name"),
            member.user.pk,
            member.claimed_at is not None,
        )
        for member in members
        if member.user is not None and member.user != besides
    )
    return tuple(sorted(claims, key=lambda claim: claim.is_agreed))
