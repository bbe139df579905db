"""One round (mano): what was entered, for whom, and what every kind of scoring asks of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import assert_never

from games.scoring.cards import Card
from games.scoring.errors import Refusal, RuleError
from games.scoring.rules import MAX_POINTS, CloserHand, Closing, Rules
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
        return tuple(chain(*self.melds, self.held or ()))


@dataclass(frozen=True)
class RoundEntry:
    """Who closed the round and how, and a hand for each of the others; `closer` is None when nobody did."""

    closer: PlayerId | None
    closing: str
    hands: tuple[tuple[PlayerId, Hand], ...] = ()

    def hand_of(self, player: PlayerId) -> Hand | None:
        """The hand entered for this player, None where it was left out."""
        return self._hand_of.get(player)

    @cached_property
    def _hand_of(self) -> Mapping[PlayerId, Hand]:
        return dict(self.hands)

    def says_the_same_as(self, other: RoundEntry) -> bool:
        """Whether both name the same closer, the same closing and the same hands, in whatever order they were tapped."""
        said, again = ((entry.closer, entry.closing, entry._unordered()) for entry in (self, other))
        return said == again

    def _unordered(self) -> dict[PlayerId, tuple[object, ...]]:
        return {
            player: (hand.points, hand.held and Counter(hand.held), Counter(hand.melds), hand.bought)
            for player, hand in self.hands
        }


@dataclass(frozen=True)
class Deal:
    """What a round is scored in: everybody dealt in, in seat order, with name and total before it.

    `turn` are the same people in the direction of the deal.
    """

    names: Mapping[PlayerId, str]
    totals: Mapping[PlayerId, int]
    turn: tuple[PlayerId, ...]
    contract: str | None = None


@dataclass(frozen=True)
class Doubt:
    """Something odd in a round that is shown and never blocks (RULES 1.4)."""

    player: PlayerId
    text: Text


def field_of(player: PlayerId) -> str:
    """The name of the input a player's hand is entered in."""
    return f"hand-{player}"


def closing_of(rules: Rules, entry: RoundEntry) -> Closing:
    """How the round was closed; RuleError where it cannot end like that."""
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


def check_hands(rules: Rules, entry: RoundEntry, deal: Deal, *, nothing_left: Callable[[Hand], bool]) -> None:
    """RuleError where a hand is missing, the closer has something left, or the pack has no such cards."""
    closing = closing_of(rules, entry)
    for player, name in deal.names.items():
        hand = entry.hand_of(player)
        if player == entry.closer:
            may_be_left_out, may_keep_cards = _asked_of_closer(closing.closer_hand)
            if hand is not None and not may_keep_cards and not nothing_left(hand):
                raise RuleError(_("{name} went out and has nothing left.", name=name), field=field_of(player))
        else:
            may_be_left_out = closing.wins_game
        if hand is None and not may_be_left_out:
            raise RuleError(
                _("The hand of {name} is missing.", name=name),
                code=Refusal.MISSING_HAND,
                field=field_of(player),
                player=player,
            )
    rules.deck.check((field_of(player), hand.cards) for player, hand in entry.hands)


def _asked_of_closer(hand: CloserHand) -> tuple[bool, bool]:
    """Whether the hand of whoever closed the round may be left out, and whether cards may be left in it."""
    match hand:
        case CloserHand.NOTHING:
            return True, False
        case CloserHand.MELDS:
            return False, False
        case CloserHand.REST:
            return False, True
        case _:
            assert_never(hand)


def check_counted(points: int, *, field: str, lowest: int = 0) -> int:
    """Points counted at the table, where they are within bounds; RuleError elsewhere."""
    if not lowest <= points <= MAX_POINTS:
        raise RuleError(
            _("A hand counts from {lowest} to {highest} points.", lowest=lowest, highest=MAX_POINTS),
            field=field,
        )
    return points


def refuse_melds(hand: Hand, field: str) -> None:
    """RuleError where melds are written in a game in which they do not count."""
    if hand.melds:
        raise RuleError(_("Melds on the table do not count in this game."), field=field)


def refuse_fixed_wilds(hand: Hand, field: str) -> None:
    """RuleError where a card in hand is said to stand for another."""
    for card in hand.held or ():
        if card.stands_for:
            raise RuleError(_("In hand, {card} stands for itself.", card=card.rank), field=field)


def refuse_bought(hand: Hand, field: str) -> None:
    """RuleError where bought cards are written in a game that counts none."""
    if hand.bought:
        raise RuleError(_("No bought cards are counted in this game."), field=field)
