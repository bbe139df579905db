"""A snapshot of a game: everything that a page and a recording need of it, read and replayed once."""

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
    """A game as it was read: its records, the members of its table, and the state that its log comes to.

    It is current as long as the table's newest change is `newest`. `log` and `state` have the members' present names;
    `effort` is what replaying the log took.
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
        newest = game.table.newest_change  # older than the book: a change in between makes the snapshot stale
        book, members = Book.read(game), People.of(game.table)
        log = renamed(book.log, {slug: member.name for slug, member in members.by_slug.items()})
        with counting_steps() as effort:
            state = replay(log)
        return cls(newest, book, members, log, state, effort)
