"""Hands for timing and testing the solvers, in three workloads. The same seed gives the same hands.

Uniform hands alone are too easy: three in four hold no group at all, and a solver that always takes runs
first is wrong in only one of a thousand. Rich hands are typical of the end of a round, when somebody cuts.
Dense hands are the hardest case.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from types import MappingProxyType

from games.scoring.cards import Card, Deck

Hand = tuple[Card, ...]

SPANISH_RANKS = tuple(str(rank) for rank in range(1, 13))
FRENCH_RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")

SPANISH_48 = Deck(SPANISH_RANKS, "oceb", copies=1, jokers=0)
SPANISH_40 = Deck((*SPANISH_RANKS[:7], *SPANISH_RANKS[9:]), "oceb", copies=1, jokers=0)
SPANISH_50 = Deck(SPANISH_RANKS, "oceb", copies=1, jokers=2)
TWO_SPANISH_50 = Deck(SPANISH_RANKS, "oceb", copies=2, jokers=4)
FRENCH_52 = Deck(FRENCH_RANKS, "SHDC", copies=1, jokers=0)

BY_NUMBER: Mapping[str, int] = MappingProxyType({rank: int(rank) for rank in SPANISH_RANKS})
FIGURES_TEN: Mapping[str, int] = MappingProxyType({rank: min(10, int(rank)) for rank in SPANISH_RANKS})
IN_ORDER_40: Mapping[str, int] = MappingProxyType(
    {rank: place for place, rank in enumerate(SPANISH_40.ranks, start=1)}
)
GIN: Mapping[str, int] = MappingProxyType(
    {rank: min(10, place) for place, rank in enumerate(FRENCH_RANKS, start=1)}
)


def uniform(deck: Deck, size: int, random: Random) -> Hand:
    """Return a random hand of natural cards."""
    return tuple(random.sample(cards_of(deck), size))


def rich(deck: Deck, size: int, random: Random) -> Hand:
    """Return a hand of overlapping sets and runs and some other cards, as held when somebody cuts."""
    hand: list[Card] = []
    while len(hand) < size - random.randrange(3):
        rank, suit = random.randrange(len(deck.ranks)), random.choice(deck.suits)
        if random.random() < 0.5:
            hand += [
                Card(deck.ranks[rank], suit) for suit in random.sample(deck.suits, random.choice((3, 3, 4)))
            ]
        else:
            hand += [Card(rank, suit) for rank in deck.ranks[rank : rank + random.choice((3, 3, 4, 5))]]
        hand = _limit_copies(deck, hand)[:size]
    cards = _limit_copies(deck, [*hand, *random.sample(cards_of(deck), len(cards_of(deck)))])[:size]
    random.shuffle(cards)
    return tuple(cards)


def dense(deck: Deck, size: int, random: Random) -> Hand:
    """Return a random hand of a few neighboring ranks.

    Such cards form many sets and runs that share cards, which is the hardest case for the solver.
    """
    ranks = max(random.choice((4, 5)), -(-size // (len(deck.suits) * deck.copies)))
    first = random.randrange(len(deck.ranks) - ranks + 1)
    block = [card for card in cards_of(deck) if card.rank in deck.ranks[first : first + ranks]]
    return tuple(random.sample(block, size))


WORKLOADS: Mapping[str, Callable[[Deck, int, Random], Hand]] = MappingProxyType(
    {"uniform": uniform, "rich": rich, "dense": dense}
)


def hands(name: str, deck: Deck, size: int, count: int, wilds: Hand = ()) -> list[Hand]:
    """Return this many hands of a workload, the same at every call. All have these wilds and no others."""
    random = Random(f"{name} {len(deck.ranks)} {deck.copies} {size} {len(wilds)}")
    result: list[Hand] = []
    while len(result) < count:
        naturals = WORKLOADS[name](deck, size - len(wilds), random)
        if not set(wilds) & set(naturals):
            result.append(tuple(random.sample((*naturals, *wilds), size)))
    return result


def deals(name: str, deck: Deck, players: int, count: int, jokers: int = 0) -> list[tuple[Hand, ...]]:
    """Return this many deals of seven cards to each player, the cutter's hand first.

    The cutter's hand is a rich one, the others are from the workload. Some of the `jokers` are dealt too,
    more of them to the others than to the cutter.
    """
    random = Random(f"{name} {len(deck.ranks)} {deck.copies} {players} {jokers}")
    dealt: list[tuple[Hand, ...]] = []
    while len(dealt) < count:
        stock = [*cards_of(deck), *[Card("*")] * jokers]
        hands: list[Hand] = []
        for player in range(players):
            preferred = WORKLOADS["rich" if player == 0 else name](deck, 7, random)
            joker_count = random.randrange(3) if stock.count(Card("*")) > 1 and random.random() < 0.6 else 0
            hand = [Card("*")] * joker_count
            for card in (*preferred, *random.sample(stock, len(stock))):
                if len(hand) < 7 and hand.count(card) < stock.count(card) and card.suit:
                    hand.append(card)
            for card in hand:
                stock.remove(card)
            hands.append(tuple(hand))
        dealt.append(tuple(hands))
    return dealt


def cards_of(deck: Deck) -> list[Card]:
    """Return every natural card of the deck, including all copies."""
    return [Card(rank, suit) for suit in deck.suits for rank in deck.ranks for _ in range(deck.copies)]


def _limit_copies(deck: Deck, cards: list[Card]) -> list[Card]:
    result: list[Card] = []
    for card in cards:
        if result.count(card) < deck.copies:
            result.append(card)
    return result
