"""What of a phone's own books the site has not heard of yet: as facts that can be sent, and as marks on its pages.

Nothing of a copy is in the phone's feed, so whatever stands there was done on the phone.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User
from django.db.models import Min

from games.models import Change, Game, Payment, PaymentStep, Table
from games.pocket.columns import name_of
from games.pocket.copying import Copy
from games.pocket.facts import beyond
from games.pocket.payments import Fact
from games.pocket.taking import DONE, take
from games.pocket.unpacking import unpack


class NotWhole(Exception):
    """What was done on a phone does not follow from its copy."""


@dataclass(frozen=True)
class Marks:
    """What a page marks: tables and games by their codes, payments by their numbers, and the first event of its game."""

    tables: Collection[str] = ()
    games: Collection[str] = ()
    payments: Collection[int] = ()
    since: int = 0


NOTHING = Marks()


def marks(code: str) -> Marks:
    """What a page of this phone marks; `code` is that of its game, "" for another page."""
    changes = list(Change.objects.values_list("table__code", "game__code", "payment"))
    if not changes:
        return NOTHING
    tables, games, payments = (set(found) - {None} for found in zip(*changes, strict=True))
    first = Change.objects.filter(game__code=code).aggregate(first=Min("record__number"))["first"]
    return Marks(tables, games, payments, first or 0)


def seen_of(copy: Copy) -> Copy:
    """What of a copy tells what came since; little, since it is kept with the books."""
    kinds = [name_of(model) for model in (Table, Payment, PaymentStep)]
    return {"tables": [{kind: table[kind] for kind in kinds if kind in table} for table in copy["tables"]]}


def unsent(copy: Copy) -> dict[str, Any]:
    """The facts the site has not heard of since this copy (what `seen_of` it is enough), and where the addresses begin of
    their tables."""
    facts = beyond(copy)
    tables = Table.objects.filter(code__in={fact["table"] for fact in facts})
    games = Game.objects.filter(table__in=tables).values_list("code", flat=True)
    places = [*(f"/t/{table.code}/" for table in tables), *(f"/g/{code}/" for code in games)]
    return {"facts": facts, "places": places}


def rebuild(copy: Copy, facts: list[Fact]) -> User:
    """Whose copy it is; the books hold it and what was done beyond it, as they did before they were lost."""
    reader = unpack(copy)
    if {answer.status for answer in take(facts, reader)} - {DONE}:
        raise NotWhole
    return reader
