"""One round (mano): what was entered, and the points it gives everybody."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import assert_never

from games.scoring.cards import Card
from games.scoring.errors import Refusal, RuleError
from games.scoring.rules import MAX_POINTS, Closing, HeldPoints, Rules
from games.scoring.words import Text, _

PlayerId = str


@dataclass(frozen=True)
class Hand:
    """What was left to a player: `points` counted at the table, or cards for us to count.

    `held` is None where only melds were written; `melds` and `bought` exist in the games that have them.
    """

    points: int | None = None
    held: tuple[Card, ...] | None = None
    melds: tuple[tuple[Card, ...], ...] = ()
    bought: int = 0

    @property
    def is_empty(self) -> bool:
        """Whether this hand says that nothing was left."""
        return self.points == 0 if self.points is not None else self.held == () and not self.melds

    @property
    def cards(self) -> tuple[Card, ...]:
        """Every card of the hand, melds included."""
        return tuple(card for meld in self.melds for card in meld) + (self.held or ())


@dataclass(frozen=True)
class RoundEntry:
    """Who closed the round and how, and a hand for each of the others; `closer` is None when nobody did."""

    closer: PlayerId | None
    closing: str
    hands: tuple[tuple[PlayerId, Hand], ...] = ()

    def hand_of(self, player: PlayerId) -> Hand | None:
        """The hand entered for this player, None where it was left out."""
        return dict(self.hands).get(player)


@dataclass(frozen=True)
class Doubt:
    """Something odd in a round that is shown and never blocks (RULES 1.4)."""

    player: PlayerId
    text: Text


def field_of(player: PlayerId) -> str:
    """The name of the input a player's hand is entered in."""
    return f"hand-{player}"


def score_round(rules: Rules, entry: RoundEntry, names: Mapping[PlayerId, str]) -> dict[PlayerId, int]:
    """The points of the round for everybody dealt in, bonus included and floor not yet applied.

    `names` are the players dealt in, in seat order, with the names to be shown; the entry speaks of nobody else.
    RuleError for what cannot be scored.
    """
    closing = _closing(rules, entry)
    for player, hand in entry.hands:
        if player == entry.closer and not hand.is_empty:
            raise RuleError(
                _("{name} went out and has nothing left.", name=names[player]), field=field_of(player)
            )
    rules.deck.check((field_of(player), hand.cards) for player, hand in entry.hands)
    points = {}
    for player, name in names.items():
        if player == entry.closer:
            points[player] = closing.bonus
            continue
        found = entry.hand_of(player)
        if found is None:
            raise RuleError(
                _("The hand of {name} is missing.", name=name),
                code=Refusal.MISSING_HAND,
                field=field_of(player),
                player=player,
            )
        points[player] = hand_points(rules, found, field=field_of(player))
    return points


def _closing(rules: Rules, entry: RoundEntry) -> Closing:
    closing = rules.closing(entry.closing)
    if closing is None:
        raise RuleError(
            _("A round does not end with “{closing}” here.", closing=entry.closing), field="closing"
        )
    if closing.by_player and entry.closer is None:
        raise RuleError(_("Somebody has to go out for that."), field="closer")
    if not closing.by_player and entry.closer is not None:
        raise RuleError(_("Nobody goes out when the stock runs out."), field="closer")
    return closing


def hand_points(rules: Rules, hand: Hand, *, field: str = "") -> int:
    """The points of one hand, before any bonus; RuleError where this game has no such hand."""
    match rules.scoring:
        case HeldPoints(values):
            return _held_points(values, hand, field)
        case _:
            assert_never(rules.scoring)


def _held_points(values: Mapping[str, int], hand: Hand, field: str) -> int:
    if hand.melds:
        raise RuleError(_("Melds on the table do not count in this game."), field=field)
    if hand.bought:
        raise RuleError(_("No bought cards are counted in this game."), field=field)
    if hand.points is not None:
        if not 0 <= hand.points <= MAX_POINTS:
            raise RuleError(_("A hand counts from 0 to {highest} points.", highest=MAX_POINTS), field=field)
        return hand.points
    for card in hand.held or ():
        if card.stands_for:
            raise RuleError(_("In hand, {card} stands for itself.", card=card.rank), field=field)
        if card.rank not in values:
            raise RuleError(_("The pack has no {card}.", card=str(card)), field=field)
    return sum(values[card.rank] for card in hand.held or ())


def doubts(
    rules: Rules, entry: RoundEntry, points: Mapping[PlayerId, int], names: Mapping[PlayerId, str]
) -> tuple[Doubt, ...]:
    """What is odd in a round that can be scored, in seat order."""
    found = []
    cheapest, dearest = least_points(rules), most_points(rules)
    for player, name in names.items():
        if player == entry.closer:
            continue
        hand = entry.hand_of(player)
        held = len(hand.held) if hand is not None and hand.held is not None else 0
        if points[player] == 0:
            found.append(Doubt(player, _("{name} has 0 and did not go out.", name=name)))
        elif points[player] < cheapest:
            found.append(
                Doubt(
                    player, _("{name} has less than the cheapest card, {points}.", name=name, points=cheapest)
                )
            )
        elif points[player] > dearest:
            found.append(
                Doubt(
                    player, _("{name} has more than {points}, the dearest hand.", name=name, points=dearest)
                )
            )
        elif held > rules.cards_dealt:
            found.append(
                Doubt(player, _("{name} has more than {cards} cards.", name=name, cards=rules.cards_dealt))
            )
    return tuple(found)


def least_points(rules: Rules) -> int:
    """The points of the cheapest card of the pack."""
    match rules.scoring:
        case HeldPoints(values):
            return min(values.values())
        case _:
            assert_never(rules.scoring)


def most_points(rules: Rules) -> int:
    """The points of the dearest hand the pack can deal."""
    match rules.scoring:
        case HeldPoints(values):
            return _dearest(rules, values)
        case _:
            assert_never(rules.scoring)


def _dearest(rules: Rules, values: Mapping[str, int]) -> int:
    """The points of as many cards as are dealt, the dearest of the pack first."""
    points, left = 0, rules.cards_dealt
    for rank in sorted(rules.deck.ranks_with_jokers(), key=values.__getitem__, reverse=True):
        taken = min(left, rules.deck.copies_of(rank))
        points += taken * values[rank]
        left -= taken
        if not left:
            break
    return points
