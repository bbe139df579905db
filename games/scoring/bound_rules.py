"""The rules of a game with its options, built once for many hands and games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from .arguments import check_cards, check_text
from .card_points import LeftoverPoints
from .cards import Card, advise_cards
from .counting import hand_points
from .frozen import Frozen
from .options import House, Variant
from .rounds import Hand
from .rule_types import Rules

if TYPE_CHECKING:
    from .going_down import NotDown
    from .solvers.contracts import Bajada
    from .solvers.leftovers import Leftover


@dataclass(frozen=True, eq=False, repr=False)
class BoundRules(Frozen):
    """The rules of one game with its options in force, for counting many hands.

    `house` has every option with its value, and `rules` is what they make of the game. `variant` has the name
    that the options give the game. Threads may share the object.
    """

    variant: Variant
    house: House
    rules: Rules

    def __repr__(self) -> str:
        return f"<BoundRules {self.variant.title(self.house)}>"

    def score_hand(self, hand: str | Sequence[Card]) -> int:
        """Return the points of one hand, before any bonus for closing the round.

        The hand is its cards, or a text as in NOTATION (Hands). Raise RuleError for a hand that nobody can
        hold under these rules.
        """
        return hand_points(self.rules, self._parse_hand("hand", hand))

    def least_leftover(self, hand: str | Sequence[Card]) -> Leftover:
        """Return the groups (juegos) of a dealt hand that leave the fewest points, and the cards left (sobrante).

        Raise ValueError for a game that counts no leftovers, for a hand with fewer or more cards than are
        dealt, and for cards without their suits. Raise RuleError for cards that the pack does not have.
        """
        from .leftover_points import dealt_cards, get_solver  # solvers are slow to import

        given = self._parse_hand("hand", hand)
        if not isinstance(self.rules.scoring, LeftoverPoints):
            raise ValueError(f"{self.variant.key} counts no leftovers")
        dealt = dealt_cards(self.rules, given)
        if dealt is None:
            raise ValueError(f"a hand is {self.rules.cards_dealt} cards with their suits")
        return get_solver(self.rules).best(dealt)

    def lay_down(self, contract: str, cards: str | Sequence[Card]) -> Bajada | NotDown:
        """Return the contract laid down from these cards, or the reasons why they do not fulfill it.

        `contract` is its name, or the number of its round. Raise RuleError for a game without contracts.
        """
        from .going_down import get_contract, go_down, require_cards_only

        check_text("contract", contract)
        given = self._parse_hand("cards", cards)
        return go_down(self.rules, self.house, get_contract(self.rules, contract), require_cards_only(given))

    def _parse_hand(self, name: str, given: str | Sequence[Card]) -> Hand:
        if isinstance(given, str):
            from .text.notation import parse_hand

            with advise_cards(self.rules.deck):
                return parse_hand(given)
        check_cards(name, given)
        return Hand(held=tuple(given))


@lru_cache(maxsize=64)  # a table plays by the same options for years, and exceptions are not cached
def build_bound_rules(variant: Variant, house: House) -> BoundRules:
    """Return the rules of a variant with these options, from a cache.

    `register` and `unregister` in `custom` empty the cache, because the numbers of a custom game may change.
    """
    return BoundRules(variant.with_name_from(house), house, variant.build(house))
