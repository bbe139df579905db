"""The unsent changes in a phone's database: as facts to send, and as marks on the phone's pages.

The copy of the tables that a phone downloads has no changes of the change feed. So every change in the
phone's feed was made on the phone.
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
from games.pocket.typed import Readers
from games.pocket.unpacking import unpack


class NotWhole(Exception):
    """Raised when the unsent facts of a phone cannot be recorded again in a database made from its copy."""


@dataclass(frozen=True)
class Marks:
    """The objects that a page marks as unsent: codes of tables and games, and ids of payments.

    `since` is the number of the first unsent event of the page's game; 0 if there is none.
    """

    tables: Collection[str] = ()
    games: Collection[str] = ()
    payments: Collection[int] = ()
    since: int = 0


NOTHING = Marks()


def marks(code: str) -> Marks:
    """Return the objects that a page marks as unsent. `code` is the code of the page's game, or ""."""
    changes = list(Change.objects.values_list("table__code", "game__code", "payment"))
    if not changes:
        return NOTHING
    tables, games, payments = (set(column) - {None} for column in zip(*changes, strict=True))
    first = Change.objects.filter(game__code=code).aggregate(first=Min("record__number"))["first"]
    return Marks(tables, games, payments, first or 0)


def seen_of(copy: Copy) -> Copy:
    """Return the part of a copy that is needed to find the changes made on the phone since.

    The phone stores this small part instead of the whole copy.
    """
    kinds = [name_of(model) for model in (Table, Payment, PaymentStep)]
    return {"tables": [{kind: table[kind] for kind in kinds if kind in table} for table in copy["tables"]]}


def unsent(copy: Copy) -> dict[str, Any]:
    """Return the phone's `facts` since this copy, and as `places` the URL prefixes of what they are about.

    A prefix is that of a table, e.g. "/t/abc/", or of a game. Instead of the whole copy, `seen_of(copy)` is
    enough.
    """
    facts = beyond(copy)
    tables = Table.objects.filter(code__in={fact["table"] for fact in facts})
    games = Game.objects.filter(table__in=tables).values_list("code", flat=True)
    places = [*(f"/t/{table.code}/" for table in tables), *(f"/g/{code}/" for code in games)]
    return {"facts": facts, "places": places}


def rebuild(copy: Copy, facts: list[Fact], readers: Readers) -> User:
    """Rebuild a phone's database from a copy and its unsent facts. Return the user whose copy it is.

    Raise NotWhole if a fact cannot be recorded in the new database.
    """
    reader = unpack(copy)
    if {answer.status for answer in take(facts, reader, readers)} - {DONE}:
        raise NotWhole
    return reader
