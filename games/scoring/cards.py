"""Cards and packs as data."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property

from games.scoring.errors import NotationError, RuleError
from games.scoring.words import _

JOKER = "*"
FRENCH_RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
PLACES = (*FRENCH_RANKS, "A")  # of a run: the ace stands at both ends, a run never at both

# French ranks take French suits, Spanish ranks Spanish ones; 2 to 10 belong to both.
_RANK = r"\*|1[0-2]|[1-9]|[AJQK]"
_CARD = re.compile(rf"(?P<rank>{_RANK})(?P<suit>[SHDCoceb]?)(?:=(?P<stands_for>{_RANK}))?")
_FRENCH_ONLY, _SPANISH_ONLY = frozenset("AJQK"), frozenset({"1", "11", "12"})


@dataclass(frozen=True, slots=True, eq=False, init=False)
class Card:
    """A card (carta) as seen at the table; no suit where nobody looked, `stands_for` for a fixed wild.

    There is one object for each card, so equal cards are identical and a look-up by card costs next to nothing.
    """

    rank: str
    suit: str = ""
    stands_for: str = ""

    def __new__(cls, rank: str, suit: str = "", stands_for: str = "") -> Card:
        known = _CARDS.get((rank, suit, stands_for))
        if known is not None:
            return known
        card = object.__new__(cls)
        object.__setattr__(card, "rank", rank)
        object.__setattr__(card, "suit", suit)
        object.__setattr__(card, "stands_for", stands_for)
        # Of two threads that make the same card at once, both get the one stored first.
        return _CARDS.setdefault((rank, suit, stands_for), card)

    def __reduce__(self) -> tuple[type[Card], tuple[str, str, str]]:
        return Card, (self.rank, self.suit, self.stands_for)

    def __str__(self) -> str:
        return f"{self.rank}{self.suit}" + (f"={self.stands_for}" if self.stands_for else "")


_CARDS: dict[tuple[str, str, str], Card] = {}


@cache  # there are some hundreds of cards, and what is refused is not kept
def read_card(text: str) -> Card:
    """The card written as `text` (NOTATION, Hands); NotationError where it fits no form."""
    found = _CARD.fullmatch(text)
    if found is None or not _suits_its_rank(found["rank"], found["suit"]):
        raise NotationError(_("“{text}” is not a card.", text=text))
    return Card(found["rank"], found["suit"], found["stands_for"] or "")


def _suits_its_rank(rank: str, suit: str) -> bool:
    if not suit:
        return True
    if rank == JOKER:
        return False
    return rank not in (_SPANISH_ONLY if suit in "SHDC" else _FRENCH_ONLY)


@dataclass(frozen=True)
class Deck:
    """A pack (mazo): ranks in running order, suits, copies of each card, and jokers (comodines)."""

    ranks: tuple[str, ...]
    suits: str
    copies: int
    jokers: int

    def copies_of(self, rank: str) -> int:
        """How many cards of this rank the pack holds, 0 for a rank it has not."""
        return self._copies.get(rank, 0)

    @cached_property
    def _copies(self) -> Mapping[str, int]:
        return dict.fromkeys(self.ranks, self.copies * len(self.suits)) | {JOKER: self.jokers}

    def ranks_with_jokers(self) -> Iterator[str]:
        """Every rank there is a card of, the joker last."""
        yield from self.ranks
        if self.jokers:
            yield JOKER

    def check(self, hands: Iterable[tuple[str, Iterable[Card]]]) -> None:
        """RuleError at the first hand, given as (field, cards), that needs a card the pack has not or has no more of."""
        copies_of = self._copies.get
        ranks: dict[str, int] = {}
        suited: dict[str, int] = {}
        for field, cards in hands:
            for card in cards:
                rank, suit = card.rank, card.suit
                there_are = copies_of(rank)
                if not there_are or (suit and suit not in self.suits):
                    raise RuleError(_("The pack has no {card}.", card=str(card)), field=field)
                ranks[rank] = counted = ranks.get(rank, 0) + 1
                if counted > there_are:
                    self._refuse_too_many(rank, there_are, counted, field)
                if suit:
                    suited[rank + suit] = counted = suited.get(rank + suit, 0) + 1
                    if counted > self.copies:
                        self._refuse_too_many(rank + suit, self.copies, counted, field)

    @staticmethod
    def _refuse_too_many(card: str, there_are: int, counted: int, field: str) -> None:
        raise RuleError(
            _(
                "The pack has only {there_are} × {card}; with this hand the round has {counted}.",
                card="★" if card == JOKER else card,
                there_are=there_are,
                counted=counted,
            ),
            field=field,
        )


TWO_FRENCH_PACKS = Deck(ranks=FRENCH_RANKS, suits="SHDC", copies=2, jokers=4)
NO_CARDS = Deck(ranks=(), suits="", copies=0, jokers=0)
