"""Checks of new events before they are recorded (RULES 1.4).

Pages, previews and game files call these checks for each new event. `replay` never does: it accepts events
that were recorded under older, looser checks. The work of a replay is counted in steps (`effort`), and a new
event may not make the replay of its game take more than MOST_STEPS.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from .card_points import LeftoverPoints
from .effort import Effort, counting_steps
from .errors import Refusal, RuleError
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
    RoundPlayed,
    RulesAgreed,
    SeatHandedOver,
    Struck,
    TableEvent,
)
from .kinds import Rules
from .one_line import LONGEST, one_line
from .replay import extend, replay
from .rounds import Hand, PlayerId, RoundEntry, field_of
from .state import GameState
from .variants import find_variant
from .words import _

# Steps for a whole game: about half a second. Eight people with two packs, whose seven cards each are entered
# in every round, take 0.5 million steps in 25 rounds.
MOST_STEPS = 1_300_000


def admitted(log: Log, events: Sequence[Event]) -> GameState:
    """Return the state after `log` and then `events` are replayed.

    Raise RuleError if the rules refuse an event, or if the replay takes more than MOST_STEPS steps. If `log`
    alone takes more than that, `events` are accepted as long as the replay with them takes no more steps than
    without them.
    """
    whole = (*log, *events)
    try:
        with counting_steps(MOST_STEPS):
            return replay(whole)
    except RuleError as refusal:
        if refusal.code is not Refusal.TOO_MUCH:
            raise
        with counting_steps() as before:
            replay(log)
        if before.taken <= MOST_STEPS:
            raise
    with counting_steps(before.taken):
        return replay(whole)


def admitted_next(state: GameState, effort: Effort, log: Log, events: Sequence[Event]) -> GameState:
    """Return the state after `events` follow `log`, replaying only `events`.

    `state` is the state after `log`, and `effort` has counted the steps of replaying `log`. If an event is a
    correction, the whole log is replayed as in `admitted`. Raise the same errors as `admitted`.
    """
    if not all(isinstance(event, PlayEvent) for event in events):
        return admitted(log, events)
    with counting_steps(MOST_STEPS, after=effort):
        return extend(state, log, events)


def takes_solving(log: Log) -> bool:
    """Return whether the hands of this game are counted by a solver (Chinchón), not by adding up cards.

    A solver takes longer.
    """
    return any(_is_solved(event) for event in log)


def _is_solved(event: Event) -> bool:
    match event:
        case (
            GameStarted(variant=key, options=options)
            | Corrected(event=RulesAgreed(variant=key, options=options))
        ):
            variant = find_variant(key)
            return isinstance(variant.build(variant.house(dict(options))).scoring, LeftoverPoints)
        case _:
            return False


def admit(log: Log, events: Sequence[Event], state: GameState, *, names: Collection[str] = ()) -> None:
    """Check the hands and texts of the new `events`, which follow `log`; `state` is the state after them.

    Raise RuleError, with the event's number, at the first event with a hand of too many cards or a text that
    is not one valid line (`one_line`). A hand, name or reason that the log already contains is accepted: a
    correction may repeat an old one. `names` are accepted too: they are the present names of the table's
    members.
    """
    for number, event in enumerate(events, start=len(log) + 1):
        try:
            _admit_event(log, event, state)
            _admit_texts(log, event, names)
        except RuleError as refusal:
            refusal.number = number
            raise


def admit_round(log: Log, entry: RoundEntry, state: GameState, *, number: int | None = None) -> None:
    """Raise RuleError for a hand of this round with too many cards (see `admit_hand`).

    `number` is the event that the round corrects, None for a new round. A hand that an earlier version of
    that event had is accepted.
    """
    for player, hand in entry.hands:
        try:
            admit_hand(state.rules, hand, name=state.name(player), player=player)
        except RuleError:
            if not any((player, hand) in _hands(known) for known in _versions(log, number)):
                raise


def admit_hand(rules: Rules, hand: Hand, *, name: str, player: PlayerId = "") -> None:
    """Raise RuleError for a hand with more cards than are dealt, in games where a solver counts hands.

    `name` is the holder's name in the error's sentence. The error names the form input for the hand of
    `player`; with "" it names no input.
    """
    if isinstance(rules.scoring, LeftoverPoints) and len(hand.held or ()) > rules.cards_dealt:
        raise RuleError(
            _("{name} has more than {cards} cards.", name=name, cards=rules.cards_dealt),
            field=field_of(player) if player else "",
            player=player,
        )


def _admit_event(log: Log, event: Event, state: GameState) -> None:
    content = event.event if isinstance(event, Corrected | Inserted) else event
    if isinstance(content, RoundPlayed):
        number = event.number if isinstance(event, Corrected) else None
        admit_round(log, content.entry, state, number=number)


def _admit_texts(log: Log, event: Event, names: Collection[str]) -> None:
    """Raise RuleError for a name, reason or text that is not one valid line (`one_line`).

    A text that the log or `names` already contains is accepted.
    """
    for field, text in _texts(event):
        try:
            one_line(text, longest=LONGEST, field=field, quoted=True)
        except RuleError:
            if text not in names and not any(text == known for past in log for _field, known in _texts(past)):
                raise


def _texts(event: Event) -> Iterator[tuple[str, str]]:
    """Yield the names, reasons and texts of an event, as (input field, text)."""
    match event.event if isinstance(event, Corrected | Inserted) else event:
        case GameStarted(players=players) as begun:
            yield from (("players", player.name) for player in players)
            yield from _lines(begun)
        case NightImported(players=players, note=note):
            yield from (("players", player.name) for player in players)
            yield "note", note
        case PlayersSeated(players):
            yield from (("players", player.name) for player in players)
        case RulesAgreed() as agreed:
            yield from _lines(agreed)
        case PlayerJoined(player=newcomer):
            yield "player", newcomer.name
        case SeatHandedOver(to=newcomer):
            yield "to", newcomer.name
        case PointsAdjusted(reason=reason):
            yield "reason", reason


def _lines(agreed: GameStarted | RulesAgreed) -> Iterator[tuple[str, str]]:
    """Yield the options whose value is text, as (key, text)."""
    lines = find_variant(agreed.variant).lines
    yield from ((key, str(value)) for key, value in agreed.options if key in lines)


def _versions(log: Log, number: int | None) -> Iterator[TableEvent | PlayersSeated | RulesAgreed]:
    """Yield every version of event `number`: the original and its corrections; nothing if it is None."""
    for known, event in enumerate(log, start=1):
        match event:
            case Corrected(number=named, event=content) if named == number:
                yield content
            case Inserted(event=content) if known == number:
                yield content
            case Corrected() | Inserted() | Struck():
                pass
            case _ if known == number:
                yield event


def _hands(event: TableEvent | PlayersSeated | RulesAgreed) -> tuple[tuple[PlayerId, Hand], ...]:
    return event.entry.hands if isinstance(event, RoundPlayed) else ()
