"""The picture of a result: its best moment is a line taken from the log, with the totals round by round."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.scoring.text.notation import parse_line
from tests.factories import start
from tests.reader import open_page, picture_data

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_english")]

ONE_FROM_BUST = ("round ana out beto=100 caro=40 dani=60", "round ana out beto=5 caro=70 dani=90")
USUAL = "round ana out beto=101 caro=101 dani=101"
COMEBACK = ("round beto out ana=101 caro=20 dani=20", "reenter ana", USUAL)


def picture(client, game):
    return picture_data(open_page(client, reverse("settlement", args=[game.code])))


@pytest.fixture
def play_lines(table, owner, write):
    """`play_lines("round …", …)` returns a game of Loba de Menos with these lines of the notation."""

    def play(*lines):
        game = start(table, owner, stake=100)
        for line in lines:
            write(game, *parse_line(line))
        return game

    return play


@pytest.mark.parametrize(
    ("lines", "moment"),
    [
        (ONE_FROM_BUST, "Beto was 1 point from bust, then went bust in round 2"),
        (COMEBACK, "Ana came back once and won"),
    ],
)
def test_the_best_moment_of_a_game_is_the_bust_at_one_else_the_comeback(ana, play_lines, lines, moment):
    assert moment == picture(ana, play_lines(*lines))["notes"][0]


def test_a_game_without_such_a_moment_says_none_and_the_longest_of_the_table_says_so(ana, play_lines):
    short = play_lines(USUAL)
    long = play_lines("round ana out beto=3 caro=4 dani=5", USUAL)

    assert ["Pot of"] == [note[:6] for note in picture(ana, short)["notes"]]
    assert "The longest Loba de Menos at this table: 2 rounds" == picture(ana, long)["notes"][0]


def test_the_totals_of_who_is_out_end_where_they_went_out(ana, finished):
    totals = [line["totals"] for line in picture(ana, finished)["course"]]

    assert [[0, 0, 0, 0], [0, 101, 90, 140], [0, 40, 110], [0, 60, 90, 110]] == totals
