"""What a writer holds while it writes, and what it says where somebody else was first."""

from __future__ import annotations

from django.db.models import F

from games.models import (
    Game,
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


def hold(game: Game) -> None:
    """Reads what others may have changed, and on PostgreSQL holds the table and the game until the transaction ends.

    The table first: whoever changes many of its games holds it before them, and two would wait for each other.
    """
    lock(game.table)
    game.refresh_from_db(
        fields=["variant", "pot", "decided_in", "ended_at", "discarded_at"],
        from_queryset=Game.objects.select_for_update(no_key=True),
    )


def revise(table: Table) -> None:
    """Says that a watching phone has something new to show besides events; call it inside the transaction."""
    Table.objects.filter(pk=table.pk).update(revision=F("revision") + 1)
