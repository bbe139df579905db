"""Checks of new events before they are recorded (RULES 1.4).

Pages, previews and the library call these checks for each new event, game files those of texts. `replay`
never does: which lines are valid depends on the version of Unicode, but a recorded game stays valid
forever. The work of a replay is counted in steps (`step_budget`), and a new event may not make the replay of
its game take more than MAX_STEPS.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .card_points import LeftoverPoints
from .errors import RefusalCode, RuleError
from .events import (
    Corrected,
    Event,
    GameStarted,
    Inserted,
    Log,
    NightImported,
    PlayerJoined,
    PlayersSeated,
    PlayEvent,
    PointsAdjusted,
    RulesAgreed,
    SeatHandedOver,
)
from .option_checks import check_options
from .replay import extend, replay
from .state import GameState
from .step_budget import StepBudget, count_steps
from .text_line import MAX_TEXT_LENGTH, clean_line
from .variants import get_variant

# Steps for a whole game: about half a second. Eight people with two packs, whose seven cards each are entered
# in every round, take 0.5 million steps in 25 rounds.
MAX_STEPS = 1_300_000


def replay_within_limit(log: Log, events: Sequence[Event]) -> GameState:
    """Return the state after `log` and then `events` are replayed.

    Raise RuleError if the rules refuse an event, or if the replay takes more than MAX_STEPS steps. If `log`
    alone takes more than that, `events` are accepted if the replay takes no more steps with them.
    """
    whole = (*log, *events)
    try:
        with count_steps(MAX_STEPS):
            return replay(whole)
    except RuleError as refusal:
        if refusal.code is not RefusalCode.TOO_MUCH:
            raise
        with count_steps() as before:
            replay(log)
        if before.used <= MAX_STEPS:
            raise
    with count_steps(before.used):
        return replay(whole)


def extend_within_limit(state: GameState, budget: StepBudget, log: Log, events: Sequence[Event]) -> GameState:
    """Return the state after `events` follow `log`, replaying only `events`.

    `state` is the state after `log`, and `budget` has counted the steps of replaying `log`. If an event is a
    correction, the whole log is replayed as in `replay_within_limit`. Raise the same errors as
    `replay_within_limit`.
    """
    if not all(isinstance(event, PlayEvent) for event in events):
        return replay_within_limit(log, events)
    with count_steps(MAX_STEPS, after=budget):
        return extend(state, log, events)


def needs_solver(log: Log) -> bool:
    """Return whether a solver counts the hands of this game (Chinchón), which takes longer than adding."""
    for event in log:
        agreed = event.event if isinstance(event, Corrected) else event
        if isinstance(agreed, GameStarted | RulesAgreed):
            variant = get_variant(agreed.variant)
            if isinstance(variant.build(variant.house(dict(agreed.options))).scoring, LeftoverPoints):
                return True
    return False


def check_new_events(log: Log, events: Sequence[Event]) -> None:
    """Check the options and the texts of the new `events`, which follow `log`.

    Raise RuleError, with the event's number, at the first event with an option that cannot be met
    (`check_options`) or an invalid text (`check_texts`).
    """
    for number, event in enumerate(events, start=len(log) + 1):
        agreed = event.event if isinstance(event, Corrected) else event
        if isinstance(agreed, GameStarted | RulesAgreed):
            variant = get_variant(agreed.variant)
            try:
                check_options(variant, variant.house(dict(agreed.options)))
            except RuleError as refusal:
                refusal.number = number
                raise
    check_texts(log, events)


def check_texts(log: Log, events: Sequence[Event]) -> None:
    """Check the texts of the new `events`, which follow `log`.

    Raise RuleError, with the event's number, at the first event with a name, reason or other text that is not
    one valid line (`clean_line`).
    """
    for number, event in enumerate(events, start=len(log) + 1):
        for field, text in _event_texts(event):
            try:
                clean_line(text, longest=MAX_TEXT_LENGTH, field=field, quoted=True)
            except RuleError as refusal:
                refusal.number = number
                raise


def _event_texts(event: Event) -> Iterator[tuple[str, str]]:
    """Yield the names, reasons and texts of an event, as (input field, text)."""
    match event.event if isinstance(event, Corrected | Inserted) else event:
        case GameStarted(players=players) as begun:
            yield from (("players", player.name) for player in players)
            yield from _text_options(begun)
        case NightImported(players=players, note=note):
            yield from (("players", player.name) for player in players)
            yield "note", note
        case PlayersSeated(players):
            yield from (("players", player.name) for player in players)
        case RulesAgreed() as agreed:
            yield from _text_options(agreed)
        case PlayerJoined(player=newcomer):
            yield "player", newcomer.name
        case SeatHandedOver(to=newcomer):
            yield "to", newcomer.name
        case PointsAdjusted(reason=reason):
            yield "reason", reason


def _text_options(agreed: GameStarted | RulesAgreed) -> Iterator[tuple[str, str]]:
    """Yield the options whose value is text, as (key, text)."""
    lines = get_variant(agreed.variant).text_option_keys
    yield from ((key, str(value)) for key, value in agreed.options if key in lines)
