"""The roles that an action needs, the refusal for a user whose role is too low, and limits on members."""

from __future__ import annotations

from collections.abc import Collection

from django.core.exceptions import PermissionDenied
from django.utils.translation import gettext

from games.models import BY_STRENGTH, MOST_ACTIVE, MOST_MEMBERS, Role, Table
from games.scoring.errors import RuleError
from games.scoring.i18n import _

WRITERS = (Role.OWNER, Role.SCORER)


class RoleRequired(PermissionDenied):
    """The user's role is too low; `needed` is the lowest role that suffices."""

    def __init__(self, message: str, *, needed: Role) -> None:
        super().__init__(message)
        self.needed = needed


def check_role(role: Role, needed: Collection[Role]) -> Role:
    """Return the role, or raise RoleRequired if it is not among the needed ones.

    A viewer gets no message: the page itself explains that they only watch.
    """
    if role not in needed:
        message = gettext("Only a table owner can do that.") if role in WRITERS else ""
        raise RoleRequired(message, needed=min(needed, key=BY_STRENGTH.index))
    return role


# --- limits on the number of members of a table -----------------------------------------------------------------------


HOLDS_NO_MORE = _(
    "A table holds at most {most} people, including those who no longer play.", most=MOST_MEMBERS
)
IS_FULL = _(
    "At most {most} people can play at a table. Remove one from future games first.", most=MOST_ACTIVE
)


def check_member_limit(table: Table, *, new_count: int) -> None:
    """Raise RuleError if `new_count` more members would exceed the limit. Retired members count too."""
    if table.members.count() + new_count > MOST_MEMBERS:
        raise RuleError(HOLDS_NO_MORE, field="name")


def check_active_limit(table: Table, *, field: str = "name", new_count: int = 1) -> None:
    """Raise RuleError, about the form's `field`, if `new_count` more active members would exceed the limit."""
    if table.members.active().count() + new_count > MOST_ACTIVE:
        raise RuleError(IS_FULL, field=field)
