"""The warning that a table would be lost with the phone of its only owner, and the cures."""

from __future__ import annotations

from django.contrib.auth.models import AnonymousUser, User

from games.models import Table
from games.tables.services import authorization, takeovers

MAX_POTENTIAL_OWNERS = 3
NO_WARNING: dict[str, object] = {"only_here": None, "heirs": ()}


def warning_context(table: Table, user: User | AnonymousUser) -> dict[str, object]:
    """Return the template variables of the warning; it concerns only a guest who is the only owner.

    A table without a game has nothing to lose yet.
    """
    if not isinstance(user, User) or not authorization.is_only_owner_here(table, user):
        return NO_WARNING
    if not table.games.filter(discarded_at=None).exists():
        return NO_WARNING
    candidates = takeovers.potential_owners(table)[:MAX_POTENTIAL_OWNERS]
    return {"only_here": table, "heirs": [(candidate.pk, candidate.person) for candidate in candidates]}
