"""Random hands from two or three French packs: drawn uniformly, rich in games, or from few ranks."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping

from games.scoring.cards import FRENCH_RANKS, TWO_FRENCH_PACKS, Card

SUITS = TWO_FRENCH_PACKS.suits
Cards = tuple[Card, ...]
PACK: Cards = (
    *(Card(rank, suit) for rank in FRENCH_RANKS for suit in SUITS for _copy in range(2)),
    *[Card("*")] * 4,
)
THREE_PACKS: Cards = (
    *(Card(rank, suit) for rank in FRENCH_RANKS for suit in SUITS for _copy in range(3)),
    *[Card("*")] * 6,
)


def uniform(chance: random.Random, size: int, pack: Cards = PACK) -> tuple[Card, ...]:
    """Return a random deal."""
    return tuple(chance.sample(pack, size))


def rich(chance: random.Random, size: int, pack: Cards = PACK) -> tuple[Card, ...]:
    """Return a hand as it is late in a round: overlapping pieces of sets and runs, jokers and other cards."""
    left, row = list(pack), (*FRENCH_RANKS, "A")
    hand: list[Card] = []
    while len(hand) < size:
        kind = chance.random()
        if kind < 0.4:
            start, suit = chance.randint(0, 10), chance.choice(SUITS)
            wanted = [Card(rank, suit) for rank in row[start : start + chance.randint(3, 4)]]
        elif kind < 0.8:
            rank = chance.choice(FRENCH_RANKS)
            wanted = [Card(rank, chance.choice(SUITS)) for _card in range(chance.choice([2, 3, 3]))]
        else:
            wanted = [Card("*") if kind < 0.9 else chance.choice(left)]
        for card in wanted:
            if card in left and len(hand) < size:
                left.remove(card)
                hand.append(card)
    chance.shuffle(hand)
    return tuple(hand)


def dense(chance: random.Random, size: int, pack: Cards = PACK) -> tuple[Card, ...]:
    """Return cards of four or five neighbouring ranks and jokers, in which the most games overlap."""
    start = chance.randint(0, len(FRENCH_RANKS) - 5)
    ranks = {*FRENCH_RANKS[start : start + chance.choice([4, 5])], "*"}
    return tuple(chance.sample([card for card in pack if card.rank in ranks], size))


WORKLOADS: Mapping[str, Callable[..., Cards]] = {"uniform": uniform, "rich": rich, "dense": dense}


def nearly_long(chance: random.Random) -> tuple[Card, ...]:
    """Return fourteen cards that are almost A to K in the suits of a contract, with some cards replaced."""
    patterns = (["SHDC"], ["HD"], ["SC"], ["HD", "SC"], ["SC", "HD"], ["S"], ["D"])
    pattern = chance.choice(patterns)
    hand = [
        Card(rank, chance.choice(pattern[place % len(pattern)])) for place, rank in enumerate(FRENCH_RANKS)
    ]
    for _spoiled in range(chance.choice([0, 0, 1, 1, 2])):
        hand[chance.randrange(13)] = chance.choice(PACK) if chance.random() < 0.4 else Card("*")
    hand.append(chance.choice([Card("*"), chance.choice(PACK), Card(chance.choice(FRENCH_RANKS), "S")]))
    chance.shuffle(hand)
    return tuple(hand)
