"""A snapshot of a game: all data that a page and a recording need, read and replayed only once."""

from __future__ import annotations

from dataclasses import dataclass

from games.book import Book
from games.models import Game
from games.money.balances import People
from games.scoring.effort import Effort, counting_steps
from games.scoring.events import Event, renamed
from games.scoring.replay import replay
from games.scoring.state import GameState


@dataclass(frozen=True)
class Snapshot:
    """A game as it was read: its records, its state, and the members of its table.

    The snapshot is current as long as the table's newest change has the number `newest`. `log` and `state`
    have the members' present names. `effort` counts the steps of replaying the log.
    """

    newest: int
    book: Book
    members: People
    log: tuple[Event, ...]
    state: GameState
    effort: Effort

    @classmethod
    def read(cls, game: Game) -> Snapshot:
        """Read and replay a game whose table has just been read."""
        newest = game.table.newest_change  # before the book: a change in between makes the snapshot stale
        book, members = Book.read(game), People.of(game.table)
        log = renamed(book.log, {slug: member.name for slug, member in members.by_slug.items()})
        with counting_steps() as effort:
            state = replay(log)
        return cls(newest, book, members, log, state, effort)
