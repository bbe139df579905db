"""Goal P8: find a run of Loba de Más, its value and its wilds' ranks, twice as fast as a plain check.

The solver that the goal names for comparison, mclarty3/loba-card-game, is in no package registry and has no
licence. The plain check replaces it; as that solver does, it allows one joker and knows no wild twos.

    python -m tests.benchmarks.melds
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from games.scoring.cards import FRENCH_RANKS, JOKER, PLACES, Card
from games.scoring.solvers.melds import Flaw, melds_of
from games.scoring.variants.loba_mas import POINTS
from tests.benchmarks.goals import say
from tests.benchmarks.measure import Contestant, compare

RUNS = 20_000
meld_of, placement = melds_of(POINTS[2]).meld_of, melds_of(POINTS[2]).placement
NUMBERS = {rank: number for number, rank in enumerate(FRENCH_RANKS, start=1)}
HIGH_ACE = 14


def is_run(cards: Sequence[Card]) -> bool:
    """Return whether the cards are a run with at most one joker, where no two is wild: the plain check."""
    naturals = [card for card in cards if card.rank != JOKER]
    if len(cards) < 3 or len(cards) - len(naturals) > 1 or not naturals:
        return False
    if len({card.suit for card in naturals}) > 1:
        return False
    numbers = sorted(NUMBERS[card.rank] for card in naturals)
    if len(set(numbers)) < len(numbers):
        return False
    if numbers[-1] - numbers[0] < len(cards):
        return True
    if numbers[0] != 1:
        return False
    high = [*numbers[1:], HIGH_ACE]
    return high[-1] - high[0] < len(cards)


def runs_by_chance(chance: random.Random, *, natural_twos: bool) -> list[tuple[Card, ...]]:
    """Return random runs of three to six cards, shuffled; half have a joker, one in five a wrong card."""
    runs: list[tuple[Card, ...]] = []
    while len(runs) < RUNS:
        size = chance.randint(3, 6)
        start, suit = chance.randint(0, len(PLACES) - size), chance.choice("SHDC")
        ranks = list(PLACES[start : start + size])
        if chance.random() < 0.5:
            ranks[chance.randrange(size)] = JOKER
        if chance.random() < 0.2:
            ranks[chance.randrange(size)] = chance.choice(PLACES)
        chance.shuffle(ranks)
        if natural_twos or "2" not in ranks:
            runs.append(tuple(Card(rank, "" if rank == JOKER else suit) for rank in ranks))
    return runs


def main() -> None:
    """Time the solver and the plain check on the same runs, once they agree where no two is wild."""
    chance = random.Random(8)
    plain = runs_by_chance(chance, natural_twos=False)
    differences = sum(is_run(cards) is isinstance(meld_of(cards), Flaw) for cards in plain)
    say(
        "P8 yes and no as the plain check says, runs without twos",
        f"{differences} of {RUNS:,} differ",
        met=not differences,
    )

    cards = runs_by_chance(chance, natural_twos=True)
    legal = [each for each in cards if not isinstance(meld_of(each), Flaw)]
    comparison = compare(Contestant("value and row", meld_of, cards), Contestant("yes or no", is_run, cards))
    say("P8 value and row of a run ≥ 2 × yes or no", f"{comparison.ratio:.1f} ×", met=comparison.ratio >= 2)
    print(f"      value and row {comparison.rate:,.0f}/s, yes or no {comparison.peer_rate:,.0f}/s")
    print(f"      every card on its place {Contestant('placement', placement, legal).rate():,.0f}/s")


if __name__ == "__main__":
    main()
