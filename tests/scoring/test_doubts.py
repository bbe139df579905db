"""The doubts about a cut in Chinchón, compared with RULES 5 to the letter on random hands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random

import pytest

from games.scoring.card_points import LeftoverPoints
from games.scoring.cards import JOKER, Card, Deck, read_card
from games.scoring.counting import counting_of
from games.scoring.kinds import Rules, Value
from games.scoring.rounds import Deal, Doubt, Hand, RoundEntry
from games.scoring.variants import find_variant
from tests.scoring.by_the_book import Book, Pack, joined

CHINCHON = find_variant("chinchon")
DEAL = Deal({"ana": "Ana", "beto": "Beto"}, {"ana": 0, "beto": 0}, ("ana", "beto"))
PACKS: Mapping[str, Mapping[str, Value]] = {
    "48": {},
    "40": {"pack": 40},
    "a wild ace": {"wilds": "ace_of_coins", "wild_chinchon": -25},
    "jokers": {"pack": 50, "wilds": "jokers", "wild_chinchon": -25},
}
COUNTS = [40, pytest.param(1000, marks=pytest.mark.slow), pytest.param(4000, marks=pytest.mark.long)]


def rules_of(pack: str) -> Rules:
    return CHINCHON.build(CHINCHON.house({**PACKS[pack], "placing": "on"}))


def book_of(rules: Rules) -> Book:
    assert isinstance(rules.scoring, LeftoverPoints)
    return Book(Pack(tuple(map(int, rules.deck.ranks)), rules.scoring.wild_cards, 25))


def hands_of(deck: Deck, count: int) -> Iterator[tuple[Card, ...]]:
    """Yield random hands: any, and as often those with all or most of their cards in one run, some of them wild."""
    chance = Random(count)
    pack = [Card(rank, suit) for rank in deck.ranks for suit in deck.suits] + [Card(JOKER)] * deck.jokers
    for _hand in range(count):
        yield tuple(chance.sample(pack, 7))
        suit, first = chance.choice(deck.suits), chance.randrange(len(deck.ranks) - 6)
        run = [Card(rank, suit) for rank in deck.ranks[first : first + 7]]
        for _change in range(chance.choice([0, 0, 1, 1, 2])):
            others = [card for card in pack if card not in run or card.rank == JOKER]
            wilds = [card for card in others if str(card) in (JOKER, "1o")]
            run[chance.randrange(7)] = chance.choice(wilds or others if chance.random() < 0.7 else others)
        if run.count(Card(JOKER)) <= deck.jokers:
            yield tuple(chance.sample(run, 7))


def doubts_of(rules: Rules, entry: RoundEntry) -> tuple[Doubt, ...]:
    counting = counting_of(rules)
    return counting.doubts(rules, entry, DEAL, counting.round_points(rules, entry, DEAL))


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("pack", PACKS)
def test_a_cut_with_all_cards_in_one_run_asks_for_the_chinchon_that_it_is(pack, count):
    rules = rules_of(pack)
    book = book_of(rules)
    for hand in hands_of(rules.deck, count):
        cards = joined(tuple(map(str, hand)))
        entry = RoundEntry("ana", "cut", (("ana", Hand(held=hand)), ("beto", Hand(points=30))))
        offered = [doubt.closing for doubt in doubts_of(rules, entry) if doubt.closing]

        natural = any(
            set(cards) == {f"{rank}{letter}" for rank in rules.deck.ranks[first : first + 7]}
            for letter in rules.deck.suits
            for first in range(len(rules.deck.ranks) - 6)
        )
        is_wild = len(rules.closings) == 5 and not natural
        expected = ["wild_chinchon" if is_wild else "chinchon"] if book.escaleras(cards) else []
        assert (cards, expected) == (cards, offered)


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("pack", PACKS)
def test_seven_cards_that_keep_something_are_doubtful_while_the_cutters_are_unknown(pack, count):
    rules = rules_of(pack)
    book = book_of(rules)
    for hand in hands_of(rules.deck, count):
        cards = joined(tuple(map(str, hand)))
        keeps = not any(left == () for _games, left in book.parted(cards))
        unknown, known = (
            RoundEntry("ana", "cut", (("ana", own), ("beto", Hand(held=hand))))
            for own in (Hand(points=3), Hand(held=OWN))
        )

        assert (cards, keeps) == (cards, bool(doubts_of(rules, unknown)))
        if not set(OWN) & set(hand):
            assert (cards, ()) == (cards, doubts_of(rules, known))


OWN = tuple(map(read_card, ["4o", "4c", "4e", "6b", "6o", "6c", "1e"]))
