"""A snapshot of a game: all data that a page and a recording need, read and replayed only once.

*Steps* measure the work of replaying a game, independent of the machine.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from threading import Lock

from games.common.book import Book
from games.models import Game
from games.scoring.effort import Effort, counting_steps
from games.scoring.events import Event, PlayEvent, renamed
from games.scoring.replay import extend, replay
from games.scoring.state import GameState
from games.tables.people import People

MOST_EVENTS = (
    2_000  # some thirty games of an evening: 4.7 kB an event with five players, 9 MB in each process
)


@dataclass(frozen=True)
class ReplayedGame:
    """A game's records, its log with the members' `names`, its state, and the steps that replaying it took.

    All of it depends only on the records and the names, so it is valid as long as these are the same.
    """

    book: Book
    names: Mapping[str, str]
    log: tuple[Event, ...]
    state: GameState
    effort: Effort

    @classmethod
    def of(cls, book: Book, names: Mapping[str, str], known: ReplayedGame | None) -> ReplayedGame:
        """Return the replayed game. `known` is the cached one, or None.

        If the records of `known` are the beginning of this game, with the same names, replay only the events
        after them. After a correction among these events, replay the whole log.
        """
        if known is None or known.names != names or not _begins(book, known.book):
            return cls._replayed(book, names)
        if book is known.book:
            return known
        coming = renamed(book.log[len(known.log) :], names)
        if not all(isinstance(event, PlayEvent) for event in coming):  # a correction changes earlier events
            return cls._replayed(book, names)
        with counting_steps(after=known.effort, alone=True) as effort:
            state = extend(known.state, known.log, coming)
        return cls(book, names, known.log + coming, state, effort)

    @classmethod
    def _replayed(cls, book: Book, names: Mapping[str, str]) -> ReplayedGame:
        log = renamed(book.log, names)
        with counting_steps(alone=True) as effort:
            state = replay(log)
        return cls(book, names, log, state, effort)


def _begins(book: Book, known: Book) -> bool:
    return len(known.source) > 0 and book.source[: len(known.source)] == known.source


class GameCache:
    """The games that this process replayed last, by their ids, with at most `most` events in all.

    The cache only saves work. A game's records are read from the database each time, and compared row by row
    with those in the cache. So after a correction, an erasure or a recording by another process, no outdated
    state is used.
    """

    def __init__(self, most: int) -> None:
        self._most, self._held = most, 0
        self._games: OrderedDict[int, ReplayedGame] = OrderedDict()
        self._lock = Lock()

    def get(self, pk: int) -> ReplayedGame | None:
        """Return the replayed game; None if the cache does not have it any more."""
        return self._games.get(pk)

    def put(self, pk: int, game: ReplayedGame) -> None:
        """Add a game. If there are now too many events, drop the games that were added longest ago."""
        with self._lock:
            self._drop(pk)
            self._games[pk] = game
            self._held += len(game.log)
            while self._held > self._most:
                self._drop(next(iter(self._games)))

    def clear(self) -> None:
        """Drop every game."""
        with self._lock:
            for pk in tuple(self._games):
                self._drop(pk)

    def _drop(self, pk: int) -> None:
        known = self._games.pop(pk, None)
        if known is not None:
            self._held -= len(known.log)


GAMES = GameCache(MOST_EVENTS)


@dataclass(frozen=True)
class Snapshot:
    """A game as it was read: its records, its state, and the members of its table.

    The snapshot is current as long as the table still has the version `version`. `log` and `state`
    have the members' present names. `effort` counts the steps of replaying the log.
    """

    version: int
    book: Book
    members: People
    log: tuple[Event, ...]
    state: GameState
    effort: Effort

    @classmethod
    def read(cls, game: Game) -> Snapshot:
        """Return the snapshot of a game. `version` is taken from `game.table`, so read the table just before.

        Only events that this process has not replayed before are replayed.
        """
        # Read before the records: a change between the two makes this snapshot outdated.
        version = game.table.version
        known = GAMES.get(game.pk)
        book, members = Book.read(game, known.book if known else None), People.of(game.table)
        names = {slug: member.name for slug, member in members.by_slug.items()}
        replayed = ReplayedGame.of(book, names, known)
        GAMES.put(game.pk, replayed)
        return cls(version, book, members, replayed.log, replayed.state, replayed.effort)
