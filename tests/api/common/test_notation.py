"""The notation on the reference page: every line is accepted, and no closing of a variant is missing."""

from __future__ import annotations

import pytest

from games.api.common.notation import ROUNDS
from games.api.play.shapes import EVENT_SHAPES, MORE_LINES
from games.scoring.variants import VARIANTS
from tests.api.conftest import Program
from tests.reader import read_page

LINES = [(key, line) for key, lines in ROUNDS.items() for line in lines]


@pytest.mark.parametrize(("key", "line"), LINES)
def test_every_line_of_notation_is_accepted_in_a_new_game_without_doubts(program, key, line):
    answer = program.post("score/", {"game": f"game {key}\nplayers ana beto\n{line}"})

    assert (200, 1, []) == (answer.status, len(answer.body["rounds"]), answer.body["doubts"]), answer.body


@pytest.mark.parametrize("key", VARIANTS)
def test_the_page_shows_each_closing_of_a_variant_as_a_line_of_notation(program, key):
    closings = program.get(f"variants/{key}/").body["closings"]

    assert {closing["key"] for closing in closings} == {line.split()[2] for line in ROUNDS[key]}


def test_the_reference_page_shows_every_line_of_notation():
    notation = read_page(Program().client.get("/api/")).only("div", id="notation")

    assert [" ".join(lines) for lines in ROUNDS.values()] == [node.text for node in notation.every("code")]


def test_the_description_has_the_notation_of_a_round_that_nobody_closed():
    described = EVENT_SHAPES["round_played"].notation

    assert "or round nobody stock_out ana=3 beto=9 or round nobody played ana=3 beto=4" in described
    assert {"round_played"} == set(MORE_LINES)
