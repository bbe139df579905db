"""Locks on a table and its games, and the conflict that is raised where another writer was first."""

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
    """A conflict: another writer recorded the events `since` after event `after`, and the person had not seen
    them.
    """

    def __init__(self, *, after: int, since: tuple[Event, ...]) -> None:
        super().__init__(f"{len(since)} events were recorded after number {after}")
        self.after = after
        self.since = since


def lock(table: Table) -> Table:
    """Lock the table until the transaction ends, and return it as it is now.

    PostgreSQL locks its row; on SQLite the transaction itself holds everything.
    """
    return Table.objects.select_for_update(no_key=True).get(pk=table.pk)


def hold(game: Game) -> Table:
    """Lock the game's table, then the game, until the transaction ends, and refresh what others may have
    changed.

    The table comes first: a writer of many of its games locks it before them, and the two would wait for
    each other.
    """
    table = lock(game.table)
    game.refresh_from_db(
        fields=["variant", "ended_at", "discarded_at"],
        from_queryset=Game.objects.select_for_update(no_key=True),
    )
    return table


def newest_change(table: Table) -> int:
    """Return the number of the table's newest change.

    A result computed before the table was locked is current if the number is still the same afterwards.
    """
    return Table.objects.values_list("newest_change", flat=True).get(pk=table.pk)


def revise(table: Table) -> None:
    """Raise the table's revision: a watching phone has more to show than new events. Call it inside the
    transaction.

    Rights that were taken away raise it too: then every watching phone is checked again (`games/tickets.py`).
    """
    Table.objects.filter(pk=table.pk).update(revision=F("revision") + 1)


def revise_tables_of(user: User) -> None:
    """Raise the revision of every table this user has a grant at. Call it inside the transaction."""
    tables = Table.objects.filter(pk__in=Grant.objects.filter(user=user).values("table"))
    held = list(tables.order_by("pk").select_for_update(no_key=True).values_list("pk", flat=True))
    Table.objects.filter(pk__in=held).update(revision=F("revision") + 1)
