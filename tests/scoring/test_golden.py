"""Golden games: each has the expected results, and is the same game as text, as JSON and by the library."""

from __future__ import annotations

import json

import pytest

from games.scoring import Game
from games.scoring.ledger import nets, payments, places
from games.scoring.replay import replay
from games.scoring.text.codec import from_data, to_data
from games.scoring.text.game_file import parse_game_file, play_game_file
from games.scoring.text.notation_writer import write_game
from games.scoring.text.report import sheet, summary
from games.scoring.variants import VARIANTS
from tests.scoring.example_files import GOLDEN

TEXTS = {path.stem: path.read_text(encoding="utf-8") for path in GOLDEN}
each_golden_game = pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)


@each_golden_game
def test_a_golden_game_meets_its_expectations(text):
    assert text.lstrip().startswith(("# RULES ", "# NOTATION"))
    assert [] == play_game_file(parse_game_file(text)).problems


@each_golden_game
def test_a_golden_game_is_the_same_as_text_as_json_and_by_the_library(text):
    played = play_game_file(parse_game_file(text))
    state, written = played.state, write_game(played.log)
    rows = [(event.kind, json.dumps(to_data(event))) for event in played.log]
    game = Game.from_text(text)
    assert state is not None
    assert (played.log, written) == (play_game_file(parse_game_file(written)).log, write_game(game.log))
    assert played.log == tuple(from_data(kind, json.loads(data)) for kind, data in rows) == game.log
    assert (state, ()) == (game.state, game.unmet)
    assert (sheet(state), summary(state)) == (game.sheet(), game.summary())
    assert (nets(state), places(state)) == (game.nets(), game.places())
    assert payments(state) == game.settlement().transfers
    assert game == Game.from_text(game.text())
    assert state == replay(played.log)


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_variant_has_golden_games(variant):
    heads = [line.split("#")[0].split()[:2] for text in TEXTS.values() for line in text.splitlines()]
    assert ["game", variant] in heads
