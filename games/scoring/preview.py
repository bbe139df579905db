"""A preview of a correction before it is saved: totals, seats, money and conflicts (RULES 1.4)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from . import conflicts, corrections
from .conflicts import Choice, Conflict, ConflictKind, Remedy
from .errors import NotationError, RefusalCode, RuleError
from .events import (
    Corrected,
    Event,
    Inserted,
    Log,
    Player,
    PlayerReentered,
    PlayerStayedOut,
    PlayEvent,
    RoundPlayed,
    SeatHandedOver,
    TableEvent,
)
from .frozen import Frozen
from .replay import replay, replay_until_refused, state_before
from .rounds import PlayerId
from .state import GameState, Seat
from .step_budget import count_steps
from .text.codec import from_data, to_data, with_players
from .validation import MAX_STEPS, check_new_events


@dataclass(frozen=True, eq=False, repr=False)
class Preview(Frozen):
    """The result of trying a correction: the state of the game before and after it, and the conflicts.

    `after` is None if the changes may fit only once what is `missing` is added. `changes` are all events to record,
    remedies included.
    """

    before: GameState
    after: GameState | None
    conflicts: tuple[Conflict, ...]
    changes: tuple[Event, ...]

    @property
    def missing(self) -> Conflict | None:
        """The first place where the corrected game lacks hands, a round or an answer; None if it is complete.

        What it lacks after that place may depend on what is added there.
        """
        return next((conflict for conflict in self.conflicts if conflict.missing), None)


def preview_changes(
    log: Log,
    *changes: Event,
    given: Sequence[Event] = (),
    answers: Mapping[str, str] = MappingProxyType({}),
) -> Preview:
    """Return a preview of the log with `changes` added.

    `given` are the events that add what the changes lack, such as a missing hand; a change of the answers may
    make them unnecessary. `answers` maps the key of a conflict to the chosen remedy. A conflict without an
    answer is resolved by its first choice. Raise RuleError if the changes themselves are refused, or if
    replaying the game without and with them takes too many steps together (`step_budget`).
    """
    with count_steps() as budget:
        before = replay(log)
    with count_steps(max(MAX_STEPS, budget.used + MAX_STEPS // 2), after=budget):
        return _resolve_conflicts(log, changes, given, answers, before)


def _resolve_conflicts(
    log: Log,
    changes: tuple[Event, ...],
    given: Sequence[Event],
    answers: Mapping[str, str],
    before: GameState,
) -> Preview:
    batch, found, is_checked = (*changes, *given), list[Conflict](), False
    while True:
        corrected = (*log, *batch)
        after, refusal = replay_until_refused(corrected)
        if refusal is not None and (
            after is None
            or refusal.code is RefusalCode.TOO_MUCH
            or _is_among_changes(log, changes, refusal.number)
        ):
            if any(conflict.missing for conflict in found):
                return Preview(before, None, tuple(found), batch)  # it may fit once that is added
            raise refusal
        assert after is not None
        if not is_checked:
            check_new_events(log, (*changes, *given))
            is_checked = True
        renamed = refusal and find_renamed_event(log, corrected, after, refusal)
        if renamed:
            batch += (renamed,)
            continue
        conflict = conflicts.find_conflict(corrected, after, refusal) if refusal else None
        unasked = _find_unasked(log, corrected, before, after, found)
        if unasked and (conflict is None or conflict.player != unasked.player):
            conflict = unasked
        if conflict is None and given:
            conflict = _find_other_total(corrected, before, after, found)
        if conflict is None:
            return Preview(before, after, tuple(found), batch)
        conflict = conflicts.with_answer(conflict, answers.get(conflict.key))
        found.append(conflict)
        batch += next(choice.changes for choice in conflict.choices if choice.remedy is conflict.chosen)


def _is_among_changes(log: Log, changes: Sequence[Event], number: int | None) -> bool:
    """Return whether the refused event `number` is part of `changes` or corrected by them.

    If not, it is a later event, which no longer fits. Return True too if `number` is None.
    """
    return (
        number is None
        or len(log) < number <= len(log) + len(changes)
        or any(isinstance(change, Corrected) and change.number == number for change in changes)
    )


# --- answers ----------------------------------------------------------------------------------------------


def _find_unasked(
    log: Log, corrected: Log, before: GameState, after: GameState, found: Sequence[Conflict]
) -> Conflict | None:
    """Return the first conflict about a bust player who would be out without having been asked.

    Players who were out without an answer in the game as it was, `before`, are not asked, nor are those
    whose conflict was resolved already.
    """
    seats = _SeatHolders.of(log, corrected)
    known = {(number, seats.of_player(player)) for number, player in silently_out(before)}
    settled = {conflict.player for conflict in found if conflict.chosen is not Remedy.REENTER}
    for number, player in silently_out(after):
        if (number, seats.of_player(player)) not in known and player not in settled:
            step = next(step for step in after.steps if step.number == number)
            choices = tuple(
                Choice(remedy, (Inserted(number, answer),))
                for remedy, answer in (
                    (Remedy.STAY_OUT, PlayerStayedOut(player)),
                    (Remedy.REENTER, PlayerReentered(player)),
                )
            )
            return Conflict(
                ConflictKind.NO_ANSWER, number, step.event, player, state_before(corrected, number), choices
            )
    return None


def _find_other_total(
    corrected: Log, before: GameState, after: GameState, found: Sequence[Conflict]
) -> Conflict | None:
    """Return the first conflict about a recorded re-entry that the added hands move to another total."""
    asked = {conflict.number for conflict in found if conflict.kind is ConflictKind.OTHER_TOTAL}
    recorded = {step.number: step for step in before.steps if isinstance(step.event, PlayerReentered)}
    for step in after.steps:
        old = recorded.get(step.number)
        if old is None or step.number in asked or not isinstance(step.event, PlayerReentered):
            continue
        number, player = step.number, step.event.player
        if step.totals[player] == old.totals.get(player):
            continue
        choices = [Choice(Remedy.REENTER, ())]
        if conflicts.can_be_removed(player, conflicts.events_from(corrected, number)):
            choices.append(Choice(Remedy.STAY_OUT, (Corrected(number, PlayerStayedOut(player)),)))
        return Conflict(
            ConflictKind.OTHER_TOTAL,
            number,
            step.event,
            player,
            state_before(corrected, number),
            tuple(choices),
        )
    return None


def silently_out(state: GameState) -> Iterator[tuple[int, PlayerId]]:
    """Yield the players who could have come back and were out without an answer, by the event after which."""
    pending = frozenset[PlayerId]()
    for step in state.steps:
        if pending and not isinstance(step.event, PlayerStayedOut):
            for player in step.players:
                if player.seat is Seat.OUT and player.id in pending:
                    yield step.number, player.id
        pending = frozenset(player.id for player in step.players if player.seat is Seat.PENDING)


# --- seats handed over ------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False, repr=False)
class _SeatHolders(Frozen):
    """The people who had the same seat one after the other, before or after the correction."""

    groups: Mapping[PlayerId, frozenset[PlayerId]]

    @classmethod
    def of(cls, log: Log, corrected: Log) -> _SeatHolders:
        groups: dict[PlayerId, frozenset[PlayerId]] = {}
        for _number, event in (*corrections.effective_events(log), *corrections.effective_events(corrected)):
            if isinstance(event, SeatHandedOver):
                pair = (event.player, event.to.id)
                together = frozenset().union(*(groups.get(player, {player}) for player in pair))
                groups.update(dict.fromkeys(together, together))
        return cls(groups)

    def of_player(self, player: PlayerId) -> frozenset[PlayerId]:
        return self.groups.get(player, frozenset({player}))


def find_renamed_event(log: Log, corrected: Log, state: GameState, refusal: RuleError) -> Corrected | None:
    """Return the correction that names who has the seat now, in a refused event that names another holder.

    This follows a handover that the correction moves, adds or removes. Return None in any other case.
    """
    if refusal.code not in (RefusalCode.NOT_IN, RefusalCode.UNKNOWN_PLAYER) or refusal.number is None:
        return None
    event = dict(corrections.effective_events(corrected))[refusal.number]
    holders = _SeatHolders.of(log, corrected).of_player(refusal.player)
    if refusal.player in {player.id for player in state.players} or not isinstance(event, PlayEvent):
        return None
    present = [player for player in state.players if player.id in holders]
    if len(present) != 1:
        return None
    renamed = _with_player(event, refusal.player, Player(present[0].id, present[0].name))
    return None if renamed is None else Corrected(refusal.number, renamed)


def _with_player(event: TableEvent, old: PlayerId, new: Player) -> PlayEvent | None:
    """Return the event with one player in place of another; None if it names both."""
    if isinstance(event, RoundPlayed) and (event.entry.hand_of(new.id) or event.entry.closer == new.id):
        return None
    try:
        renamed = from_data(event.kind, with_players(event.kind, to_data(event), {old: new}))
    except NotationError:
        return None
    assert isinstance(renamed, PlayEvent)
    return renamed
