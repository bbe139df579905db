"""A study of 100,000 games in one file and one process: the rate, and the memory, which must not grow with the file.

Every game is another one, so nothing is measured that an earlier game left in a cache. They are of three to five
players: Loba de Menos and Carioca with hands as cards, Chinchón with the leftovers as declared.

    python -m tests.benchmarks.many_games [GAMES, 100000]
"""

from __future__ import annotations

import random
import resource
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from games.scoring import read_games
from tests.benchmarks.goals import say

GAMES = 100_000
IDS = ("ana", "beto", "caro", "dani", "eva")
FIGURES = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
PACK = [rank + suit for rank in FIGURES for suit in "SHDC" for _copy in range(2)]
LEFTOVERS = [str(rank) for rank in (*range(1, 8), 10, 11, 12) for _suit in range(4)]
MOST_GROWTH = 10  # MB between the first tenth of the games and the last


def main() -> None:
    """Write the games into a file, play them, and print the rates and the goal."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else GAMES
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "many.games")
        with path.open("w", encoding="utf-8") as file:
            file.writelines(text_of(random.Random(seed), seed) for seed in range(count))
        print(f"      {count:,} games in a file of {path.stat().st_size / 1e6:.0f} MB", flush=True)
        _play(path, count)


def _play(path: Path, count: int) -> None:
    rounds, variants, early = 0, Counter[str](), 0.0
    begun, worked = time.perf_counter(), time.process_time()
    for number, game in enumerate(read_games(path), start=1):
        rounds += len(game.state.rounds)
        variants[game.state.variant.key] += 1
        if number == count // 10:
            early = _peak()
    seconds, worked = time.perf_counter() - begun, time.process_time() - worked
    assert count == variants.total()
    print(f"      {dict(variants)}, {rounds:,} rounds")
    print(
        f"      {seconds:.0f} s ({worked:.0f} s of one processor): {count / worked:,.0f} games, {rounds / worked:,.0f} rounds a second of it"
    )
    growth = _peak() - early
    say(
        f"memory grows ≤ {MOST_GROWTH} MB",
        f"{growth:.1f} MB, {_peak():.0f} MB at most",
        met=growth <= MOST_GROWTH,
    )


def _peak() -> float:
    """Return the largest memory of this process so far, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def text_of(chance: random.Random, seed: int) -> str:
    """Return a game with its tags."""
    players = IDS[: chance.randint(3, 5)]
    kind = chance.choice((loba, carioca, chinchon))
    tags = f'tags date=20{chance.randint(10, 29)}-{chance.randint(1, 12):02}-15 table="Mesa {seed}"'
    return "\n".join((tags, *kind(chance, players), "", ""))


def loba(chance: random.Random, players: Sequence[str]) -> Iterator[str]:
    """Yield a game of Loba de Menos, stopped by agreement before anybody can be out."""
    yield f"game loba_menos stake={chance.randint(1, 50)}"
    yield f"players {' '.join(players)}"
    for _number in range(3):
        yield _round(chance, players, "out", PACK, most=3)
    yield "stop lowest_wins"


def carioca(chance: random.Random, players: Sequence[str]) -> Iterator[str]:
    """Yield a whole game of Chilean Carioca, a round for each contract."""
    yield f"game carioca_cl settlement=pairs stake={chance.randint(1, 50)}"
    yield f"players {' '.join(players)}"
    for _number in range(7):
        yield _round(chance, players, "out", PACK, most=11)


def chinchon(chance: random.Random, players: Sequence[str]) -> Iterator[str]:
    """Yield a game of Chinchón, stopped by agreement before anybody can be out."""
    yield "game chinchon pack=40"
    yield f"players {' '.join(players)}"
    for _number in range(3):
        yield _round(chance, players, "closed", LEFTOVERS, most=2)
    yield "stop lowest_wins"


def _round(
    chance: random.Random, players: Sequence[str], closing: str, pack: Sequence[str], most: int
) -> str:
    """Return a round in which one player closes and each other one holds one to `most` cards of the pack."""
    closer, *others = chance.sample(players, len(players))
    dealt = chance.sample(pack, most * len(others))
    hands = [dealt[most * place : most * place + chance.randint(1, most)] for place in range(len(others))]
    held = (f"{player}=[{' '.join(hand)}]" for player, hand in zip(others, hands, strict=True))
    return " ".join((f"round {closer} {closing}", *held))


if __name__ == "__main__":
    main()
