"""A preview of a correction before it is saved: totals, seats, money and conflicts (RULES 1.4)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType

from . import corrections
from .endings import can_add_bonuses
from .errors import RefusalCode, RuleError
from .events import (
    Corrected,
    DealPassed,
    Event,
    Inserted,
    Log,
    Numbered,
    PlayerLeft,
    PlayerReentered,
    PlayerStayedOut,
    PointsAdjusted,
    RoundPlayed,
    SeatHandedOver,
    Struck,
    TableEvent,
    TotalsAgreed,
    WinnersNamed,
)
from .replay import is_allowed, replay, replay_until_refused, state_before
from .rounds import PlayerId, RoundEntry
from .state import GameState, Seat
from .step_budget import count_steps
from .validation import MAX_STEPS, check_new_events


class ConflictKind(StrEnum):
    """The kinds of conflict between a correction and later events: (a) to (d) in RULES 1.4, and any other.

    An example is the re-entry of a player who, by the corrected totals, never went bust.
    """

    ANSWER_WITHOUT_BUST = "answer_without_bust"
    BUST_PLAYED_ON = "bust_played_on"
    MISSED_ROUNDS = "missed_rounds"
    AFTER_THE_END = "after_the_end"
    FITS_NO_MORE = "fits_no_more"


class Remedy(StrEnum):
    """The ways to resolve a conflict."""

    VOID = "void"
    REENTER = "reenter"
    STAY_OUT = "stay_out"
    LEAVE = "leave"
    STRIKE = "strike"


@dataclass(frozen=True)
class Choice:
    """One way to resolve a conflict, and the events to record for it (`changes`)."""

    remedy: Remedy
    changes: tuple[Event, ...]


@dataclass(frozen=True)
class Conflict:
    """An event after the corrected one that no longer fits, and the ways to resolve this (`choices`).

    Without choices the correction cannot be saved. `number` is the number of that event, `player` the player
    concerned, and `before` the state that refused the event. `chosen` is the remedy that the preview used to
    continue.
    """

    kind: ConflictKind
    number: int
    event: TableEvent
    player: PlayerId
    before: GameState
    choices: tuple[Choice, ...]
    chosen: Remedy | None

    @property
    def key(self) -> str:
        """A stable identifier of the conflict in requests, such as "missed-rounds-7-ana".

        It is made of the kind, the event's number and the player.
        """
        return "-".join(filter(None, (self.kind.replace("_", "-"), str(self.number), self.player)))


@dataclass(frozen=True)
class Preview:
    """The result of trying a correction: the state of the game before and after it, and the conflicts.

    `after` is None if a conflict has no remedy; `changes` are all events to record, remedies included.
    """

    before: GameState
    after: GameState | None
    conflicts: tuple[Conflict, ...]
    changes: tuple[Event, ...]


def preview_changes(log: Log, *changes: Event, answers: Mapping[str, str] = MappingProxyType({})) -> Preview:
    """Return a preview of the log with `changes` added.

    `answers` maps the key of a conflict to the chosen remedy. A conflict without an answer is resolved by its
    first choice. Raise RuleError if the changes themselves are refused, or if replaying the game without and
    with them takes too many steps together (`step_budget`).
    """
    with count_steps() as budget:
        before = replay(log)
    with count_steps(max(MAX_STEPS, budget.used + MAX_STEPS // 2), after=budget):
        return _resolve_conflicts(log, changes, answers, before)


def _resolve_conflicts(
    log: Log, changes: tuple[Event, ...], answers: Mapping[str, str], before: GameState
) -> Preview:
    batch, conflicts = tuple(changes), list[Conflict]()
    while True:
        corrected = (*log, *batch)
        after, refusal = replay_until_refused(corrected)
        if refusal is not None and (
            after is None
            or refusal.code is RefusalCode.TOO_MUCH
            or _is_among_changes(log, changes, refusal.number)
        ):
            raise refusal
        assert after is not None
        if not conflicts:
            check_new_events(log, changes)
        if refusal is None:
            return Preview(before, after, tuple(conflicts), batch)
        conflict = _find_conflict(corrected, after, refusal, answers)
        if conflict.chosen is None:
            return Preview(before, None, (*conflicts, conflict), batch)
        conflicts.append(conflict)
        batch += next(choice.changes for choice in conflict.choices if choice.remedy is conflict.chosen)


def _is_among_changes(log: Log, changes: Sequence[Event], number: int | None) -> bool:
    """Return whether the refused event `number` is part of `changes` or corrected by them.

    If not, it is a later event, which no longer fits. Return True too if `number` is None.
    """
    return (
        number is None
        or number > len(log)
        or any(isinstance(change, Corrected) and change.number == number for change in changes)
    )


def _find_conflict(log: Log, state: GameState, refusal: RuleError, answers: Mapping[str, str]) -> Conflict:
    assert refusal.number is not None
    events = corrections.effective_events(log)
    place = next(place for place, (number, _event) in enumerate(events) if number == refusal.number)
    conflict = _build_conflict(log, state, refusal, events[place:])
    answer = answers.get(conflict.key)
    offered = [choice.remedy for choice in conflict.choices]
    chosen = next((remedy for remedy in offered if remedy == answer), offered[0] if offered else None)
    return replace(conflict, chosen=chosen)


def _build_conflict(log: Log, state: GameState, refusal: RuleError, later: Sequence[Numbered]) -> Conflict:
    """Return the conflict behind `refusal`, which concerns the first of the `later` events.

    `state` is the state before that event. No remedy is chosen yet.
    """
    (number, event), player = later[0], refusal.player
    strike = Choice(Remedy.STRIKE, (Struck(number),))

    def conflict(kind: ConflictKind, *choices: Choice) -> Conflict:
        return Conflict(kind, number, event, player, state, choices, None)

    match refusal.code:
        case RefusalCode.GAME_OVER:
            return _end_conflict(log, state, later)
        case RefusalCode.NOT_PENDING:
            return conflict(ConflictKind.ANSWER_WITHOUT_BUST, replace(strike, remedy=Remedy.VOID))
        case RefusalCode.MISSING_HAND:
            leaves = Choice(Remedy.LEAVE, (Inserted(number, PlayerLeft(player)),))
            return conflict(ConflictKind.MISSED_ROUNDS, leaves)
        case RefusalCode.NOT_IN if state.player(player).seat in (Seat.PENDING, Seat.OUT):
            return conflict(ConflictKind.BUST_PLAYED_ON, *_bust_player_choices(state, player, later))
        case RefusalCode.NOT_IN | RefusalCode.UNKNOWN_PLAYER:
            return conflict(ConflictKind.FITS_NO_MORE, *_removal_choices(player, later), strike)
        case _:
            return conflict(ConflictKind.FITS_NO_MORE, strike)


def _end_conflict(log: Log, state: GameState, later: Sequence[Numbered]) -> Conflict:
    """Return the conflict of the `later` events with the end of the corrected game, which comes earlier.

    One choice is to strike these events. If a bust player played a round among them and could have kept the
    game going by a re-entry, the first choice is to insert that re-entry.
    """
    assert state.outcome is not None
    number, event = later[0]
    kept = (TotalsAgreed, PointsAdjusted) if can_add_bonuses(state) else (TotalsAgreed,)
    strike = Choice(Remedy.STRIKE, tuple(Struck(n) for n, struck in later if not isinstance(struck, kept)))
    ended = state.outcome.number
    before = state_before(log, ended)
    for player in before.pending:
        if any(
            isinstance(played, RoundPlayed) and _takes_part(played.entry, player.id) for _n, played in later
        ):
            reenters = Choice(Remedy.REENTER, (Inserted(ended, PlayerReentered(player.id)),))
            kind = ConflictKind.BUST_PLAYED_ON
            return Conflict(kind, number, event, player.id, before, (reenters, strike), None)
    return Conflict(ConflictKind.AFTER_THE_END, number, event, "", state, (strike,), None)


def _takes_part(entry: RoundEntry, player: PlayerId) -> bool:
    return entry.closer == player or entry.hand_of(player) is not None


def _bust_player_choices(state: GameState, player: PlayerId, later: Sequence[Numbered]) -> Iterator[Choice]:
    reenters = PlayerReentered(player)
    if is_allowed(state, reenters):
        yield Choice(Remedy.REENTER, (Inserted(later[0][0], reenters),))
    yield from _removal_choices(player, later)


def _removal_choices(player: PlayerId, later: Sequence[Numbered]) -> Iterator[Choice]:
    """Yield the choice to remove a player from all later events, if that is possible.

    It is impossible if the player closed a later round or won the game, or if removing the player would not
    change the first event, which was refused.
    """
    if any(
        (isinstance(event, RoundPlayed) and event.entry.closer == holder)
        or (isinstance(event, WinnersNamed) and holder in event.players)
        for _n, event, holder in _with_seat_holder(player, later)
    ):
        return
    changes = tuple(_removal_changes(player, later))
    if changes and changes[0].number == later[0][0]:
        yield Choice(Remedy.STAY_OUT, changes)


def _removal_changes(player: PlayerId, later: Sequence[Numbered]) -> Iterator[Corrected | Struck]:
    """Yield the changes that remove a player from all later events.

    They remove the player's hands from rounds, and strike events about the player, such as a re-entry.
    """
    for number, event, holder in _with_seat_holder(player, later):
        match event:
            case RoundPlayed(entry) if entry.hand_of(holder) is not None:
                hands = tuple((other, hand) for other, hand in entry.hands if other != holder)
                yield Corrected(number, RoundPlayed(replace(entry, hands=hands)))
            case (
                PlayerReentered(named)
                | PlayerStayedOut(named)
                | PlayerLeft(named)
                | PointsAdjusted(player=named)
                | DealPassed(named)
                | SeatHandedOver(player=named)
            ) if named == holder:
                yield Struck(number)
            case _:
                pass


def _with_seat_holder(
    player: PlayerId, later: Sequence[Numbered]
) -> Iterator[tuple[int, TableEvent, PlayerId]]:
    """Yield each later event as (number, event, id of the player who has the seat of `player` by then)."""
    for number, event in later:
        yield number, event, player
        if isinstance(event, SeatHandedOver) and event.player == player:
            player = event.to.id
