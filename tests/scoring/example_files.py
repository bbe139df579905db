"""The golden games, and parsers for the cards and games that tests write as text."""

from __future__ import annotations

import re
from pathlib import Path

from games.scoring.cards import Card, parse_card
from games.scoring.events import Event
from games.scoring.state import GameState
from games.scoring.text.game_file import GameFileResult, parse_game_file, play_game_file

DATA = Path(__file__).with_name("data")
GOLDEN = sorted(Path(__file__).with_name("golden").glob("*.game"))


def examples(name: str) -> list[str]:
    """Return the examples of a file in `data/` with their headings, “##”; “# ---” is the heading of a part."""
    text = (DATA / name).read_text(encoding="utf-8")
    return re.sub(r"\n# --- .*\n", "", text).split("\n## ")[1:]


def read_cards(text: str) -> tuple[Card, ...]:
    """Return the cards of a text such as `7o * 3c`."""
    return tuple(map(parse_card, text.split()))


def read_log(text: str) -> tuple[Event, ...]:
    return _play(text).log


def read_state(text: str) -> GameState:
    state = _play(text).state
    assert state is not None
    return state


def _play(text: str) -> GameFileResult:
    played = play_game_file(parse_game_file(text))
    assert [] == played.problems
    return played
