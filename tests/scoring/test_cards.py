"""Cards, of which equal ones are one object, and packs; what is no card is in data/commands.txt."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Sequence
from dataclasses import FrozenInstanceError, replace
from random import Random

import pytest

from games.scoring.cards import FRENCH_RANKS, NO_CARDS, TWO_FRENCH_PACKS, Card, Deck, french_packs, read_card
from games.scoring.errors import RuleError

SEVEN = Card("7", "o")


@pytest.mark.parametrize(
    ("text", "card"),
    [
        ("10H", Card("10", "H")),
        ("*", Card("*")),
        ("*=7", Card("*", "", "7")),
        ("2S=K", Card("2", "S", "K")),
        ("12c", Card("12", "c")),
        ("7C", Card("7", "C")),
    ],
)
def test_a_card_is_read_and_written(text: str, card: Card):
    assert (card, text) == (read_card(text), str(card))


def test_two_packs_have_108_cards():
    deck = TWO_FRENCH_PACKS
    assert 108 == sum(deck.copies_of(rank) for rank in deck.ranks_with_jokers())


@pytest.mark.parametrize("deck", [TWO_FRENCH_PACKS, french_packs(1), NO_CARDS], ids=["two", "one", "none"])
def test_the_fast_check_of_a_hand_equals_a_check_card_by_card(deck: Deck):
    chance = Random(len(deck.ranks) + deck.copies)
    known = [Card(rank, suit) for rank in (*FRENCH_RANKS[:4], "12") for suit in ("", "S", "H", "o")]
    cards = [*known, Card("*"), Card("*", "", "3"), Card("2", "S", "5")]
    for _time in range(600):
        hand = [chance.choice(cards[: chance.choice((3, len(cards)))]) for _ in range(chance.randint(0, 9))]
        assert passes(deck, hand) == deck.has(hand)
    assert not deck.has([Card("7", "S")] * 300)


def passes(deck: Deck, hand: Sequence[Card]) -> bool:
    try:
        deck.check([("hand", hand)])
    except RuleError:
        return False
    return True


def test_equal_cards_are_one_object_also_when_copied_or_unpickled():
    assert SEVEN is Card(rank="7", suit="o")
    assert SEVEN is read_card("7o")
    assert SEVEN is copy.deepcopy(SEVEN)
    assert SEVEN is pickle.loads(pickle.dumps(SEVEN))
    assert Card("7", "c") is replace(SEVEN, suit="c")
    assert Card("*") is not Card("*", stands_for="7")


def test_a_card_cannot_be_changed():
    with pytest.raises(FrozenInstanceError):
        SEVEN.rank = "8"  # type: ignore[misc]
