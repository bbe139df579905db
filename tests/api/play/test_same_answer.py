"""The golden games, played through the API, have the same results as in the scoring library."""

from __future__ import annotations

from typing import Any

import pytest

from games.api.play.game_payloads import MOST_EVENTS
from games.scoring.text.codec import kind_of, to_data
from games.scoring.text.report import full_summary
from games.scoring.text.script import play_script
from games.shown.common.sentences import translate
from tests.golden_games import GOLDEN, NIGHTS, each_golden_game, read_golden, seat_people
from tests.tables import make_table

pytestmark = pytest.mark.django_db

SAMPLED = 25  # the quick run plays one game of this many


def played_by(program, table, log):
    """Record this log through the API, batch by batch, and return the code of the game."""
    seat_people(table, log)
    begun = log[0]
    ids = [player.id for player in begun.players]
    wanted = {
        "variant": begun.variant,
        "options": dict(begun.options),
        "direction": begun.direction,
        "players": [{"id": player} for player in ids],
        **({"dealer": ids.index(begun.dealer) + 1} if begun.dealer else {}),
    }
    answer = program.write(f"tables/{table.code}/games/", wanted, key="begin")
    assert 201 == answer.status, answer.body
    for start in range(1, len(log), MOST_EVENTS):
        events = [
            {"kind": kind_of(event), "data": to_data(event)} for event in log[start : start + MOST_EVENTS]
        ]
        body = {"after": start, "events": events}
        recorded = program.write(f"games/{answer.body['code']}/events/", body, key=f"from-{start}")
        assert 200 == recorded.status, recorded.body
    return answer.body["code"]


@each_golden_game(SAMPLED)
def test_a_golden_game_played_through_the_api_has_the_result_of_the_scoring_library(ana, owner, path):
    played = play_script(read_golden(path))
    assert played.state is not None
    code = played_by(ana, make_table(owner, people=()), played.log)
    scored: dict[str, Any] = full_summary(played.state, translate)
    state = ana.get(f"games/{code}/").body

    assert scored == {name: state[name] for name in scored}


def test_only_golden_games_with_imported_nights_cannot_be_played_through_the_api():
    nights = {
        path.stem
        for path in GOLDEN
        if any(line.startswith("night") for line in path.read_text(encoding="utf-8").splitlines())
    }

    assert NIGHTS == nights
