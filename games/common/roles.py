"""The roles that an act needs, and the refusal for a user whose role is too low."""

from __future__ import annotations

from collections.abc import Collection

from django.core.exceptions import PermissionDenied
from django.utils.translation import gettext

from games.models import BY_STRENGTH, Role

WRITERS = (Role.OWNER, Role.SCORER)


class RoleMissing(PermissionDenied):
    """Raised for a user whose role is too low; `needed` is the lowest role that suffices."""

    def __init__(self, message: str, *, needed: Role) -> None:
        super().__init__(message)
        self.needed = needed


def check_role(role: Role, needed: Collection[Role]) -> Role:
    """Return the role if it is among the needed ones, else raise RoleMissing.

    Who only watches gets no message: the page itself explains that they only watch.
    """
    if role not in needed:
        raise RoleMissing(owners_only() if role in WRITERS else "", needed=min(needed, key=BY_STRENGTH.index))
    return role


def owners_only() -> str:
    """Return the message for a scorer who asks for what only owners do."""
    return gettext("Only an owner of the table can do that.")
