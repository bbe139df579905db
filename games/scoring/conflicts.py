"""The conflicts between a correction and later events, and their remedies (RULES 1.4)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

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
    PlayerJoined,
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
from .frozen import Frozen
from .replay import is_allowed, state_before
from .rounds import PlayerId, RoundEntry
from .state import GameState, Seat


class ConflictKind(StrEnum):
    """The kinds of conflict between a correction and later events: (a) to (d) in RULES 1.4, and any other.

    An example is the re-entry of a player who, by the corrected totals, never went bust.
    """

    ANSWER_WITHOUT_BUST = "answer_without_bust"
    BUST_PLAYED_ON = "bust_played_on"
    MISSED_ROUNDS = "missed_rounds"
    NO_ANSWER = "no_answer"
    OTHER_TOTAL = "other_total"
    AFTER_THE_END = "after_the_end"
    FITS_NO_MORE = "fits_no_more"


class Missing(StrEnum):
    """The kinds of gaps in a corrected game: hands, a round that fits the rules, a bust player's answer."""

    HANDS = "hands"
    ROUND = "round"
    ANSWER = "answer"


class Remedy(StrEnum):
    """The ways to resolve a conflict."""

    VOID = "void"
    REENTER = "reenter"
    STAY_OUT = "stay_out"
    LEAVE = "leave"
    STRIKE = "strike"


@dataclass(frozen=True, eq=False, repr=False)
class Choice(Frozen):
    """One way to resolve a conflict, and the events to record for it (`changes`)."""

    remedy: Remedy
    changes: tuple[Event, ...]


@dataclass(frozen=True, eq=False, repr=False)
class Conflict(Frozen):
    """An event after the corrected one that no longer fits, and the ways to resolve this (`choices`).

    `number` is the number of that event, `player` the player concerned, and `before` the state that refused the
    event with `refusal`. `chosen` is the remedy that the preview used to continue.
    """

    kind: ConflictKind
    number: int
    event: TableEvent
    player: PlayerId
    before: GameState
    choices: tuple[Choice, ...]
    chosen: Remedy | None = None
    refusal: RuleError | None = None

    @property
    def key(self) -> str:
        """A stable identifier of the conflict in requests, such as "missed-rounds-7-ana".

        It is made of the kind, the event's number and the player.
        """
        return "-".join(filter(None, (self.kind.replace("_", "-"), str(self.number), self.player)))

    @property
    def round_number(self) -> int:
        """The number of the round that this event is, or that it comes before."""
        return len(self.before.rounds) + 1

    @property
    def missing(self) -> Missing | None:
        """The gap that people have to fill at this event; None if the choices are enough."""
        match self.kind:
            case ConflictKind.MISSED_ROUNDS:
                return Missing.HANDS
            case ConflictKind.NO_ANSWER:
                return Missing.ANSWER
            case ConflictKind.FITS_NO_MORE if isinstance(self.event, RoundPlayed):
                is_misfit = all(choice.remedy is Remedy.STRIKE for choice in self.choices)
                return Missing.ROUND if is_misfit else None
            case _:
                return None

    @property
    def missing_players(self) -> tuple[PlayerId, ...]:
        """The players dealt into this round whose hand is missing."""
        if not isinstance(self.event, RoundPlayed):
            return ()
        entry, rules = self.event.entry, self.before.rules
        closing = rules.closing(entry.closing)
        without = entry.closer if closing is not None and closing.closer_hand.is_optional else None
        return tuple(
            player.id
            for player in self.before.playing
            if player.id != without and entry.hand_of(player.id) is None
        )


def with_answer(conflict: Conflict, answer: str | None) -> Conflict:
    """Return the conflict resolved by this remedy, or by its first choice if it offers no such remedy."""
    offered = [choice.remedy for choice in conflict.choices]
    chosen = next((remedy for remedy in offered if remedy == answer), offered[0])
    return replace(conflict, chosen=chosen)


def find_conflict(log: Log, state: GameState, refusal: RuleError) -> Conflict:
    """Return the conflict behind `refusal`, which stopped the replay of `log` after `state`."""
    assert refusal.number is not None
    conflict = _build_conflict(log, state, refusal, events_from(log, refusal.number))
    return replace(conflict, refusal=refusal)


def events_from(log: Log, number: int) -> Sequence[Numbered]:
    """Return the events in force from event `number` on, in the order they take effect."""
    events = corrections.effective_events(log)
    return events[next(place for place, (known, _event) in enumerate(events) if known == number) :]


def find_missed_rounds(log: Log, conflict: Conflict) -> tuple[tuple[int, int], ...]:
    """Return the rounds in which the player of this conflict has no hand, as (event number, round number).

    `log` has the correction. The list ends where the player leaves or joins.
    """
    missed, played = [], conflict.round_number - 1
    for number, event, holder in _with_seat_holder(conflict.player, events_from(log, conflict.number)):
        if event in (PlayerLeft(holder), PlayerStayedOut(holder)):
            break
        if isinstance(event, RoundPlayed):
            played += 1
            if not _takes_part(event.entry, holder):
                missed.append((number, played))
    return tuple(missed)


def _build_conflict(log: Log, state: GameState, refusal: RuleError, later: Sequence[Numbered]) -> Conflict:
    """Return the conflict behind `refusal`, which concerns the first of the `later` events.

    `state` is the state before that event. No remedy is chosen yet.
    """
    (number, event), player = later[0], refusal.player
    strike = Choice(Remedy.STRIKE, (Struck(number),))

    def conflict(kind: ConflictKind, *choices: Choice) -> Conflict:
        return Conflict(kind, number, event, player, state, choices)

    match refusal.code:
        case RefusalCode.GAME_OVER:
            return _end_conflict(log, state, later)
        case RefusalCode.NOT_PENDING:
            return conflict(ConflictKind.ANSWER_WITHOUT_BUST, replace(strike, remedy=Remedy.VOID))
        case RefusalCode.MISSING_HAND if isinstance(event, RoundPlayed) and event.entry.closer == player:
            return conflict(ConflictKind.MISSED_ROUNDS, strike)
        case RefusalCode.MISSING_HAND:
            leaves = Choice(Remedy.LEAVE, (Inserted(number, PlayerLeft(player)),))
            return conflict(ConflictKind.MISSED_ROUNDS, leaves)
        case RefusalCode.NOT_IN if state.player(player).seat in (Seat.PENDING, Seat.OUT):
            choices = tuple(_bust_player_choices(state, player, later))
            if not choices:
                return conflict(ConflictKind.FITS_NO_MORE, strike)
            return conflict(ConflictKind.BUST_PLAYED_ON, *choices)
        case RefusalCode.NOT_IN | RefusalCode.UNKNOWN_PLAYER:
            return conflict(ConflictKind.FITS_NO_MORE, *_removal_choices(state, player, later), strike)
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
            return Conflict(kind, number, event, player.id, before, (reenters, strike))
    return Conflict(ConflictKind.AFTER_THE_END, number, event, "", state, (strike,))


def _takes_part(entry: RoundEntry, player: PlayerId) -> bool:
    return entry.closer == player or entry.hand_of(player) is not None


def _bust_player_choices(state: GameState, player: PlayerId, later: Sequence[Numbered]) -> Iterator[Choice]:
    reenters = PlayerReentered(player)
    if is_allowed(state, reenters):
        yield Choice(Remedy.REENTER, (Inserted(later[0][0], reenters),))
    yield from _removal_choices(state, player, later)


def can_be_removed(player: PlayerId, later: Sequence[Numbered]) -> bool:
    """Return whether the game can do without this player in the `later` events.

    It cannot if they closed one of these rounds or won the game.
    """
    return not any(
        (isinstance(event, RoundPlayed) and event.entry.closer == holder)
        or (isinstance(event, WinnersNamed) and holder in event.players)
        for _n, event, holder in _with_seat_holder(player, later)
    )


def _removal_choices(state: GameState, player: PlayerId, later: Sequence[Numbered]) -> Iterator[Choice]:
    """Yield the choice to remove a player from all later events, if that is possible.

    It is impossible too if removing the player would not change the first event, which was refused.
    """
    if not can_be_removed(player, later):
        return
    changes = tuple(_removal_changes(state, player, later))
    if changes and changes[0].number == later[0][0]:
        yield Choice(Remedy.STAY_OUT, changes)


def _removal_changes(
    state: GameState, player: PlayerId, later: Sequence[Numbered]
) -> Iterator[Corrected | Struck]:
    """Yield the changes that remove a player from all later events.

    They remove the player's hands from rounds, and strike events about the player, such as a re-entry. A
    player who sits out a play-off in `state` may still leave.
    """
    may_leave = any(seat.id == player and seat.seat is Seat.SITTING_OUT for seat in state.players)
    for number, event, holder in _with_seat_holder(player, later):
        match event:
            case RoundPlayed(entry) if entry.hand_of(holder) is not None:
                hands = tuple((other, hand) for other, hand in entry.hands if other != holder)
                yield Corrected(number, RoundPlayed(replace(entry, hands=hands)))
            case PlayerLeft(named) if named == holder and may_leave:
                return
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
    """Yield each later event as (number, event, id of the player who has the seat of `player` by then).

    Stop where that player joins: what follows is another stay.
    """
    for number, event in later:
        if isinstance(event, PlayerJoined) and event.player.id == player:
            return
        yield number, event, player
        if isinstance(event, SeatHandedOver) and event.player == player:
            player = event.to.id
