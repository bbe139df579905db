"""A second implementation of the melds of Loba de Más and of contracts, slow and straight from RULES 3 and 4.

Every order and every assignment of wilds is tried. Only the cards themselves are shared with the solvers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations, product

from games.scoring.cards import Card

ROW = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]
SUITS = "SHDC"


# --- Loba de Más ------------------------------------------------------------------------------------------------------


def set_value(cards: Sequence[Card], packs: int = 2) -> int | None:
    """Return the value of a set, or None if the cards are not a set.

    A set has 3–6 natural cards of one rank in exactly three suits, at most two of each. With three packs it
    has 3–9, at most three of each.
    """
    if not 3 <= len(cards) <= 3 * packs or len({card.rank for card in cards}) > 1:
        return None
    if any(card.rank == "*" or card.stands_for for card in cards):
        return None
    for suits in product(*(card.suit or SUITS for card in cards)):
        if len(set(suits)) == 3 and all(suits.count(suit) <= packs for suit in suits):
            each = {"A": 3, "K": 2, "Q": 2, "J": 2, "10": 2, "9": 2, "8": 2}.get(cards[0].rank, 1)
            return each * len(cards)
    return None


def run_values(cards: Sequence[Card]) -> Iterator[tuple[int, int]]:
    """Yield every way to lay the cards as a run: its value and its first place in the order A 2 … K A."""
    if 3 <= len(cards) <= 13:
        known = {card.suit for card in cards if card.suit and card.rank not in ("2", "*")}
        for suit in known or SUITS:
            for start in range(14 - len(cards) + 1):
                for value, naturals in _run_layings(tuple(cards), start, suit):
                    if naturals:
                        yield value, start


@lru_cache(10_000)
def _run_layings(cards: tuple[Card, ...], place: int, suit: str) -> frozenset[tuple[int, int]]:
    """Return value and number of natural cards for every order of the cards on the places from `place` on."""
    if not cards:
        return frozenset({(0, 0)})
    return frozenset(
        (value + rest, natural + naturals)
        for number, card in enumerate(cards)
        if card not in cards[:number]  # equal cards may go in any order
        for value, natural in _card_at(card, place, suit)
        for rest, naturals in _run_layings(cards[:number] + cards[number + 1 :], place + 1, suit)
    )


def _card_at(card: Card, place: int, suit: str) -> Iterator[tuple[int, int]]:
    """Yield the value of a card at a place of a run, with 1 for a natural card and 0 for a wild."""
    rank = ROW[place]
    if card.stands_for and (card.rank not in ("2", "*") or card.stands_for != rank):
        return
    if card.rank == rank and card.suit in ("", suit):
        if place == 13:
            yield 3, 1
        elif rank in ("K", "Q", "J", "10", "9", "8"):
            yield 2, 1
        else:
            yield 1, 1
    if card.rank in ("2", "*"):
        yield (3 if place >= ROW.index("8") else 1), 0


def meld_value(cards: Sequence[Card], packs: int = 2) -> int | None:
    """Return the best legal value of the cards as a meld, or None if they are no meld."""
    values = [value for value, _start in run_values(cards)]
    as_set = set_value(cards, packs)
    if as_set is not None:
        values.append(as_set)
    return max(values, default=None)


# --- the contract games -----------------------------------------------------------------------------------------------


def is_trio(cards: Sequence[Card], jokers: int = 1) -> bool:
    """Return whether they are three of a rank in any suits, with at most this many jokers and a natural card."""
    ranks = [card.rank for card in cards if card.rank != "*"]
    return len(cards) == 3 and len(cards) - len(ranks) <= jokers and len(set(ranks)) == 1


def is_escalera(cards: Sequence[Card], jokers: int = 1) -> bool:
    """Return whether they are four in a row of one suit, ace low or high, with at most this many jokers."""
    naturals = [card for card in cards if card.rank != "*"]
    if len(cards) != 4 or not naturals or len(cards) - len(naturals) > jokers:
        return False
    if "" in {card.suit for card in naturals} or len({card.suit for card in naturals}) > 1:
        return False
    ranks = [card.rank for card in naturals]
    return any(
        all(ROW[start : start + 4].count(rank) == ranks.count(rank) for rank in ranks) for start in range(11)
    )


def is_long_run(cards: Sequence[Card], name: str, jokers: int = 1) -> bool:
    """Return whether they are A to K once each, with at most this many jokers, in the contract's suits."""
    by_rank = {card.rank: card for card in cards if card.rank != "*"}
    wild = sum(card.rank == "*" for card in cards)
    if len(cards) != 13 or wild > jokers or len(by_rank) + wild != 13:
        return False
    colours = {ROW.index(rank): "HDSC".find(card.suit) // 2 for rank, card in by_rank.items()}
    if name == "sucia":
        return True
    if "" in {card.suit for card in by_rank.values()}:
        return False
    if name == "real":
        return len({card.suit for card in by_rank.values()}) == 1
    if name == "bicolor":
        return len({(place + colour) % 2 for place, colour in colours.items()}) == 1
    assert name in ("color", "imperial")
    return len(set(colours.values())) == 1


def fewest_points(
    cards: Sequence[Card], contract: str, values: Mapping[str, int], jokers: int = 1
) -> int | None:
    """Return the fewest points kept after laying exactly the contract, or None if it cannot be laid."""
    worth = [values[card.rank] for card in cards]
    places = range(len(cards))
    if contract in ("sucia", "color", "imperial", "bicolor", "real"):
        counts = [1]
        games = [
            [
                chosen
                for chosen in combinations(places, 13)
                if is_long_run([cards[p] for p in chosen], contract, jokers)
            ]
        ]
    else:
        parts = {part[-1]: int(part[:-1]) for part in (contract[:2], contract[2:]) if part}
        counts = [parts.get("T", 0), parts.get("E", 0)]
        games = [
            [chosen for chosen in combinations(places, 3) if is_trio([cards[p] for p in chosen], jokers)],
            [chosen for chosen in combinations(places, 4) if is_escalera([cards[p] for p in chosen], jokers)],
        ]
    meld_points = [
        sum(worth[place] for place in used) for used in _disjoint_melds(games, counts, frozenset(), first=0)
    ]
    return sum(worth) - max(meld_points) if meld_points else None


def _disjoint_melds(
    games: list[list[tuple[int, ...]]], counts: list[int], used: frozenset[int], first: int
) -> Iterator[frozenset[int]]:
    """Yield the positions used by every choice of this many games of each kind that share no card."""
    if not games:
        yield used
        return
    if counts[0] == 0:
        yield from _disjoint_melds(games[1:], counts[1:], used, 0)
        return
    for number, game in enumerate(games[0][first:], start=first):
        if used.isdisjoint(game):
            yield from _disjoint_melds(games, [counts[0] - 1, *counts[1:]], used.union(game), number + 1)
