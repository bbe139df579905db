"""Golden games: each has the results it expects, and is the same after a round trip as text and as JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from games.scoring.replay import replay
from games.scoring.text.codec import from_data, kind_of, to_data
from games.scoring.text.report import summary
from games.scoring.text.script import play_script, read_script
from games.scoring.text.writing import write_game
from games.scoring.variants import VARIANTS

GOLDEN = sorted(Path(__file__).with_name("golden").glob("*.game"))


def test_there_are_written_games():
    assert GOLDEN


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_a_written_game_plays_as_it_expects(path: Path):
    assert [] == play_script(read_script(path.read_text(encoding="utf-8"))).problems


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_a_written_game_written_again_is_the_same_game(path: Path):
    played = play_script(read_script(path.read_text(encoding="utf-8")))
    written = write_game(played.log)
    again = play_script(read_script(written))
    assert ([], played.log, played.state) == (again.problems, again.log, again.state)
    assert written == write_game(again.log)


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_a_written_game_kept_as_json_comes_to_the_same(path: Path):
    played = play_script(read_script(path.read_text(encoding="utf-8")))
    stored = [(kind_of(event), json.dumps(to_data(event))) for event in played.log]
    log = tuple(from_data(kind, json.loads(data)) for kind, data in stored)
    state = replay(log)
    assert (played.log, played.state) == (log, state)
    assert played.state is not None
    assert summary(played.state) == summary(state)


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_game_has_written_games(variant: str):
    heads = (line for path in GOLDEN for line in path.read_text(encoding="utf-8").splitlines())
    assert any(line.split("#")[0].split()[:2] == ["game", variant] for line in heads)


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_a_written_game_begins_by_saying_what_it_shows(path: Path):
    first = path.read_text(encoding="utf-8").lstrip().splitlines()[0].lstrip()
    assert first.startswith(("# RULES ", "# NOTATION"))
