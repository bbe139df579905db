"""The doubts about a cut in Chinchón, compared with RULES 5 to the letter on random hands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random

import pytest

from games.scoring.card_points import LeftoverPoints
from games.scoring.cards import JOKER, Card, Deck
from games.scoring.counting import counting_module
from games.scoring.facade import Game
from games.scoring.rounds import Deal, Doubt, Hand, RoundEntry
from games.scoring.rule_types import Rules, Value
from games.scoring.variants import get_variant
from tests.scoring.by_the_book import Book, Pack, join_cards
from tests.scoring.contested_deals import build_deal
from tests.scoring.example_files import read_cards

CHINCHON = get_variant("chinchon")
DEAL = Deal({"ana": "Ana", "beto": "Beto"}, {"ana": 0, "beto": 0}, ("ana", "beto"))
PACKS: Mapping[str, Mapping[str, Value]] = {
    "48": {},
    "40": {"pack": 40},
    "a wild ace": {"wilds": "ace_of_coins", "wild_chinchon": -25},
    "jokers": {"pack": 50, "wilds": "jokers", "wild_chinchon": -25},
}
CUTTER_HAND = read_cards("4o 4c 4e 6b 6o 6c 1e")


def random_hands(deck: Deck, count: int) -> Iterator[tuple[Card, ...]]:
    """Yield random hands: any, and as often ones with nearly all cards in one run, some of them wild."""
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


def cut_doubts(rules: Rules, cutter_hand: Hand, other: Hand) -> tuple[Doubt, ...]:
    """Return the doubts about a cut by a player with the first hand, while another holds the second."""
    entry = RoundEntry("ana", "cut", (("ana", cutter_hand), ("beto", other)))
    counting = counting_module(rules)
    return counting.doubts(rules, entry, DEAL, counting.round_points(rules, entry, DEAL))


@pytest.mark.parametrize("count", [40, pytest.param(4000, marks=pytest.mark.long)])
@pytest.mark.parametrize("pack", PACKS)
def test_a_cut_is_doubtful_as_in_the_rules(pack, count):
    """All cards in one run are a chinchón. Unknown cards of the cutter might take the other player's cards."""
    rules = CHINCHON.build(CHINCHON.house({**PACKS[pack], "placing": "on"}))
    assert isinstance(rules.scoring, LeftoverPoints)
    ranks = tuple(map(int, rules.deck.ranks))
    book, without_wilds = Book(Pack(ranks, rules.scoring.wild_cards)), Book(Pack(ranks))
    for hand in random_hands(rules.deck, count):
        cards = join_cards(tuple(map(str, hand)))
        chinchon = "chinchon" if without_wilds.escaleras(cards) else "wild_chinchon"
        offered = [
            doubt.closing for doubt in cut_doubts(rules, Hand(held=hand), Hand(points=30)) if doubt.closing
        ]
        assert (cards, [chinchon] if book.escaleras(cards) else []) == (cards, offered)

        keeps = all(leftover for _games, leftover in book.partitions(cards))
        assert (cards, keeps) == (cards, bool(cut_doubts(rules, Hand(points=3), Hand(held=hand))))
        if set(CUTTER_HAND).isdisjoint(hand):
            assert (cards, ()) == (cards, cut_doubts(rules, Hand(held=CUTTER_HAND), Hand(held=hand)))


@pytest.mark.parametrize(
    "seeds",
    [
        pytest.param(range(60), id="some"),
        pytest.param(range(60, 4000), id="thousands", marks=pytest.mark.long),
    ],
)
def test_a_hand_is_doubtful_if_it_keeps_something_after_laying_off(seeds):
    """The cutter's cards are unknown; all others' are known, and are laid off on each other's melds."""
    for seed in seeds:
        deal = build_deal(seed)
        cutter, *others = deal.hands
        outcomes = Book(deal.pack).outcomes([deal.hands[player] for player in others])
        hands = [f"{player}=[{' '.join(deal.hands[player])}]" for player in others]
        head, players, _round = deal.text.strip().split("\n")
        game = Game.from_text(f"{head}\n{players}\nround {cutter} cut {cutter}=0 {' '.join(hands)}\n")

        doubted = {doubt.player for doubt in game.state.rounds[-1].doubts}
        assert (
            seed,
            [{player for player, kept in zip(others, points, strict=True) if kept} for points in outcomes],
        ) == (
            seed,
            [doubted],
        )
