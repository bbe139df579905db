"""Builders of events for `Game.add`: a typed function for each statement (NOTATION, Statements).

A hand is given as points, as cards, or as in the notation: `12`, `"K 7 *"`, `[Card("K"), Card("7")]`, `"{A 2
Q}[4 *]"`. All builders raise NotationError for an invalid id or card.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace as with_changes
from typing import TypeAlias, get_args

from . import events
from .arguments import check_number, check_players, check_text, check_type, check_values
from .cards import Card
from .frozen import FrozenDict
from .option_checks import check_options, naming_option
from .rounds import Hand, RoundEntry
from .rule_types import Value
from .text.notation import parse_hand, parse_id
from .variants import get_variant

__all__ = [
    "HandGiven",
    "adjust",
    "agree",
    "before",
    "closed",
    "correct",
    "deal",
    "game",
    "join",
    "leave",
    "nobody",
    "players",
    "reenter",
    "replace",
    "stay_out",
    "stop",
    "strike",
    "won",
]

HandGiven: TypeAlias = int | str | Sequence[Card] | Hand
_NOTATION_START = re.compile(r"[\[{]|[0-9]+\+")
_HAND_WANTED = 'points such as 12, cards such as "K 7 *", or a hand'
PLAYED = get_args(events.PlayEvent)
CORRECTING = (*PLAYED, events.RulesAgreed, events.PlayersSeated)
_NONE: Mapping[str, int] = FrozenDict()


def game(variant: str, **options: Value) -> events.RulesAgreed:
    """Return the rules of a game. `options` are the house rules by key.

    They may include `dealer` (an id) and `direction`. Raise RuleError for an unknown game or option, and for
    a value that is not allowed.
    """
    check_text("variant", variant)
    card_game = get_variant(variant)
    dealer, direction = options.pop("dealer", ""), options.pop("direction", card_game.direction)
    check_values(options)
    with naming_option(card_game):
        house = card_game.house(options)
        check_options(card_game, house)
    return events.RulesAgreed(variant, house.options, str(dealer), str(direction))


def players(players: Iterable[str] | Mapping[str, str]) -> events.PlayersSeated:
    """Return the players of a game, clockwise, given as ids or as a mapping from id to name."""
    check_players(players)
    named = players if isinstance(players, Mapping) else {}
    return events.PlayersSeated(tuple(_player(player, named.get(player, "")) for player in players))


def closed(
    by: str, hands: Mapping[str, HandGiven] = _NONE, *, how: str = "out", bought: Mapping[str, int] = _NONE
) -> events.RoundPlayed:
    """Return a round that a player closed.

    `hands` has the hands of the others, and the closer's where it counts. `how` is the key of the closing.
    `bought` gives, by player, the number of cards that were bought.
    """
    return _round(_player_id("by", by), how, hands, bought)


def nobody(
    hands: Mapping[str, HandGiven], *, how: str = "played", bought: Mapping[str, int] = _NONE
) -> events.RoundPlayed:
    """Return a round that nobody closed. `how` is the key of the closing: "stock_out" if the stock ran out."""
    return _round(None, how, hands, bought)


def _round(
    closer: str | None, how: str, hands: Mapping[str, HandGiven], bought: Mapping[str, int]
) -> events.RoundPlayed:
    check_type("hands", hands, Mapping, "a mapping from id to hand")
    check_text("how", how)
    check_type("bought", bought, Mapping, "a mapping from id to a number of cards")
    if not bought.keys() <= hands.keys():
        raise ValueError("a player who bought cards has no hand")
    parsed_hands = (
        (_player_id("a player", player), _hand(player, hand, bought.get(player, 0)))
        for player, hand in hands.items()
    )
    return events.RoundPlayed(RoundEntry(closer, how, tuple(parsed_hands)))


def _hand(player: str, given: HandGiven, bought: int) -> Hand:
    check_type(f"the hand of {player}", given, (int, str, Hand, Sequence), _HAND_WANTED)
    check_number(f"the number of cards that {player} bought", bought)
    if isinstance(given, str):
        text = given.strip()
        if text.isdecimal():
            raise ValueError(f'"{text}" may be points or a card: give {text} as a number, or "[{text}]"')
        hand = parse_hand(text if _NOTATION_START.match(text) else f"[{text}]")
    elif isinstance(given, int):
        hand = Hand(points=given)
    elif isinstance(given, Hand):
        hand = given
    else:
        for card in given:
            check_type(f"a card of {player}", card, Card, "a Card")
        hand = Hand(held=tuple(given))
    return with_changes(hand, bought=bought) if bought else hand


def _player_id(name: str, given: str) -> str:
    check_text(name, given)
    return parse_id(given)


def reenter(player: str) -> events.PlayerReentered:
    """Return a bust player's re-entry."""
    return events.PlayerReentered(_player_id("player", player))


def stay_out(player: str) -> events.PlayerStayedOut:
    """Return a bust player's decision not to come back."""
    return events.PlayerStayedOut(_player_id("player", player))


def join(player: str, name: str = "", *, after: str = "") -> events.PlayerJoined:
    """Return a newcomer, seated to the left of `after`.

    If `after` is "", their seat is at the end of the list of players.
    """
    return events.PlayerJoined(_player(player, name), after and _player_id("after", after))


def leave(player: str) -> events.PlayerLeft:
    """Return a player's departure before the end of the game."""
    return events.PlayerLeft(_player_id("player", player))


def replace(player: str, by: str, name: str = "") -> events.SeatHandedOver:
    """Return the handover of a player's seat to the person with the id `by`."""
    return events.SeatHandedOver(_player_id("player", player), _player(by, name))


def _player(player: str, name: str) -> events.Player:
    return events.Player(_player_id("a player", player), name or player)


def adjust(player: str, points: int, reason: str) -> events.PointsAdjusted:
    """Return points added to a player's total by agreement: a penalty or a bonus."""
    check_number("points", points)
    check_text("reason", reason)
    return events.PointsAdjusted(_player_id("player", player), points, reason)


def agree(totals: Mapping[str, int]) -> events.TotalsAgreed:
    """Return totals that the players agreed on; the computed totals do not change."""
    check_type("totals", totals, Mapping, "a mapping from id to total")
    for player, total in totals.items():
        check_number(f"the total of {player}", total)
    return events.TotalsAgreed(tuple((parse_id(player), total) for player, total in totals.items()))


def deal(player: str) -> events.DealPassed:
    """Return the decision that this player deals next."""
    return events.DealPassed(_player_id("player", player))


def stop(how: events.Stop) -> events.GameStopped:
    """Return the agreement to stop the game early."""
    return events.GameStopped(events.Stop(how))


def won(*players: str) -> events.WinnersNamed:
    """Return the statement that these players have won the game."""
    return events.WinnersNamed(tuple(map(parse_id, players)))


def correct(
    number: int, event: events.PlayEvent | events.RulesAgreed | events.PlayersSeated
) -> events.Corrected:
    """Return a correction of event `number`: `game` or `players` for event 1, an event for any other."""
    check_number("number", number)
    check_type(
        "event",
        event,
        CORRECTING,
        "an event such as entries.closed(…), entries.game(…) or entries.players(…)",
    )
    return events.Corrected(number, event)


def before(number: int, event: events.PlayEvent) -> events.Inserted:
    """Return an event inserted just before event `number`."""
    check_number("number", number)
    check_type("event", event, PLAYED, "an event such as entries.closed(…)")
    return events.Inserted(number, event)


def strike(number: int) -> events.Struck:
    """Return the removal of event `number`."""
    check_number("number", number)
    return events.Struck(number)


def __dir__() -> list[str]:
    """Return the public names, without what this module imports."""
    return sorted({*__all__, *(name for name in globals() if name.startswith("__"))})
