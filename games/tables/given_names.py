"""The names that newcomers give at tonight's link, until somebody who records has answered them."""

from __future__ import annotations

from django.core.cache import cache
from django.db.models import Q

from games.common.names import without_accents
from games.models import Access, Member, Table
from games.scoring.errors import RuleError
from games.scoring.words import _

MOST_NAMES = 8  # names at a table that wait for an answer
A_DAY = 24 * 60 * 60  # seconds


def retired_called(name: str, table: Table) -> Member | None:
    """Return the member who no longer plays and has this name, with or without accents; None if there is none."""
    gone = table.members.filter(merged_into=None, retired_at__isnull=False)
    return next((one for one in gone if without_accents(one.name) == without_accents(name)), None)


def free_name(table: Table, access: Access, name: str, network: str) -> str:
    """Return the name. Raise RuleError if a member has it, or if too many names wait for an answer.

    A name that is one too many takes the place of the oldest that came from the same network.
    """
    known = next(
        (one for one in table.members.all() if without_accents(one.name) == without_accents(name)), None
    )
    if known is not None:
        raise RuleError(_("{name} is already here: tap their face.", name=known.now.name), field="name")
    waiting = [*table.accesses.standing().exclude(Q(name="") | Q(pk=access.pk)).order_by("pk")]
    place = f"names:{table.pk}:{network}"
    from_here: list[int] = cache.get(place, [])
    if len(waiting) >= MOST_NAMES:
        oldest = next((one for one in waiting if one.pk in from_here), None)
        if oldest is None:
            raise RuleError(_("Too many names wait for an answer. Ask an owner."), field="name")
        oldest.name = ""
        oldest.save(update_fields=["name"])
    cache.set(place, [*from_here, access.pk][-MOST_NAMES:], A_DAY)
    return name
