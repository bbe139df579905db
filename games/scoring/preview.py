"""What a correction would do before it is saved: totals, seats, money, and the conflicts it raises (RULES 1.4)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType

from games.scoring.errors import Refusal, RuleError
from games.scoring.events import (
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
    effective,
)
from games.scoring.replay import allows, replay, replay_until_refused
from games.scoring.rounds import PlayerId
from games.scoring.state import GameState, Seat


class ConflictKind(StrEnum):
    """The four conflicts of RULES 1.4, (a) to (d), and a later event that fits no more for another reason."""

    ANSWER_WITHOUT_BUST = "answer_without_bust"
    BUST_PLAYED_ON = "bust_played_on"
    MISSED_ROUNDS = "missed_rounds"
    AFTER_THE_END = "after_the_end"
    FITS_NO_MORE = "fits_no_more"


class Remedy(StrEnum):
    """What settles a conflict."""

    VOID = "void"
    REENTER = "reenter"
    STAY_OUT = "stay_out"
    LEAVE = "leave"
    STRIKE = "strike"


@dataclass(frozen=True)
class Choice:
    """One way to settle a conflict, and the events it takes."""

    remedy: Remedy
    changes: tuple[Event, ...]


@dataclass(frozen=True)
class Conflict:
    """Something later that no longer fits, from event `number` on; without choices the correction cannot be saved.

    `before` is the state it was met in; `chosen` is the remedy the preview went on with.
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
        """A name for the conflict that stays the same while its answer is awaited."""
        return "-".join(filter(None, (self.kind.replace("_", "-"), str(self.number), self.player)))


@dataclass(frozen=True)
class Preview:
    """A correction tried out: `after` is None where a conflict has no remedy; `changes` is the whole batch."""

    before: GameState
    after: GameState | None
    conflicts: tuple[Conflict, ...]
    changes: tuple[Event, ...]


def preview(log: Log, *changes: Event, answers: Mapping[str, str] = MappingProxyType({})) -> Preview:
    """What `changes` would make of the log; `answers` names the remedy of each conflict by its key.

    A conflict not answered goes on with its first choice. RuleError where the changes themselves are refused.
    """
    before = replay(log)
    batch, conflicts = tuple(changes), list[Conflict]()
    while True:
        corrected = (*log, *batch)
        after, refusal = replay_until_refused(corrected)
        if refusal is None:
            return Preview(before, after, tuple(conflicts), batch)
        if after is None or refusal.number is None or _is_own(log, changes, refusal.number):
            raise refusal
        conflict = _conflict(corrected, after, refusal, answers)
        if conflict.chosen is None:
            return Preview(before, None, (*conflicts, conflict), batch)
        conflicts.append(conflict)
        batch += next(choice.changes for choice in conflict.choices if choice.remedy is conflict.chosen)


def _is_own(log: Log, changes: Sequence[Event], number: int) -> bool:
    """Whether the refused event is one the person is writing now, not one it collides with."""
    return number > len(log) or any(
        isinstance(change, Corrected) and change.number == number for change in changes
    )


def _conflict(log: Log, state: GameState, refusal: RuleError, answers: Mapping[str, str]) -> Conflict:
    assert refusal.number is not None
    events = effective(log)
    place = next(place for place, (number, _event) in enumerate(events) if number == refusal.number)
    later = events[place:]
    kind, choices = _choices(state, refusal, later)
    conflict = Conflict(kind, refusal.number, later[0][1], refusal.player, state, choices, None)
    answer = answers.get(conflict.key)
    offered = [choice.remedy for choice in choices]
    chosen = next((remedy for remedy in offered if remedy == answer), offered[0] if offered else None)
    return replace(conflict, chosen=chosen)


def _choices(
    state: GameState, refusal: RuleError, later: Sequence[Numbered]
) -> tuple[ConflictKind, tuple[Choice, ...]]:
    number, player = later[0][0], refusal.player
    match refusal.code:
        case Refusal.GAME_OVER:
            struck = tuple(Struck(n) for n, event in later if not isinstance(event, TotalsAgreed))
            return ConflictKind.AFTER_THE_END, (Choice(Remedy.STRIKE, struck),)
        case Refusal.NOT_PENDING:
            return ConflictKind.ANSWER_WITHOUT_BUST, (Choice(Remedy.VOID, (Struck(number),)),)
        case Refusal.MISSING_HAND:
            leaves = Inserted(number, PlayerLeft(player))
            return ConflictKind.MISSED_ROUNDS, (Choice(Remedy.LEAVE, (leaves,)),)
        case Refusal.NOT_IN if state.player(player).seat in (Seat.PENDING, Seat.OUT):
            return ConflictKind.BUST_PLAYED_ON, tuple(_for_a_bust_player(state, player, later))
        case _:
            return ConflictKind.FITS_NO_MORE, (Choice(Remedy.STRIKE, (Struck(number),)),)


def _for_a_bust_player(state: GameState, player: PlayerId, later: Sequence[Numbered]) -> Iterator[Choice]:
    reenters = PlayerReentered(player)
    if allows(state, reenters):
        yield Choice(Remedy.REENTER, (Inserted(later[0][0], reenters),))
    if not any(
        isinstance(event, RoundPlayed) and event.entry.closer == seated
        for _n, event, seated in _in_his_seat(player, later)
    ):
        yield Choice(Remedy.STAY_OUT, tuple(_without(player, later)))


def _without(player: PlayerId, later: Sequence[Numbered]) -> Iterator[Event]:
    """The changes that take a player out of everything later: his hands, his answers, what was done to him."""
    for number, event, seated in _in_his_seat(player, later):
        match event:
            case RoundPlayed(entry) if entry.hand_of(seated) is not None:
                hands = tuple((other, hand) for other, hand in entry.hands if other != seated)
                yield Corrected(number, RoundPlayed(replace(entry, hands=hands)))
            case (
                PlayerReentered(named)
                | PlayerStayedOut(named)
                | PlayerLeft(named)
                | PointsAdjusted(player=named)
                | DealPassed(named)
                | SeatHandedOver(player=named)
            ) if named == seated:
                yield Struck(number)
            case _:
                pass


def _in_his_seat(player: PlayerId, later: Sequence[Numbered]) -> Iterator[tuple[int, TableEvent, PlayerId]]:
    """Everything later, each event with who sits in this player's seat when it comes."""
    for number, event in later:
        yield number, event, player
        if isinstance(event, SeatHandedOver) and event.player == player:
            player = event.to.id
