"""Melds (RULES 3.1, 3.2): sets and runs, the best places for their wilds, and their value in a game.

The cards are those of French packs, as many as `MeldPoints.copies`; `Deck.check` ensures that there are
enough copies. The order of the cards does not matter: a run has only one order, and wilds go where they are
worth most. A wild is fixed if the players said which rank it stands for, and free otherwise.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Final

from ..card_points import SUITS_PER_SET, MeldPoints
from ..cards import FRENCH_RANKS, FRENCH_SUITS, JOKER, PLACES, Card
from ..i18n import Text, _

TWO = "2"
_WILDS: Final = frozenset({TWO, JOKER})
_RANKS: Final = frozenset({*FRENCH_RANKS, JOKER})
_SUITS: Final = frozenset({"", *FRENCH_SUITS})


class MeldKind(StrEnum):
    """The kind of a meld: a set (pierna) of one rank, or a run (escalera) of one suit in a row."""

    SET = "set"
    RUN = "run"


@dataclass(frozen=True, slots=True)
class Meld:
    """A legal meld: its `value`, and the rank that each card stands for, in running order.

    In a run, an ace at the end is high and an ace at the beginning is low.
    """

    kind: MeldKind
    value: int
    ranks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PlacedCard:
    """A card of a meld and the `rank` it stands for.

    A two that stands for the two of its own suit is not a wild.
    """

    card: Card
    rank: str
    is_wild: bool


class MeldFlaw(StrEnum):
    """The reason why cards do not form a meld."""

    UNKNOWN_CARD = "unknown_card"
    TOO_FEW = "too_few"
    TOO_MANY = "too_many"
    FIXED = "fixed"
    SET_WITH_WILDS = "set_with_wilds"
    SET_SUITS = "set_suits"
    ONLY_WILDS = "only_wilds"
    RUN_SUITS = "run_suits"
    TWICE = "twice"
    NO_ROW = "no_row"


_SENTENCES: Final[Mapping[MeldFlaw, Text]] = {
    MeldFlaw.UNKNOWN_CARD: _("One of the cards is not in the pack."),
    MeldFlaw.TOO_FEW: _("A meld has at least three cards."),
    MeldFlaw.TOO_MANY: _("A set has at most six cards, a run at most thirteen."),
    MeldFlaw.FIXED: _(
        "Only a joker or a two can stand for another card, each for a different card of a run."
    ),
    MeldFlaw.SET_WITH_WILDS: _("A set can't contain wild cards."),
    MeldFlaw.SET_SUITS: _("A set has exactly three suits, with at most two cards of each."),
    MeldFlaw.ONLY_WILDS: _("A run has at least one natural card."),
    MeldFlaw.RUN_SUITS: _("A run is in one suit."),
    MeldFlaw.TWICE: _("A run can't have the same rank twice."),
    MeldFlaw.NO_ROW: _("These cards are not in sequence."),
}
_WITH_THREE_PACKS: Final[Mapping[MeldFlaw, Text]] = {
    **_SENTENCES,
    MeldFlaw.TOO_MANY: _("A set has at most nine cards, a run at most thirteen."),
    MeldFlaw.SET_SUITS: _("A set has exactly three suits, with at most three cards of each."),
}


# --- the solver ---------------------------------------------------------------------------------------------


@lru_cache(maxsize=16)
def get_meld_solver(points: MeldPoints) -> MeldSolver:
    """Return the cached solver for the card values of a game."""
    return MeldSolver(points)


class MeldSolver:
    """A solver that finds the meld that cards form, and the points of cards in hand, for one game."""

    def __init__(self, points: MeldPoints) -> None:
        self._points = points
        self._solved = lru_cache(maxsize=1 << 13)(self._solve)

    def parse_meld(self, cards: Sequence[Card]) -> Meld | MeldFlaw:
        """Return the meld that these cards form, at its best value, or the flaw that prevents one.

        Among equal values, a set comes before a run (twos of three suits form both), then the highest run, so
        K Q * is Q-K-A. A card of unknown suit takes the suit that fits (NOTATION, Hands).
        """
        if len(cards) > self._points.run_sizes[-1]:
            return MeldFlaw.TOO_MANY
        return self._solved(tuple(cards))

    def flaw_sentence(self, flaw: MeldFlaw) -> Text:
        sentences = _WITH_THREE_PACKS if self._points.copies == 3 else _SENTENCES
        return sentences[flaw]

    def placement(self, cards: Sequence[Card]) -> tuple[PlacedCard, ...]:
        """Return each card of a meld with the rank it stands for: a run in running order, a set as given.

        Where several wilds could take each other's places, those places are filled from the lowest rank up:
        first with the twos, then with the jokers, each in the order given. Raise ValueError if the cards are
        not a meld.
        """
        meld = self.parse_meld(cards)
        if isinstance(meld, MeldFlaw):
            raise ValueError(str(self.flaw_sentence(meld)))
        if meld.kind is MeldKind.SET:
            return tuple(PlacedCard(card, card.rank, is_wild=False) for card in cards)
        free = [card for card in cards if not card.stands_for and card.rank in _WILDS]
        cards_by_rank = {card.stands_for or card.rank: card for card in cards if card not in free}
        suit = next(
            (card.suit for card in cards_by_rank.values() if card.rank not in _WILDS and card.suit), ""
        )
        if TWO in meld.ranks and TWO not in cards_by_rank:
            natural_two = next((card for card in free if _can_be_natural_two(card, suit)), None)
            if natural_two is not None:
                free.remove(natural_two)
                cards_by_rank[TWO] = natural_two
        if not suit and TWO in cards_by_rank:
            suit = cards_by_rank[TWO].suit
        free.sort(key=lambda card: card.rank == JOKER)
        card_ranks = (
            (cards_by_rank[rank] if rank in cards_by_rank else free.pop(0), rank) for rank in meld.ranks
        )
        return tuple(
            PlacedCard(
                card,
                rank,
                is_wild=card.rank in _WILDS and not (rank == TWO and _can_be_natural_two(card, suit)),
            )
            for card, rank in card_ranks
        )

    def hand_value(self, cards: Iterable[Card]) -> int:
        """Return the points of cards left in hand, which are never above 0 (RULES 3.2)."""
        return sum(self._points.in_hand[card.rank] for card in cards)

    def _solve(self, cards: tuple[Card, ...]) -> Meld | MeldFlaw:
        if not all(card.rank in _RANKS and card.suit in _SUITS for card in cards):
            return MeldFlaw.UNKNOWN_CARD
        if not all(card.rank in _WILDS and card.stands_for in PLACES for card in cards if card.stands_for):
            return MeldFlaw.FIXED
        if len(cards) < self._points.run_sizes[0]:
            return MeldFlaw.TOO_FEW
        as_set: Meld | MeldFlaw | None = None
        rank = cards[0].rank
        if rank != JOKER and {(card.rank, card.stands_for) for card in cards} == {(rank, "")}:
            as_set = self._as_set(rank, [card.suit for card in cards])
            if rank != TWO:
                return as_set
        as_run = self._as_run(cards)
        if isinstance(as_set, Meld) and (isinstance(as_run, MeldFlaw) or as_run.value <= as_set.value):
            return as_set  # twos may form both a set and a run; from seven twos on, the run is worth more
        return as_run

    def _as_set(self, rank: str, suits: Sequence[str]) -> Meld | MeldFlaw:
        """Return the set of cards of this rank in these suits, or the flaw that prevents it.

        A card of unknown suit takes a suit that is missing.
        """
        size = len(suits)
        if size > self._points.set_sizes[-1]:
            return MeldFlaw.TOO_MANY
        known = Counter(filter(None, suits))
        most = len(known) + size - known.total()
        if max(known.values(), default=0) > self._points.copies or not len(known) <= SUITS_PER_SET <= most:
            return MeldFlaw.SET_SUITS
        return Meld(MeldKind.SET, size * self._points.in_set[rank], (rank,) * size)

    def _as_run(self, cards: Sequence[Card]) -> Meld | MeldFlaw:
        """Return the run of these cards that is worth most, or the flaw that prevents one.

        Among equal values, it is the highest run.
        """
        naturals = [card for card in cards if card.rank not in _WILDS]
        fixed = [card.stands_for for card in cards if card.stands_for]
        natural_ranks = {card.rank for card in naturals}
        needed = natural_ranks.union(fixed)
        if len({card.suit for card in naturals if card.suit}) > 1:
            return MeldFlaw.RUN_SUITS
        if len(natural_ranks) < len(naturals):
            return MeldFlaw.SET_WITH_WILDS if len(natural_ranks) == 1 else MeldFlaw.TWICE
        if len(needed) < len(naturals) + len(fixed):
            return MeldFlaw.FIXED
        rows = [
            range(start, start + len(cards))
            for start in range(len(PLACES) - len(cards) + 1)
            if needed.issubset(PLACES[start : start + len(cards)])
        ]
        if not rows:
            return MeldFlaw.NO_ROW
        # With twos and jokers alone, one of the twos is the natural 2, so the run includes its place.
        has_own_two = any(
            card.stands_for == TWO or not (card.stands_for or TWO in fixed)
            for card in cards
            if card.rank == TWO
        )
        legal = (
            rows if natural_ranks else [row for row in rows if has_own_two and FRENCH_RANKS.index(TWO) in row]
        )
        if not legal:
            return MeldFlaw.ONLY_WILDS
        points = self._points
        value, row = max(
            (
                sum(
                    (points.in_run if PLACES[place] in natural_ranks else points.as_wild)[place]
                    for place in row
                ),
                row.start,
                row,
            )
            for row in legal
        )[::2]
        return Meld(MeldKind.RUN, value, PLACES[row.start : row.stop])


def _can_be_natural_two(card: Card, suit: str) -> bool:
    """Return whether the card is a two that may be the natural two of this suit; "" is an unknown suit."""
    return card.rank == TWO and (not card.suit or not suit or card.suit == suit)
