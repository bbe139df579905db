"""What may be entered from now on (RULES 1.4): refusals newer than what some games hold, which replays as it always did.

Whoever enters something asks here: pages, previews, game files. `replay` never does.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from games.scoring.effort import Effort, counted
from games.scoring.errors import Refusal, RuleError
from games.scoring.events import (
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
from games.scoring.one_line import LONGEST, one_line
from games.scoring.replay import extend, replay
from games.scoring.rounds import Hand, PlayerId, RoundEntry, field_of
from games.scoring.rules import LeftoverPoints, Rules
from games.scoring.state import GameState
from games.scoring.variants import find_variant
from games.scoring.words import _

MOST_STEPS = 2_000_000  # of a game: about half a second, and more than any night that people play takes


def admitted(log: Log, events: Sequence[Event]) -> GameState:
    """The state after `events` follow the log; RuleError where the rules, or the counting they take, do not allow them.

    A game that takes too much counting already may go on as long as it takes no more.
    """
    whole = (*log, *events)
    try:
        with counted(MOST_STEPS):
            return replay(whole)
    except RuleError as refusal:
        if refusal.code is not Refusal.TOO_MUCH:
            raise
        with counted() as before:
            replay(log)
        if before.taken <= MOST_STEPS:
            raise
    with counted(before.taken):
        return replay(whole)


def admitted_next(state: GameState, effort: Effort, log: Log, events: Sequence[Event]) -> GameState:
    """Return what `admitted` returns, where `state` is the state after `log` and `effort` what replaying it took."""
    if not all(isinstance(event, PlayEvent) for event in events):
        return admitted(log, events)
    with counted(MOST_STEPS, after=effort):
        return extend(state, log, events)


def takes_solving(log: Log) -> bool:
    """Whether hands of this game are solved, which takes longer than adding cards up."""
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
    """RuleError, with its number, for the first of `events` that may follow `log` no more; `state` comes of them.

    What the log holds already may stay as it is: a correction that only repeats an old hand is no new one. So may the
    `names` people have at their table.
    """
    for number, event in enumerate(events, start=len(log) + 1):
        try:
            _admit_event(log, event, state)
            _admit_texts(log, event, names)
        except RuleError as refusal:
            refusal.number = number
            raise


def admit_round(log: Log, entry: RoundEntry, state: GameState, *, number: int | None = None) -> None:
    """RuleError for a hand nobody may enter, in the round to come or in the one recorded as event `number`."""
    for player, hand in entry.hands:
        try:
            admit_hand(state.rules, hand, name=state.name(player), player=player)
        except RuleError:
            if not any((player, hand) in _hands(known) for known in _versions(log, number)):
                raise


def admit_hand(rules: Rules, hand: Hand, *, name: str, player: PlayerId = "") -> None:
    """RuleError for more cards than anybody holds in Chinchón, where all of them are told apart or added up."""
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
    """RuleError for a name or a reason that breaks the law of a line, and stands nowhere yet."""
    for field, text in _texts(event):
        try:
            one_line(text, longest=LONGEST, field=field, quoted=True)
        except RuleError:
            if text not in names and not any(text == known for one in log for _field, known in _texts(one)):
                raise


def _texts(event: Event) -> Iterator[tuple[str, str]]:
    """The names, reasons and texts an event holds, each with the field it is typed in."""
    match event.event if isinstance(event, Corrected | Inserted) else event:
        case GameStarted(players=players) as begun:
            yield from (("players", player.name) for player in players)
            yield from _lines(begun)
        case NightImported(players=players) | PlayersSeated(players):
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
    """What is text among the options."""
    lines = find_variant(agreed.variant).lines
    yield from ((key, str(value)) for key, value in agreed.options if key in lines)


def _versions(log: Log, number: int | None) -> Iterator[TableEvent | PlayersSeated | RulesAgreed]:
    """What event `number` ever said, before it was corrected and since."""
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
