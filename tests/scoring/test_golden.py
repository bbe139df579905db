"""Golden games: each has the results that it expects, and survives a round trip as text and as JSON."""

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


def test_there_are_golden_games():
    assert GOLDEN


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_a_golden_game_meets_its_expectations(path: Path):
    assert [] == play_script(read_script(path.read_text(encoding="utf-8"))).problems


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_a_golden_game_survives_a_round_trip_as_text(path: Path):
    played = play_script(read_script(path.read_text(encoding="utf-8")))
    written = write_game(played.log)
    again = play_script(read_script(written))
    assert ([], played.log, played.state) == (again.problems, again.log, again.state)
    assert written == write_game(again.log)


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_a_golden_game_survives_a_round_trip_as_json(path: Path):
    played = play_script(read_script(path.read_text(encoding="utf-8")))
    stored = [(kind_of(event), json.dumps(to_data(event))) for event in played.log]
    log = tuple(from_data(kind, json.loads(data)) for kind, data in stored)
    state = replay(log)
    assert (played.log, played.state) == (log, state)
    assert played.state is not None
    assert summary(played.state) == summary(state)


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_variant_has_golden_games(variant: str):
    heads = (line for path in GOLDEN for line in path.read_text(encoding="utf-8").splitlines())
    assert any(line.split("#")[0].split()[:2] == ["game", variant] for line in heads)


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_a_golden_game_begins_with_a_reference_to_the_rules(path: Path):
    first = path.read_text(encoding="utf-8").lstrip().splitlines()[0].lstrip()
    assert first.startswith(("# RULES ", "# NOTATION"))
