"""Starting a game, recording events, undo, redo, and discarding a game, each in one transaction.

These functions raise RuleError for anything that is not allowed. `key` is an idempotency key, and `after` the
number of the last event that the user had seen. `at` is the time reported by a phone or program that sends an
entry later; by default, now. A batch is a group of events recorded together.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TypeAlias

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.utils.timezone import now

from games.common import days, event_store, locks
from games.common.event_store import EventLog
from games.common.locks import IdempotencyKeyReused, StaleGame
from games.models import EntryKind, Game, Member, Table
from games.money.services import game_entries
from games.play.services import duplicates, game_results, hand_offers, snapshots, writer
from games.play.services.snapshots import Snapshot, UndoHistory
from games.play.services.writer import Batch
from games.scoring.errors import RuleError, ScoringError
from games.scoring.events import Event, GameStarted, Player, PointsAdjusted, with_names
from games.scoring.i18n import Text, _
from games.scoring.option_checks import clear_unmet_options
from games.scoring.rematch import rematch_deal
from games.scoring.replay import replay
from games.scoring.rounds import PlayerId
from games.scoring.state import GameState, Seat
from games.scoring.step_budget import count_steps
from games.scoring.validation import MAX_STEPS, check_new_events, extend_within_limit, needs_solver
from games.scoring.variants import get_variant
from games.tables.services.roster import People

When: TypeAlias = datetime | Callable[[], datetime | None] | None  # None is now
LONGEST_LOG = 1000  # events of a game: a long one has about eighty, and every page replays all of them


class GameNotOver(Exception):
    """The game is not over, so it cannot have a rematch yet."""


# --- games ------------------------------------------------------------------------------------------------------------


@transaction.atomic
def start_game(
    table: Table,
    event: GameStarted,
    *,
    key: str,
    by: User,
    at: datetime | None = None,
    is_asking: bool = False,
) -> Game:
    """Start a game with this event, completed with the value of every house rule. Lock the table.

    A repeated key returns the same game, or raises IdempotencyKeyReused if the event differs. With
    `is_asking`, raise DuplicateGame if these people have another game without a round; but if another request
    has started the same game at the same moment, return that game.
    """
    locks.check_key(key)
    event = replace(event, options=get_variant(event.variant).house(dict(event.options)).options)
    locks.lock(table)
    known = table.games.filter(key=key).first()
    if known is not None:
        if EventLog.load(known).batch(key) != event_store.event_contents([event]):
            raise IdempotencyKeyReused
        return known
    started_at = at or now()
    night = days.night_for(started_at, table)
    duplicates.check_running_limit(table, new_count=1)
    duplicates.check_night_limit(table, night)
    state = replay((event,))
    check_new_events((), (event,))
    game_results.check_people(People(tuple(table.members.active())), state)
    if is_asking and (duplicate := duplicates.find_duplicate(table, event)) is not None:
        return duplicate
    game = Game.objects.create(
        table=table,
        season=days.season_on(night, table),
        key=key,
        variant=state.title,
        started_at=started_at,
        night_number=night.toordinal(),
    )
    writer.append_batch(game, Batch(0, (event,), key, started_at, by, now()))
    locks.bump_revision(table)
    return game


def record(
    game: Game,
    *events: Event,
    after: int,
    key: str,
    by: User,
    at: When = None,
    snapshot: Snapshot | None = None,
    offer_ids: Collection[int] = (),
) -> GameState:
    """Record these events, all or none, and return the game's state after them. Lock the table and the game.

    Raise StaleGame if there are newer events than `after`. A repeated key records nothing and returns the
    current state, or raises IdempotencyKeyReused if the events differ. `snapshot` is the game as the caller
    has read it; it is read again only if the table has changed since. `offer_ids` are the offered hands shown
    to the scorer. An `at` that depends on the log is a function, called under the lock.
    """
    assert events, "nothing to record"
    locks.check_key(key)
    computed = _DryRun.compute(snapshot or Snapshot.load(game), events, after=after, key=key)
    try:
        return _record(game, events, computed, after=after, key=key, by=by, at=at, offer_ids=offer_ids)
    except IntegrityError as error:
        since = game.log()[after:]
        if not since:
            raise
        raise StaleGame(after=after, since=since) from error


def presolve(game: Game, *events: Event) -> None:
    """Compute and cache the melds of a game's hands before anything is locked, if that may take long.

    An invalid event raises nothing here: recording it does. Inside a transaction, do nothing.
    """
    if transaction.get_connection().in_atomic_block:
        return
    log = game.log()
    with suppress(ScoringError):
        if needs_solver((*log, *events)):
            with count_steps(MAX_STEPS):
                replay((*log, *events))


@dataclass(frozen=True)
class _DryRun:
    """The outcome of a recording, computed before the table is locked; valid while `snapshot` is current."""

    snapshot: Snapshot
    result: GameState | ScoringError | StaleGame

    @classmethod
    def compute(cls, snapshot: Snapshot, events: Sequence[Event], *, after: int, key: str) -> _DryRun:
        """Return the outcome: the game's state with these events, or the exception to raise."""
        try:
            return cls(snapshot, _compute_state(snapshot, events, after=after, key=key))
        except (ScoringError, StaleGame) as refused:
            return cls(snapshot, refused)


def _compute_state(snapshot: Snapshot, events: Sequence[Event], *, after: int, key: str) -> GameState:
    """Return the game's state after these events; the current state if they are already recorded.

    Raise StaleGame if there are newer events than `after`, and ScoringError if the events are not allowed.
    """
    game, people, log = snapshot.game, snapshot.members, snapshot.book.log
    if snapshot.book.batch(key):
        return snapshot.state
    if len(log) != after:
        raise StaleGame(after=after, since=log[max(after, 0) :])
    if len(log) + len(events) > LONGEST_LOG:
        raise RuleError(_("This game is full: it holds at most {most} entries.", most=LONGEST_LOG))
    # Error messages should show the members' current names.
    names = {slug: member.name for slug, member in people.by_slug.items()}
    new_events = with_names(events, names)
    state = extend_within_limit(snapshot.state, snapshot.effort, snapshot.log, new_events)
    check_new_events(log, events)
    if any(isinstance(event, PointsAdjusted) for event in events) and days.is_past_night(
        game.ended_at, game.table
    ):
        raise RuleError(_("The night when this game ended is over: correct the game instead."))
    game_results.check_people(people, state)
    game_results.check_money(state)
    return state


@transaction.atomic
def _record(
    game: Game,
    events: Sequence[Event],
    computed: _DryRun,
    *,
    after: int,
    key: str,
    by: User,
    at: When,
    offer_ids: Collection[int],
) -> GameState:
    if locks.lock_game(game).version != computed.snapshot.version:
        computed = _DryRun.compute(Snapshot.load(game), events, after=after, key=key)
    book, result = computed.snapshot.book, computed.result
    known = book.batch(key)
    if known and known != event_store.event_contents(events):
        raise IdempotencyKeyReused
    if isinstance(result, StaleGame):
        raise result
    if not known and game.discarded_at is not None:
        raise RuleError(_("This game was deleted. Restore it first."))
    if isinstance(result, ScoringError):
        raise result
    if known:
        return result
    recorded_at = (at() if callable(at) else at) or now()
    sources = hand_offers.build_sources(game, book.log, events, offer_ids, result.rules)
    version = writer.append_batch(game, Batch(after, tuple(events), key, recorded_at, by, now()), sources)
    people = computed.snapshot.members
    writer.update_derived_data(game, result, version=version, at=recorded_at, people=people)
    return result


def undo(
    game: Game,
    *,
    after: int,
    key: str,
    by: User,
    at: When = None,
    snapshot: Snapshot | None = None,
) -> GameState:
    """Undo the newest batch that is not undone yet. Raise RuleError if only the start of the game is left.

    Locks, idempotency and the other exceptions are those of `record`.
    """
    snapshot = snapshot or Snapshot.load(game)
    undoable = _build_history(snapshot, after).undoable
    strikes = _get_strikes(game, undoable, after, _("There is nothing to undo."))
    return record(game, *strikes, after=after, key=key, by=by, at=at, snapshot=snapshot)


def redo(
    game: Game,
    *,
    after: int,
    key: str,
    by: User,
    at: When = None,
    snapshot: Snapshot | None = None,
) -> GameState:
    """Redo the newest undo. Raise RuleError if there is none, or if other events were recorded after it.

    Locks, idempotency and the other exceptions are those of `record`.
    """
    snapshot = snapshot or Snapshot.load(game)
    redoable = _build_history(snapshot, after).redoable
    strikes = _get_strikes(game, redoable, after, _("There is nothing to redo."))
    return record(game, *strikes, after=after, key=key, by=by, at=at, snapshot=snapshot)


def _build_history(snapshot: Snapshot, after: int) -> UndoHistory:
    """Return the history up to event `after`, so that a repeated tap records the same undo under its key."""
    book = snapshot.book
    return snapshots.build_undo_history(book.log, book.batches(after=max(after, 1)))


def _get_strikes(game: Game, batches: Sequence[tuple[int, ...]], after: int, nothing: Text) -> list[Event]:
    """Return the strikes of the newest of these batches.

    If there is none, raise RuleError with the text `nothing`, or StaleGame if the user has not seen all
    events.
    """
    if batches:
        return snapshots.build_strikes(batches[-1])
    since = game.log()[max(after, 1) :]
    raise StaleGame(after=after, since=since) if since else RuleError(nothing)


@transaction.atomic
def discard_game(game: Game, *, by: User | None = None, at: datetime | None = None) -> None:
    """Discard a game, so that it counts in no balance and no standings. Its records stay.

    Lock the table and the game. Discarding a game again changes nothing.
    """
    locks.lock_game(game)
    if game.discarded_at is None:
        version = locks.bump_version(game.table)
        game.discarded_at = at or now()
        game.save(update_fields=["discarded_at"])
        if game.ended_at is not None:
            game.results.all().delete()
            discarded = EntryKind.DISCARDED
            game_entries.post(game, discarded, version=version, at=game.discarded_at, by=by, nets={})
        locks.bump_revision(game.table)


def restore_game(game: Game, *, by: User | None = None, at: datetime | None = None) -> None:
    """Restore a discarded game and its results. Restoring a game again changes nothing.

    Raise RuleError if an unfinished game would run beside a later one, and ConcurrentChange if the table
    changes during every attempt (`locks.write_unless_changed`).
    """
    later = game.table.games.filter(discarded_at=None, ended_at=None, started_at__gt=game.started_at)
    if game.discarded_at is not None and game.ended_at is None and later.exists():
        raise RuleError(_("Another game has started since then. End it, or delete it first."))
    presolve(game)

    def write(table: Table, state: GameState) -> None:
        locks.lock_game_row(game)
        if game.discarded_at is not None:
            version, kind = locks.bump_version(table), EntryKind.RESTORED
            writer.update_derived_data(game, state, version=version, at=at or now(), kind=kind, by=by)
            game.discarded_at = None
            game.save(update_fields=["discarded_at"])
            locks.bump_revision(table)

    locks.write_unless_changed(game.table, game.state, write)


def rematch_members(state: GameState, people: People) -> dict[PlayerId, Member]:
    """Return the members of a rematch by their seats in this game: those who stayed and have not retired."""
    stayed = {
        player.id: people.by_slug[player.id] for player in state.players if player.seat is not Seat.LEFT
    }
    return {seat: member for seat, member in stayed.items() if member.retired_at is None}


def build_rematch(game: Game) -> GameStarted:
    """Return the start of a rematch (revancha): the same rules, the next dealer, and the players who stayed.

    Raise GameNotOver if the game is not over, and RuleError for a night of an old notebook.
    """
    state = game.state()
    if not state.is_over:
        raise GameNotOver
    if state.imported_night is not None:
        raise RuleError(_("A night from an old notebook has no rematch."))
    members = rematch_members(state, People.of(game.table))
    dealer, direction = rematch_deal(state)
    around = state.seats_from(dealer)
    return GameStarted(
        variant=state.variant.key,
        options=clear_unmet_options(state.variant, state.house).options,
        players=tuple(Player(member.slug, member.name) for member in members.values()),
        dealer=next((members[seat.id].slug for seat in around if seat.id in members), ""),
        direction=direction,
    )
