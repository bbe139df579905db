"""What a writer holds while it writes, and what it says where somebody else was first."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db.models import F

from games.models import (
    Game,
    Grant,
    Table,
)
from games.scoring.events import Event


class StaleGame(Exception):
    """Somebody else recorded first: `since` are the events after number `after`, which the person had not seen."""

    def __init__(self, *, after: int, since: tuple[Event, ...]) -> None:
        super().__init__(f"{len(since)} events were recorded after number {after}")
        self.after = after
        self.since = since


def lock(table: Table) -> Table:
    """The table as it is now, held until the transaction ends (PostgreSQL; a SQLite transaction holds everything)."""
    return Table.objects.select_for_update(no_key=True).get(pk=table.pk)


def hold(game: Game) -> Table:
    """The game's table; reads what others may have changed, and on PostgreSQL holds both until the transaction ends.

    The table first: whoever changes many of its games holds it before them, and two would wait for each other.
    """
    table = lock(game.table)
    game.refresh_from_db(
        fields=["variant", "ended_at", "discarded_at"],
        from_queryset=Game.objects.select_for_update(no_key=True),
    )
    return table


def newest_change(table: Table) -> int:
    """The number of what changed last. Whoever works something out, and finds the same number when the table is held,
    has worked out what is so."""
    return Table.objects.values_list("newest_change", flat=True).get(pk=table.pk)


def revise(table: Table) -> None:
    """Says that a watching phone has something new to show besides events; call it inside the transaction.

    Or that somebody may do less than before: every phone that watches is asked again who it is (`games/tickets.py`).
    """
    Table.objects.filter(pk=table.pk).update(revision=F("revision") + 1)


def revise_tables_of(user: User) -> None:
    """Says so at every table of a user, whose phones may be let in no longer; call it inside the transaction."""
    tables = Table.objects.filter(pk__in=Grant.objects.filter(user=user).values("table"))
    held = list(tables.order_by("pk").select_for_update(no_key=True).values_list("pk", flat=True))
    Table.objects.filter(pk__in=held).update(revision=F("revision") + 1)
