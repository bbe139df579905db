"""Cards and the two French packs with four jokers."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Sequence
from dataclasses import FrozenInstanceError, replace
from random import Random

import pytest

from games.scoring.cards import FRENCH_RANKS, NO_CARDS, TWO_FRENCH_PACKS, Card, Deck, french_packs, read_card
from games.scoring.errors import NotationError, RuleError


def check(*hands: str) -> None:
    TWO_FRENCH_PACKS.check(
        (f"hand-{number}", [read_card(card) for card in hand.split()]) for number, hand in enumerate(hands)
    )


@pytest.mark.parametrize(
    ("text", "card"),
    [
        ("K", Card("K")),
        ("10", Card("10")),
        ("10H", Card("10", "H")),
        ("*", Card("*")),
        ("*=7", Card("*", "", "7")),
        ("2S=K", Card("2", "S", "K")),
        ("1", Card("1")),
        ("12c", Card("12", "c")),
        ("7C", Card("7", "C")),
        ("7c", Card("7", "c")),
    ],
)
def test_a_card_is_read_and_written(text: str, card: Card):
    assert (card, text) == (read_card(text), str(card))


@pytest.mark.parametrize(
    "text", ["", "0", "13", "k", "1S", "11H", "Ko", "Ab", "*S", "K S", "KK", "K=", "=K", "K=Z", "10HH", "T"]
)
def test_an_invalid_card_is_refused(text: str):
    with pytest.raises(NotationError):
        read_card(text)


def test_two_packs_have_108_cards():
    deck = TWO_FRENCH_PACKS
    assert 108 == sum(deck.copies_of(rank) for rank in deck.ranks_with_jokers())


@pytest.mark.parametrize(
    "hands",
    [
        ["K K K K", "K K K K"],
        ["KS KS", "KH KH KD KD KC KC"],
        ["KS KS K K K K K K"],
        ["* * *", "*"],
        ["A 2 3 4 5 6 7 8 9", "10 J Q K *"],
    ],
)
def test_hands_with_existing_cards_are_accepted(hands: Sequence[str]):
    check(*hands)


@pytest.mark.parametrize(
    ("hands", "field"),
    [
        (["K K K K", "K K K K K"], "hand-1"),
        (["KS", "KS", "KS"], "hand-2"),
        (["KS KS K K K K K K K"], "hand-0"),
        (["* * *", "5", "* *"], "hand-2"),
        (["5", "1"], "hand-1"),
        (["12"], "hand-0"),
        (["5o"], "hand-0"),
    ],
)
def test_an_unknown_or_surplus_card_is_refused_at_its_hand(hands: Sequence[str], field: str):
    with pytest.raises(RuleError) as refusal:
        check(*hands)
    assert field == refusal.value.field


@pytest.mark.parametrize("deck", [TWO_FRENCH_PACKS, french_packs(1), NO_CARDS], ids=["two", "one", "none"])
def test_the_fast_check_of_a_hand_equals_a_check_card_by_card(deck: Deck):
    chance = Random(len(deck.ranks) + deck.copies)
    known = [Card(rank, suit) for rank in (*FRENCH_RANKS[:4], "12") for suit in ("", "S", "H", "o")]
    cards = [*known, Card("*"), Card("*", "", "3"), Card("2", "S", "5")]
    for _time in range(600):
        hand = [chance.choice(cards[: chance.choice((3, len(cards)))]) for _ in range(chance.randint(0, 9))]
        assert passes(deck, hand) == deck.has(hand)


def passes(deck: Deck, hand: Sequence[Card]) -> bool:
    try:
        deck.check([("hand", hand)])
    except RuleError:
        return False
    return True


def test_a_hand_of_300_cards_is_refused():
    assert not TWO_FRENCH_PACKS.has([Card("7", "S")] * 300)


# --- equal cards are one object ---------------------------------------------------------------------------------------

SEVEN = Card("7", "o")


def test_equal_cards_are_one_object():
    assert SEVEN is Card(rank="7", suit="o")
    assert SEVEN is read_card("7o")
    assert SEVEN is not Card("7", "c")
    assert Card("*") is not Card("*", stands_for="7")


def test_a_copied_or_unpickled_card_is_the_same_object():
    assert SEVEN is copy.copy(SEVEN)
    assert SEVEN is copy.deepcopy(SEVEN)
    assert SEVEN is pickle.loads(pickle.dumps(SEVEN))
    assert Card("7", "c") is replace(SEVEN, suit="c")


def test_a_card_cannot_be_changed():
    with pytest.raises(FrozenInstanceError):
        SEVEN.rank = "8"  # type: ignore[misc]
