"""Reading a hand as a person types it into a form, less strictly than NOTATION."""

from __future__ import annotations

import re

from ..cards import JOKER, JOKER_SIGN, Deck, advise_cards
from ..rounds import Hand
from .file_lines import normalize_blanks
from .notation import parse_hand

_AROUND_PARTS = re.compile(r"[ \t]*([][{}+])[ \t]*")
# Melds, then cards in hand without brackets, then bought cards.
_BARE_CARDS = re.compile(
    r"(?P<melds>(?:\{[^][{}]*\})*)(?P<cards>[0-9AJQKSHDCOEBajqkshdcoeb*= \t]+)(?P<bought>\+[0-9]+)?"
)
_COUNTED = re.compile(r"-?[0-9]+(?:\+[0-9]+)?")
_RANKS_IN_LOWER_CASE = "ajqk"


def parse_hand_input(text: str, deck: Deck) -> Hand:
    """Return a hand typed by a person: points, or melds and cards of this pack, in upper or lower case.

    Cards need no brackets, and spaces only between two numbers: `k7*` is `[K 7 *]`. Raise NotationError for
    any other text.
    """
    normalized = (
        normalize_blanks(text).replace(JOKER_SIGN, JOKER).replace("\u2212", "-").replace(",", " ").strip()
    )
    normalized = _AROUND_PARTS.sub(r"\1", normalized)
    if _COUNTED.fullmatch(normalized):
        return parse_hand(normalized)
    bare = _BARE_CARDS.fullmatch(normalized)
    if bare is not None:
        normalized = f"{bare['melds']}[{bare['cards']}]{bare['bought'] or ''}"
    if normalized.startswith(("[", "{")):
        normalized = "".join(_printed_letter(letter, deck) for letter in normalized)
        normalized = re.sub(rf"(?<=[AJQK*{deck.suits}])(?=[0-9AJQK*])|(?<=[0-9])(?=[AJQK*])", " ", normalized)
    with advise_cards(deck):
        return parse_hand(normalized)


def _printed_letter(letter: str, deck: Deck) -> str:
    """Return a letter in the case that this pack uses: upper for French suits, lower for Spanish ones."""
    for suit in (letter.upper(), letter.lower()):
        if suit in deck.suits:
            return suit
    return letter.upper() if letter in _RANKS_IN_LOWER_CASE else letter
