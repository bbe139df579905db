"""Contested deals of Chinchón, in which the choice between equal layings decides somebody's points.

`data/contested.txt` lists two thousand of them by seed; `python -m tests.scoring.contested_deals 2000`
searches for as many.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import count, islice
from pathlib import Path
from random import Random

from tests.scoring.by_the_book import SUITS, WILDS, Book, Cards, Laying, Pack

SEEDS = Path(__file__).parent / "data" / "contested.txt"
TRIES = 100  # equal layings come in a random order, so a few random choices may happen to be the right one
RANKS = {40: (1, 2, 3, 4, 5, 6, 7, 10, 11, 12), 48: tuple(range(1, 13)), 50: tuple(range(1, 13))}


@dataclass(frozen=True)
class ContestedDeal:
    """A deal with the options of its game: hands of seven cards, the cutter's first, then in turn order."""

    pack: Pack
    options: Mapping[str, str]
    hands: Mapping[str, Cards]

    @property
    def text(self) -> str:
        """The deal as a game in the notation, without the bonus of −10, so that points are leftovers."""
        around = list(self.hands) if self.options["direction"] == "left" else list(self.hands)[::-1]
        options = " ".join(f"{key}={value}" for key, value in self.options.items())
        hands = " ".join(f"{player}=[{' '.join(hand)}]" for player, hand in self.hands.items())
        cutter = next(iter(self.hands))
        return (
            f"game chinchon minus_ten=0 {options}\nplayers {' '.join(around)}\nround {cutter} cut {hands}\n"
        )


def build_deal(seed: int) -> ContestedDeal:
    """Return the deal with this seed. Its cards have few neighboring ranks, so that many games can be laid."""
    random = Random(seed)
    cards, packs = random.choice((40, 48, 50)), random.choice((1, 2))
    wilds = "jokers" if cards == 50 else random.choice(("none", "ace_of_coins"))
    value = {
        "none": "25",
        "jokers": random.choice(("25", "3")),
        "ace_of_coins": random.choice(("25", "face")),
    }
    players = random.randint(2, 5 if (cards, packs) == (40, 1) else 6)
    fewest = -(-7 * players // (4 * packs))
    width = min(len(RANKS[cards]), max(fewest, random.randint(3, 9)))
    first = random.randint(0, len(RANKS[cards]) - width)
    deck = [f"{rank}{suit}" for rank in RANKS[cards][first : first + width] for suit in SUITS] * packs
    wild = WILDS[wilds]
    if wild and wild not in deck:
        deck += [wild] * packs * (2 if wild == "*" else 1)
    random.shuffle(deck)
    options = {
        "pack": str(cards),
        "packs": str(packs),
        "wilds": wilds,
        "direction": random.choice(("left", "right")),
    }
    if wild:
        options["wild_value"] = value[wilds]
    hands = {"abcdef"[player]: tuple(deck[7 * player : 7 * player + 7]) for player in range(players)}
    return ContestedDeal(
        Pack(RANKS[cards], frozenset({wild} - {""}), int(value[wilds]) if value[wilds] != "face" else None),
        options,
        hands,
    )


def leftovers_by_rules(deal: ContestedDeal) -> dict[str, int]:
    """Return everybody's leftover by RULES 5 to the letter. Fail if more than one outcome is possible."""
    (points,) = Book(deal.pack).outcomes(list(deal.hands.values()))
    return dict(zip(deal.hands, points, strict=True))


def is_contested(deal: ContestedDeal) -> bool:
    """Return whether somebody's points would change if equal layings were chosen at random."""
    book, hands = Book(deal.pack), list(deal.hands.values())
    outcomes = book.outcomes(hands)
    for seed in range(TRIES):
        random = Random(seed)

        def at_random(equal: list[Laying], random: Random = random) -> list[Laying]:
            return [random.choice(equal)]

        if book.outcomes(hands, at_random) != outcomes:
            return True
    return False


def stored_seeds() -> list[int]:
    lines = SEEDS.read_text().splitlines()
    return [int(seed) for line in lines if not line.startswith("#") for seed in line.split()]


def contested_seeds() -> Iterator[int]:
    """Yield the seeds of contested deals in order, without end."""
    return (seed for seed in count() if is_contested(build_deal(seed)))


if __name__ == "__main__":
    for seed in islice(contested_seeds(), int(sys.argv[1])):
        print(seed, flush=True)
