"""Melds (RULES 3.1, 3.2): sets and runs, the best places for their wilds, and their value in a game.

The cards are those of French packs, as many as `MeldPoints.copies`; `Deck.check` ensures that there are
enough copies. The order of the cards does not matter: a run has only one order, and wilds go where they are
worth most. A wild is fixed if the players said which rank it stands for, and free otherwise.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Final

from .. import card_points
from ..card_points import SUITS, MeldPoints, Sets
from ..cards import FRENCH_RANKS, FRENCH_SUITS, JOKER, PLACES, Card
from ..frozen import Frozen
from ..i18n import Text, _

TWO = "2"
_RANKS: Final = frozenset({*FRENCH_RANKS, JOKER})
_SUITS: Final = frozenset({"", *FRENCH_SUITS})


class MeldKind(StrEnum):
    """The kind of a meld: a set (pierna) of one rank, or a run (escalera) of one suit in a row."""

    SET = "set"
    RUN = "run"


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Meld(Frozen):
    """A legal meld: its `value`, and the rank that each card stands for, in running order.

    In a run, an ace at the end is high and an ace at the beginning is low.
    """

    kind: MeldKind
    value: int
    ranks: tuple[str, ...]


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class PlacedCard(Frozen):
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
    RUN_WILDS = "run_wilds"
    NO_RUNS = "no_runs"
    NO_SETS = "no_sets"


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


def _custom_sentences(points: MeldPoints) -> Mapping[MeldFlaw, Text]:
    """Return the sentences for melds that are not those of Loba de Más."""
    sizes = {"set": points.set_sizes, "run": points.run_sizes}
    largest = " ".join(f"A {kind} has at most {size[-1]} cards." for kind, size in sizes.items() if size)
    wilds = "a joker or a two" if len(points.wilds) > 1 else "a joker" if JOKER in points.wilds else "a two"
    sets = points.sets or Sets()
    suits = sets.suits or range(1, SUITS + 1)
    number = card_points.range_label(suits)
    return {
        **_SENTENCES,
        MeldFlaw.TOO_FEW: Text(f"A meld has at least {points.sizes[0]} cards."),
        MeldFlaw.TOO_MANY: Text(largest),
        MeldFlaw.FIXED: Text(
            f"Only {wilds} can stand for another card, each for a different card of a run."
            if points.wilds
            else "No card can stand for another."
        ),
        MeldFlaw.SET_WITH_WILDS: Text(f"A set has {card_points.wild_limit(sets.wilds)}."),
        MeldFlaw.SET_SUITS: Text(
            f"A set has {number} different suits, with at most {points.copies} card{'s' * (points.copies > 1)} of each."
        ),
        MeldFlaw.ONLY_WILDS: Text("A meld has at least one natural card."),
        MeldFlaw.RUN_WILDS: Text(f"A run has {card_points.wild_limit(points.run_wilds or 0)}."),
        MeldFlaw.NO_RUNS: Text("Runs don't count in this game: a meld has cards of one rank."),
        MeldFlaw.NO_SETS: Text("Sets don't count in this game: a meld has cards of one suit in sequence."),
    }


# --- the solver ---------------------------------------------------------------------------------------------


@lru_cache(maxsize=16)
def get_meld_solver(points: MeldPoints) -> MeldSolver:
    """Return the cached solver for the card values of a game."""
    return MeldSolver(points)


class MeldSolver:
    """A solver that finds the meld that cards form, and the points of cards in hand, for one game."""

    def __init__(self, points: MeldPoints) -> None:
        self._points, self._wilds = points, points.wilds
        own = None if points.is_of_loba else _custom_sentences(points)
        self._sentences = own or (_WITH_THREE_PACKS if points.copies == 3 else _SENTENCES)
        self._solved = lru_cache(maxsize=1 << 13)(self._solve)

    def parse_meld(self, cards: Sequence[Card]) -> Meld | MeldFlaw:
        """Return the meld that these cards form, at its best value, or the flaw that prevents one.

        Among equal values, a set comes before a run (twos of three suits form both), then the highest run, so
        K Q * is Q-K-A. A card of unknown suit takes the suit that fits (NOTATION, Hands).
        """
        if len(cards) > self._points.sizes[-1]:
            return MeldFlaw.TOO_MANY
        return self._solved(tuple(cards))

    def flaw_sentence(self, flaw: MeldFlaw) -> Text:
        return self._sentences[flaw]

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
            rank = meld.ranks[0]
            return tuple(PlacedCard(card, rank, is_wild=card.rank != rank) for card in cards)
        free = [card for card in cards if not card.stands_for and card.rank in self._wilds]
        cards_by_rank = {card.stands_for or card.rank: card for card in cards if card not in free}
        suit = next(
            (card.suit for card in cards_by_rank.values() if card.rank not in self._wilds and card.suit), ""
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
                is_wild=card.rank in self._wilds and not (rank == TWO and _can_be_natural_two(card, suit)),
            )
            for card, rank in card_ranks
        )

    def hand_value(self, cards: Iterable[Card]) -> int:
        """Return the points of cards left in hand, which are never above 0 (RULES 3.2)."""
        return sum(self._points.in_hand[card.rank] for card in cards)

    def _solve(self, cards: tuple[Card, ...]) -> Meld | MeldFlaw:
        if not all(card.rank in _RANKS and card.suit in _SUITS for card in cards):
            return MeldFlaw.UNKNOWN_CARD
        if JOKER not in self._wilds and any(card.rank == JOKER for card in cards):
            return MeldFlaw.UNKNOWN_CARD
        if not all(
            card.rank in self._wilds and card.stands_for in PLACES for card in cards if card.stands_for
        ):
            return MeldFlaw.FIXED
        if len(cards) < self._points.sizes[0]:
            return MeldFlaw.TOO_FEW
        as_set: Meld | MeldFlaw | None = None
        rank = self._set_rank(cards)
        if rank:
            as_set = self._as_set(rank, cards)
            if rank not in self._wilds and sum(card.rank == rank for card in cards) > 1:
                return as_set  # a run has each rank once
        no_run = MeldFlaw.ONLY_WILDS if all(card.rank == JOKER for card in cards) else MeldFlaw.NO_RUNS
        as_run = self._as_run(cards) if self._points.run_sizes else no_run
        if not self._points.run_sizes and as_set is not None:
            return as_set
        if isinstance(as_set, Meld) and (isinstance(as_run, MeldFlaw) or as_run.value <= as_set.value):
            return as_set  # twos may form both a set and a run; from seven twos on, the run is worth more
        return as_run

    def _set_rank(self, cards: Sequence[Card]) -> str:
        """Return the rank of the set that these cards may be; "" if they can only be a run."""
        ranks = {card.rank for card in cards if card.rank not in self._wilds}
        if not ranks:
            ranks = {card.rank for card in cards} - {JOKER}
        rank = next(iter(ranks)) if len(ranks) == 1 else ""
        is_natural = all(card.rank == rank and not card.stands_for for card in cards)
        allows_wilds = self._points.sets is not None and self._points.sets.wilds > 0
        fits = all(card.stands_for in ("", rank) for card in cards)
        return rank if is_natural or (allows_wilds and fits) else ""

    def _as_set(self, rank: str, cards: Sequence[Card]) -> Meld | MeldFlaw:
        """Return the set of this rank, or the flaw that prevents it.

        A card of unknown suit, or a wild, takes a suit that is missing.
        """
        points, sets, size = self._points, self._points.sets, len(cards)
        if sets is None:
            return MeldFlaw.NO_SETS
        if size > points.set_sizes[-1]:
            return MeldFlaw.TOO_MANY
        wild_cards = [card for card in cards if card.rank != rank]
        if len(wild_cards) > sets.wilds:
            return MeldFlaw.SET_WITH_WILDS
        known = Counter(card.suit for card in cards if card.suit and card.rank == rank)
        least, most = len(known), min(SUITS, len(known) + size - known.total())
        has_suits = sets.suits is None or (least <= sets.suits[-1] and most >= sets.suits[0])
        if max(known.values(), default=0) > points.copies or not has_suits:
            return MeldFlaw.SET_SUITS
        own = points.wild_values
        wild_value = sum(points.in_set[rank] if own is None else own[card.rank] for card in wild_cards)
        value = (size - len(wild_cards)) * points.in_set[rank] + wild_value
        return Meld(MeldKind.SET, value + points.bonus(size, is_natural=not wild_cards), (rank,) * size)

    def _as_run(self, cards: Sequence[Card]) -> Meld | MeldFlaw:
        """Return the run of these cards that is worth most, or the flaw that prevents one.

        Among equal values, it is the highest run.
        """
        naturals = [card for card in cards if card.rank not in self._wilds]
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
            if card.rank == TWO and TWO in self._wilds
        )
        legal = (
            rows if natural_ranks else [row for row in rows if has_own_two and FRENCH_RANKS.index(TWO) in row]
        )
        if not legal:
            return MeldFlaw.ONLY_WILDS
        suit = next((card.suit for card in naturals if card.suit), "")
        valued = [
            (value, row.start, row)
            for row in legal
            if (value := self._run_value(cards, row, natural_ranks, suit)) is not None
        ]
        if not valued:
            return MeldFlaw.RUN_WILDS
        value, row = max(valued)[::2]
        return Meld(MeldKind.RUN, value, PLACES[row.start : row.stop])

    def _run_value(
        self, cards: Sequence[Card], row: range, natural_ranks: Collection[str], suit: str
    ) -> int | None:
        """Return the value of the run in these places; None if it has too many wilds."""
        points = self._points
        naturals = sum(points.in_run[place] for place in row if PLACES[place] in natural_ranks)
        wild_cards = [card for card in cards if card.rank in points.wilds]
        if points.wild_values is None:
            value = naturals + sum(
                points.as_wild[place] for place in row if PLACES[place] not in natural_ranks
            )
        else:
            value = naturals + sum(points.wild_values[card.rank] for card in wild_cards)
        has_own_two = FRENCH_RANKS.index(TWO) in row and any(
            _can_be_natural_two(card, suit) and card.stands_for in ("", TWO) for card in wild_cards
        )
        count = len(wild_cards) - has_own_two
        if points.run_wilds is not None and count > points.run_wilds:
            return None
        return value + points.bonus(len(cards), is_natural=count == 0)


def _can_be_natural_two(card: Card, suit: str) -> bool:
    """Return whether the card is a two that may be the natural two of this suit; "" is an unknown suit."""
    return card.rank == TWO and (not card.suit or not suit or card.suit == suit)
