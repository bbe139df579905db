"""A snapshot of a game: all data that a page and a recording need, read and replayed only once.

Its history is for undo (deshacer) and redo (rehacer) of batches: events that were recorded together. An undo
*strikes* events, which then no longer count, and a redo strikes the undo.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from threading import Lock

from games.common.event_store import EventLog
from games.models import Game
from games.scoring.events import Event, Log, PlayEvent, Struck, with_names
from games.scoring.replay import extend, replay
from games.scoring.state import GameState
from games.scoring.step_budget import StepBudget, count_steps
from games.tables.services.lobby import LobbySnapshot
from games.tables.services.roster import People

# about thirty games: an event with five players takes 4.7 kB, so all take 9 MB in each process
MAX_CACHED_EVENTS = 2_000


@dataclass(frozen=True)
class ReplayedGame:
    """A game's records, its log with the members' `names`, its state, and the steps of its replay."""

    book: EventLog
    names: Mapping[str, str]
    log: tuple[Event, ...]
    state: GameState
    effort: StepBudget

    @classmethod
    def of(cls, book: EventLog, names: Mapping[str, str], known: ReplayedGame | None) -> ReplayedGame:
        """Return the replayed game; continue `known` if this game begins with its records and names."""
        if known is None or known.names != names or not _is_continuation(book, known.book):
            return cls._replay(book, names)
        if book is known.book:
            return known
        new_events = with_names(book.log[len(known.log) :], names)
        # A correction changes earlier events.
        if not all(isinstance(event, PlayEvent) for event in new_events):
            return cls._replay(book, names)
        with count_steps(after=known.effort, independent=True) as effort:
            state = extend(known.state, known.log, new_events)
        return cls(book, names, known.log + new_events, state, effort)

    @classmethod
    def _replay(cls, book: EventLog, names: Mapping[str, str]) -> ReplayedGame:
        log = with_names(book.log, names)
        with count_steps(independent=True) as effort:
            state = replay(log)
        return cls(book, names, log, state, effort)


def _is_continuation(book: EventLog, known: EventLog) -> bool:
    return len(known.source) > 0 and book.source[: len(known.source)] == known.source


class GameCache:
    """The games that this process replayed last, by their ids, with at most `most` events in all.

    A game's records are read from the database each time and compared row by row with those in the cache, so
    that no outdated state is used after another process has written.
    """

    def __init__(self, most: int) -> None:
        self._max_events, self._event_count = most, 0
        self._games: OrderedDict[int, ReplayedGame] = OrderedDict()
        self._lock = Lock()

    def get(self, pk: int) -> ReplayedGame | None:
        return self._games.get(pk)

    def put(self, pk: int, game: ReplayedGame) -> None:
        """Add a game. While there are too many events, drop the games that were added longest ago."""
        with self._lock:
            self._drop(pk)
            self._games[pk] = game
            self._event_count += len(game.log)
            while self._event_count > self._max_events:
                self._drop(next(iter(self._games)))

    def _drop(self, pk: int) -> None:
        known = self._games.pop(pk, None)
        if known is not None:
            self._event_count -= len(known.log)


GAME_CACHE = GameCache(MAX_CACHED_EVENTS)


@dataclass(frozen=True)
class Snapshot:
    """A game as it was read: its records, its state, and the table's members, whose current names it shows.

    It is current while the table has this `version`. `effort` counts the steps of replaying the log.
    """

    game: Game
    version: int
    book: EventLog
    members: People
    log: tuple[Event, ...]
    state: GameState
    effort: StepBudget

    @classmethod
    def load(cls, game: Game, *, until: str = "") -> Snapshot:
        """Return the snapshot of a game; `version` is that of `game.table`, so read the table just before.

        With `until`, the key of a batch, leave out everything recorded after this batch.
        """
        # Read the version before the records: a change in between makes this snapshot outdated.
        version = game.table.version
        known = GAME_CACHE.get(game.pk)
        book, members = EventLog.load(game, known.book if known else None), People.of(game.table)
        if until:
            book = book.until(until)
        names = {slug: member.name for slug, member in members.by_slug.items()}
        replayed = ReplayedGame.of(book, names, known)
        if not until:
            GAME_CACHE.put(game.pk, replayed)
        return cls(game, version, book, members, replayed.log, replayed.state, replayed.effort)

    @cached_property
    def lobby(self) -> LobbySnapshot:
        return LobbySnapshot(self.game.table, self.members)

    @cached_property
    def history(self) -> UndoHistory:
        return build_undo_history(self.log, self.book.batches())


BatchNumbers = tuple[int, ...]  # the numbers of events recorded together


@dataclass(frozen=True)
class UndoHistory:
    """The batches that can be undone and the undos that can be redone, each as the numbers of its events.

    `last` is the batch recorded last.
    """

    undoable: tuple[BatchNumbers, ...]
    redoable: tuple[BatchNumbers, ...]
    last: BatchNumbers

    @property
    def last_is_undo(self) -> bool:
        return bool(self.redoable) and self.redoable[-1] == self.last


def build_undo_history(log: Log, batches: Sequence[BatchNumbers]) -> UndoHistory:
    """Return the history of a log that was recorded in these batches.

    The first batch starts the game and cannot be undone. A batch is an undo if it strikes exactly the events
    of the newest batch not undone yet. It is a redo if it strikes exactly the events of the newest undo. Any
    other batch can be undone, and after it nothing can be redone.
    """
    done: list[BatchNumbers] = []
    # pairs of an undone batch and the batch that undid it
    undone: list[tuple[BatchNumbers, BatchNumbers]] = []
    for batch in batches[1:]:
        struck = _struck_numbers(log, batch)
        if done and struck == done[-1][::-1]:
            undone.append((done.pop(), batch))
        elif undone and struck == undone[-1][1][::-1]:
            done.append(undone.pop()[0])
        else:
            done.append(batch)
            undone.clear()
    return UndoHistory(tuple(done), tuple(undo for _batch, undo in undone), batches[-1])


def build_strikes(batch: BatchNumbers) -> list[Event]:
    """Return the strikes (events that void another event) that undo a whole batch, the last event first."""
    return [Struck(number) for number in reversed(batch)]


def _struck_numbers(log: Log, batch: BatchNumbers) -> BatchNumbers | None:
    """Return the numbers of the events that this batch strikes; None if it has any other event."""
    events = [log[number - 1] for number in batch]
    strikes = [event for event in events if isinstance(event, Struck)]
    return tuple(strike.number for strike in strikes) if len(strikes) == len(events) else None
