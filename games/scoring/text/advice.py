"""Advice on a refused correction: the rounds and hands that are missing, and a line in the notation."""

from __future__ import annotations

from collections.abc import Sequence

from ..conflicts import Choice, Conflict, Missing, find_conflict, find_missed_rounds
from ..errors import RefusalCode, RuleError
from ..events import (
    Corrected,
    Correction,
    Event,
    Inserted,
    Log,
    PlayerReentered,
    PlayerStayedOut,
    RoundPlayed,
)
from ..i18n import Text, _, ngettext
from ..preview import find_renamed_event, preview_changes, silently_out
from ..replay import replay, replay_until_refused, state_before
from ..rounds import PlayerId
from ..state import GameState
from .notation_writer import write_event

HAND, HOW, CLOSER = "HAND", "HOW", "CLOSER"  # stand for what the writer has to fill in


def advise(log: Log, events: Sequence[Event], refusal: RuleError) -> RuleError:
    """Return the refusal of `events`, which follow `log`, with what to write instead if that can be told.

    It can for a correction that later events contradict or that lacks hands, and for a re-entry after the
    next round.
    """
    text = _advice(log, events, refusal)
    if text is None:
        return refusal
    return RuleError(
        text, code=refusal.code, field=refusal.field, player=refusal.player, number=refusal.number
    )


def _advice(log: Log, events: Sequence[Event], refusal: RuleError) -> Text | None:
    if refusal.number is None or refusal.code is RefusalCode.TOO_MUCH:
        return None
    try:
        if len(events) == 1 and isinstance(events[0], PlayerReentered):
            return _late_reentry(log, events[0].player)
        corrected = (*log, *events)
        state, found = replay_until_refused(corrected)
        if state is None or found is None or not _is_later(log, events, found.number):
            return None
        renamed = find_renamed_event(log, corrected, state, found)
        if renamed is not None:
            return _text_with_line(found, state, renamed.number, write_event(renamed))
        return _conflict_advice(corrected, find_conflict(corrected, state, found), found)
    except RuleError:
        return None


def _is_later(log: Log, events: Sequence[Event], number: int | None) -> bool:
    """Return whether event `number` precedes the corrections `events`, and none of them replaces it."""
    replaced = {event.number for event in events if isinstance(event, Corrected)}
    is_correction = any(isinstance(event, Correction) for event in events)
    return is_correction and number is not None and number <= len(log) and number not in replaced


def _conflict_advice(corrected: Log, conflict: Conflict, refusal: RuleError) -> Text | None:
    if conflict.missing is Missing.HANDS:
        missed = find_missed_rounds(corrected, conflict)
        return ngettext(
            "{name}'s hand is missing in round {rounds} (event {numbers}). Write on the same line: {line}",
            "{name}'s hand is missing in rounds {rounds} (events {numbers}). Write on the same line: {line}",
            max(len(missed), 1),
            name=conflict.before.player_name(conflict.player),
            rounds=", ".join(str(played) for _number, played in missed),
            numbers=", ".join(str(number) for number, _played in missed),
            line=_line_with_hands(conflict),
        )
    if conflict.missing is Missing.ROUND:
        return _text_with_line(refusal, conflict.before, conflict.number, _line_anew(conflict))
    lines = [_choice_line(choice) for choice in conflict.choices]
    return _text_with_line(refusal, conflict.before, conflict.number, *lines) if lines else None


def _text_with_line(refusal: RuleError, before: GameState, number: int, *lines: str) -> Text:
    text = (
        _("{sentence} That is round {round} (event {number}). Write on the same line: {line}")
        if len(lines) == 1
        else _(
            "{sentence} That is round {round} (event {number}). Write on the same line: {line}, or: {other}"
        )
    )
    return text.filled(
        sentence=refusal.text, round=len(before.rounds) + 1, number=number, line=lines[0], other=lines[-1]
    )


def _choice_line(choice: Choice) -> str:
    return " ; ".join(map(write_event, choice.changes))


def _line_with_hands(conflict: Conflict) -> str:
    """Return the correction that adds the missing hands to the recorded round."""
    line = write_event(Corrected(conflict.number, _get_round(conflict)))
    return " ".join((line, *(f"{player}={HAND}" for player in conflict.missing_players)))


def _line_anew(conflict: Conflict) -> str:
    """Return the correction that records the whole round anew, as far as it is known."""
    entry, rules = _get_round(conflict).entry, conflict.before.rules
    players, closing = [player.id for player in conflict.before.playing], rules.closing(entry.closing)
    closer = "nobody" if not rules.asks_closer else entry.closer if entry.closer in players else CLOSER
    if closing is not None and closing.closer_hand.is_optional and closer in players:
        players.remove(closer)
    how = HOW if closing is None else entry.closing
    hands = (f"{player}={HAND}" for player in players)
    return " ".join((f"correct {conflict.number} round", closer, how, *hands))


def _get_round(conflict: Conflict) -> RoundPlayed:
    assert isinstance(conflict.event, RoundPlayed)
    return conflict.event


def _late_reentry(log: Log, player: PlayerId) -> Text | None:
    """Return what to write for a player who was recorded as out, and who came back after all."""
    state = replay(log)
    change: Corrected | Inserted | None = None
    for step in state.steps:
        if step.event == PlayerStayedOut(player):
            change = Corrected(step.number, PlayerReentered(player))
    for number, silent in silently_out(state):
        if silent == player:
            change = Inserted(number, PlayerReentered(player))
    if change is None or state.player(player).is_in:
        return None
    missing = preview_changes(log, change).missing
    lines = [write_event(change)]
    if missing is not None and missing.missing is Missing.HANDS:
        lines.append(_line_with_hands(missing))
    before = state_before(log, change.number)
    return _("{name} was out after round {round} (event {number}). If they came back, write: {line}").filled(
        name=state.player_name(player),
        round=len(before.rounds),
        number=change.number,
        line=" ; ".join(lines),
    )
