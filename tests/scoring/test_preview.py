"""Previews of corrections: the conflicts of RULES 1.4, their remedies, and the results.

The games, with the results of their corrections, are in `data/corrections.games`.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from games.scoring import Game
from games.scoring.errors import RuleError
from games.scoring.preview import Preview, preview_changes
from games.scoring.replay import replay
from games.scoring.text.collection import split_games
from games.scoring.text.notation import parse_line
from games.scoring.text.notation_writer import write_event

FILE = Path(__file__).parent / "data" / "corrections.games"
GAMES = [
    Game.from_text(game) for game in split_games(FILE.read_text(encoding="utf-8").splitlines(keepends=True))
]


def preview_change(game: Game) -> Preview:
    """Return the preview of the game's correction, with the chosen answers."""
    answers = dict(answer.split("=") for answer in game.tags.get("answers", "").split())
    return preview_changes(game.log, *parse_line(game.tags["change"]), answers=answers)


def conflicts_text(result: Preview) -> str:
    return " / ".join(
        f"{conflict.kind} {conflict.number} {conflict.player}: {' '.join(choice.remedy for choice in conflict.choices)}".strip()
        for conflict in result.conflicts
    )


@pytest.mark.parametrize("game", GAMES, ids=range(len(GAMES)))
def test_a_correction_has_its_conflicts_and_becomes_what_its_remedies_say(game):
    result = preview_change(game)
    change, *others = map(write_event, result.changes)
    assert (game.tags["change"], game.tags.get("becomes", "")) == (change, " ; ".join(others))
    assert game.tags.get("conflicts", "") == conflicts_text(result)
    assert game.state == result.before
    assert replay((*game.log, *result.changes)) == result.after


@pytest.mark.parametrize(
    "change",
    [
        "correct 2 round ana out beto=5 caro=5",
        "correct 2 round zoe out ana=5 beto=5 caro=5 dani=5",
        "correct 9 leave ana",
        "strike 1",
        "before 3 reenter beto",
        "correct 3 reenter beto",
    ],
)
def test_an_invalid_correction_is_refused(change: str):
    with pytest.raises(RuleError):
        preview_changes(GAMES[0].log, *parse_line(change))
