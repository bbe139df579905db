"""Cards and packs as data."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, cached_property

from .errors import NotationError, RuleError
from .frozen import Frozen
from .i18n import CardsParam, Text, _

JOKER = "*"
JOKER_SIGN = "★"  # how pages show it; read like `*`
FRENCH_RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
PLACES = (*FRENCH_RANKS, "A")  # a run's places, low to high; the ace is at both ends, but no run uses both

# French ranks take French suits, Spanish ranks Spanish ones; 2 to 10 belong to both.
_RANK = r"\*|1[0-2]|[1-9]|[AJQK]"
_CARD = re.compile(rf"(?P<rank>{_RANK})(?P<suit>[SHDCoceb]?)(?:=(?P<stands_for>{_RANK}))?")
_FRENCH_ONLY, _SPANISH_ONLY = frozenset("AJQK"), frozenset({"1", "11", "12"})


@dataclass(frozen=True, slots=True, eq=False, init=False)
class Card:
    """A card (carta) as seen at the table.

    `suit` is "" if it is unknown. `stands_for` is the rank that the players gave to a wild card, "" if they
    gave none. There is only one object for each card, so equal cards are identical and a lookup by card is
    fast.
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
        # If two threads make the same card at the same time, both get the one stored first.
        return _CARDS.setdefault((rank, suit, stands_for), card)

    def __reduce__(self) -> tuple[type[Card], tuple[str, str, str]]:
        return Card, (self.rank, self.suit, self.stands_for)

    def __str__(self) -> str:
        return f"{self.rank}{self.suit}" + (f"={self.stands_for}" if self.stands_for else "")


_CARDS: dict[tuple[str, str, str], Card] = {}


class InvalidCardError(NotationError):
    """Raised for a text that is not a card; `meant` are the cards that it may stand for, separated by spaces."""

    def __init__(self, text: str) -> None:
        self.written, self.meant = text, _guess_card(text) or _separate_cards(text)
        super().__init__(_invalid_card_sentence(text, self.meant))


@contextmanager
def advise_cards(deck: Deck) -> Iterator[None]:
    """Take the advice out of the refusal of a card in the `with` block if the pack lacks the advised card."""
    try:
        yield
    except InvalidCardError as refusal:
        if all(map(deck.has, map(parse_card, refusal.meant.split()))):
            raise
        raise NotationError(_invalid_card_sentence(refusal.written, "")) from None


@cache  # there are a few hundred cards, and exceptions are not cached
def parse_card(text: str) -> Card:
    """Return the card written as `text` (NOTATION, Hands).

    Raise NotationError if the text is not a card.
    """
    match = _match_card(text)
    if match is None:
        raise InvalidCardError(text)
    return Card(match["rank"], match["suit"], match["stands_for"] or "")


def is_card(text: str) -> bool:
    return _match_card(text) is not None


def _match_card(text: str) -> re.Match[str] | None:
    match = _CARD.fullmatch(text.replace(JOKER_SIGN, JOKER))
    return match if match is not None and _suit_fits_rank(match["rank"], match["suit"]) else None


# Signs that people write for a joker.
_JOKERS = frozenset({"🃏", "joker", "jk", "x", "w", "?"})


def _invalid_card_sentence(text: str, meant: str) -> Text:
    """Return the refusal of a text that is not a card, with the cards that may be meant, if any."""
    if " " in meant:
        return _(
            "“{text}” is not a card. Put spaces between cards: {meant}.", text=text, meant=CardsParam(meant)
        )
    if meant:
        return _("“{text}” is not a card. Write {meant}.", text=text, meant=CardsParam(meant))
    return _(
        "“{text}” is not a card. Cards are A 2 … 10 J Q K with S H D C (French), 1 … 12 with o c e b "
        "(Spanish), and {joker} for a joker.",
        text=text,
        joker=CardsParam(JOKER),
    )


def _separate_cards(text: str) -> str:
    """Return the cards of a text that lacks the spaces between them; "" if it is not several cards."""
    written = text.replace(JOKER_SIGN, JOKER).replace(",", "")
    cards = [match[0] for match in _CARD.finditer(written)]
    is_several = len(cards) > 1 and not text.isdigit() and "".join(cards) == written
    return " ".join(cards) if is_several and all(map(is_card, cards)) else ""


def _guess_card(text: str) -> str:
    """Return the card meant by a slip such as `kh`, `TD` or `12O`; "" if none is recognized."""
    if text.lower() in _JOKERS:
        return JOKER
    rank, suit = (text[:-1], text[-1:]) if text[1:] and text[-1:].isalpha() else (text, "")
    rank = {"T": "10", "0": "10"}.get(rank.upper(), rank.upper())
    for as_written in (suit, suit.upper(), suit.lower()):
        if is_card(rank + as_written):
            return rank + as_written
    return ""


def _suit_fits_rank(rank: str, suit: str) -> bool:
    if not suit:
        return True
    if rank == JOKER:
        return False
    return rank not in (_SPANISH_ONLY if suit in "SHDC" else _FRENCH_ONLY)


@dataclass(frozen=True, eq=False, repr=False)
class Deck(Frozen):
    """A pack (mazo): ranks in the order of a run, suits, copies of each card, jokers (comodines) in total."""

    ranks: tuple[str, ...]
    suits: str
    copies: int
    jokers: int

    def copies_of(self, rank: str) -> int:
        """Return the number of cards of this rank in the pack, 0 for a rank it does not have."""
        return self._copies.get(rank, 0)

    @cached_property
    def _copies(self) -> Mapping[str, int]:
        return dict.fromkeys(self.ranks, self.copies * len(self.suits)) | {JOKER: self.jokers}

    def ranks_with_jokers(self) -> Iterator[str]:
        """Yield every rank of the pack, the joker last if the pack has any."""
        yield from self.ranks
        if self.jokers:
            yield JOKER

    def has(self, card: Card) -> bool:
        return self.copies_of(card.rank) > 0 and (not card.suit or card.suit in self.suits)

    def is_natural_run(self, cards: Sequence[Card]) -> bool:
        """Return whether these cards are consecutive ranks of one suit. Wilds count as the cards they are."""
        places = sorted(self.ranks.index(card.rank) for card in cards if card.rank in self.ranks)
        in_a_row = places == list(range(places[0], places[0] + len(cards))) if places else False
        return in_a_row and len({card.suit for card in cards}) == 1

    def check(self, hands: Iterable[tuple[str, Iterable[Card]]]) -> None:
        """Check that the pack has enough copies for the cards of all these hands together.

        Each hand is given as (input field, cards). Raise RuleError, with the field, at the first hand with a
        card that the pack lacks, or with one copy too many.
        """
        count_copies = self._copies.get
        ranks: dict[str, int] = {}
        suited: dict[str, int] = {}
        for field, cards in hands:
            for card in cards:
                rank, suit = card.rank, card.suit
                available = count_copies(rank)
                if not available or (suit and suit not in self.suits):
                    raise RuleError(self._unknown_card_sentence(card), field=field)
                ranks[rank] = count = ranks.get(rank, 0) + 1
                if count > available:
                    self._refuse_too_many(rank, available, count, field)
                if suit:
                    suited[rank + suit] = count = suited.get(rank + suit, 0) + 1
                    if count > self.copies:
                        self._refuse_too_many(rank + suit, self.copies, count, field)

    def _unknown_card_sentence(self, card: Card) -> Text:
        """Return the refusal of a card that the pack lacks, with a correction if its suit's case is wrong."""
        if not self.ranks:
            return _("This game takes points, such as 23, not cards.")
        meant = card.rank + card.suit.swapcase()
        if card.suit and is_card(meant) and self.has(parse_card(meant)):
            return _("The pack has no {card}. Write {meant}.", card=CardsParam(card), meant=CardsParam(meant))
        return _("The pack has no {card}.", card=CardsParam(card))

    @staticmethod
    def _refuse_too_many(card: str, available: int, count: int, field: str) -> None:
        raise RuleError(
            _(
                "The pack has only {there_are} × {card}; with this hand the round would have {counted}.",
                card=CardsParam(card),
                there_are=available,
                counted=count,
            ),
            field=field,
        )


JOKERS_PER_PACK = 2
FRENCH_SUITS = "SHDC"


@cache
def french_packs(packs: int) -> Deck:
    """Return the cards of this many French packs, with two jokers each."""
    return Deck(ranks=FRENCH_RANKS, suits=FRENCH_SUITS, copies=packs, jokers=JOKERS_PER_PACK * packs)


TWO_FRENCH_PACKS = french_packs(2)
NO_CARDS = Deck(ranks=(), suits="", copies=0, jokers=0)
