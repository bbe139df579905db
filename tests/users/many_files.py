"""Read many files of many games, and go on behind a game that cannot be played.

It prints:
    good.game: 2026-11-21 loba_menos, ana won
    good.game: 2026-11-22 points, nobody yet
    bad.game:3: Loba de Menos is for 2 to 5 players.
    bad.game: some day points, nobody yet
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from anotador import Game, GameText, LineError, read_games, split_games

GOOD = """
tags date=2026-11-21 table="Los jueves"
game loba_menos reentries=0
players ana beto
round ana out beto=101
tags date=2026-11-22
game points
players ana beto
"""
BAD = "game loba_menos\n\nplayers ana\ntags\ngame points\nplayers ana beto\n"


def line_of(path: Path, game: Game) -> str:
    """Return a line about a game of a file."""
    winners = game.state.outcome.winners if game.state.outcome else ()
    won = f"{', '.join(winners)} won" if winners else "nobody yet"
    return f"{path.name}: {game.tags.get('date', 'some day')} {game.state.variant.key}, {won}"


def lines_of(path: Path) -> Iterator[str]:
    """Yield a line for each game of a file, also for one that cannot be played."""
    texts: Iterator[GameText] = split_games(path.read_text(encoding="utf-8"))
    for text in texts:
        try:
            yield line_of(path, Game.from_text(text))
        except LineError as error:
            yield f"{path.name}:{error.line}: {error.error}"


with TemporaryDirectory() as folder:
    good, bad = Path(folder) / "good.game", Path(folder) / "bad.game"
    good.write_text(GOOD, encoding="utf-8")
    bad.write_text(BAD, encoding="utf-8")
    for played in read_games(good):
        print(line_of(good, played))
    print(*lines_of(bad), sep="\n")
