"""Going down (bajarse): whether cards fulfill a contract under these rules (RULES 4), and if not, why.

A contract is the melds that a round requires. A player lays all of them down at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from .card_points import HeldPoints
from .cards import JOKER, Card
from .errors import RuleError
from .frozen import Frozen
from .i18n import _
from .options import House
from .rounds import Hand, refuse_fixed_wilds
from .rule_types import Rules
from .solvers.contracts import CONTRACTS, Bajada, Contract, Lacking, lay_contract, lay_largest_part

CONTRACT, CARDS = "contract", "cards"  # the input fields named in refusals
MAX_CARDS: Final = 20  # more cards than anyone holds: those dealt, one drawn, and some bought


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class NotDown(Frozen):
    """The reasons why a contract cannot be laid down.

    `lacking` tells which melds or cards are missing. The flags tell why cards that look sufficient are not:
    too many jokers in one meld, or cards whose suit is unknown.
    """

    lacking: Lacking
    too_many_jokers: bool
    unseen_suits: bool


def get_contract(rules: Rules, name: str) -> Contract:
    """Return the contract with this name, or the contract of the round with this number.

    Raise RuleError if there is none.
    """
    if not rules.contracts:
        raise RuleError(_("This game has no contracts."))
    if name.isascii() and name.isdigit():
        number = int(name[:9])
        if not 1 <= number <= len(rules.contracts):
            text = _("This game has {count} contracts.", count=len(rules.contracts))
            raise RuleError(text, field=CONTRACT)
        name = rules.contracts[number - 1]
    if name not in CONTRACTS:
        keys = ", ".join(rules.contracts)
        raise RuleError(
            _("There is no contract “{name}”. Contracts: {keys}.", name=name, keys=keys), field=CONTRACT
        )
    return CONTRACTS[name]


def require_cards_only(hand: Hand) -> tuple[Card, ...]:
    """Return the cards of a hand that was entered as cards only.

    Raise RuleError if the hand has points, melds or bought cards.
    """
    if hand.held is None or hand.melds or hand.bought:
        raise RuleError(_("Enter only cards."), field=CARDS)
    return hand.held


def go_down(rules: Rules, house: House, contract: Contract, cards: Sequence[Card]) -> Bajada | NotDown:
    """Return the contract laid down from these cards, or the reasons why they do not fulfill it.

    Raise RuleError for cards that no player can hold.
    """
    _check_cards(rules, cards)
    assert isinstance(rules.scoring, HeldPoints)
    values = rules.scoring.values
    most_jokers = house.number_or_none("jokers_per_meld") or rules.deck.jokers
    bajada = lay_contract(cards, contract, values, most_jokers=most_jokers)
    if bajada is not None:
        return bajada
    least = lay_largest_part(cards, contract, values, most_jokers=most_jokers)
    with_any = lay_contract(cards, contract, values, most_jokers=rules.deck.jokers)
    return NotDown(
        least,
        too_many_jokers=with_any is not None,
        unseen_suits=any(_needs_suit(card, least) for card in least.kept),
    )


def _needs_suit(card: Card, least: Lacking) -> bool:
    """Return whether the card has an unknown suit and might fill a missing place if the suit were known."""
    return not card.suit and card.rank != JOKER and (least.runs > 0 or card.rank in least.ranks)


def _check_cards(rules: Rules, cards: Sequence[Card]) -> None:
    if len(cards) > MAX_CARDS:
        raise RuleError(_("A hand has at most {most} cards.", most=MAX_CARDS), field=CARDS)
    refuse_fixed_wilds(Hand(held=tuple(cards)), CARDS)
    rules.deck.check([(CARDS, cards)])
