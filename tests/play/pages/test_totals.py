"""The course of a game, round by round, as a chart and as figures."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.play import recording as services
from games.scoring.events import (
    GameStarted,
    GameStopped,
    Player,
    PlayerJoined,
    PlayerLeft,
    SeatHandedOver,
    Stop,
)
from games.tables.members import add_member
from tests.reader import open_page
from tests.worlds import a_round, start

pytestmark = pytest.mark.django_db


def shown(client, game):
    """Return the part of the result that shows how the game went; a running game is stopped first."""
    if not game.state().is_over:
        stop = GameStopped(Stop.REFUND)
        services.record(
            game, stop, after=game.records.count(), key="stop", by=game.table.accesses.all()[0].user
        )
    return open_page(client, reverse("settlement", args=[game.code])).only("details", id="totals")


def figures(page):
    """Return the chart's table: each player's total at each place of the axis, "" if there is none."""
    table = page.only("figure").only("table")
    heads = [head.text for head in table.only("thead").every("th")]
    rows = {
        row.only("th").text: [cell.text for cell in row.every("td")]
        for row in table.only("tbody").every("tr")
    }
    return heads, rows


def test_the_result_shows_the_totals_round_by_round(ana, finished):
    assert (
        ["Round", "Ana", "Beto", "Caro", "Dani"],
        {
            "start": ["0", "0", "0", "0"],
            "1": ["0", "101", "40", "60"],
            "after 1": ["0", "60", "40", "60"],
            "2": ["0", "90", "110", "90"],
            "3": ["0", "140", "", "110"],
        },
    ) == figures(shown(ana, finished))


def test_the_chart_marks_the_limit(ana, finished):
    picture = shown(ana, finished).only("svg", role="img")

    assert ["101"] == [text.text for text in picture.every("text", class_="limit")]


def test_a_player_who_leaves_or_joins_has_a_line_only_while_they_play(ana, table, owner, write):
    add_member(table, "Eva")
    game = services.start_game(table, _three(table), key="late", by=owner)
    write(game, a_round("ana", beto=10, caro=20))
    write(game, PlayerJoined(Player("eva", "Eva")))
    write(game, a_round("ana", beto=10, caro=20, eva=5))
    write(game, PlayerLeft("caro"))
    write(game, a_round("ana", beto=10, eva=5))

    assert {
        "start": ["0", "0", "0", ""],
        "1": ["0", "10", "20", ""],
        "after 1": ["0", "10", "20", "20"],
        "2": ["0", "20", "40", "25"],
        "3": ["0", "30", "", "30"],
    } == figures(shown(ana, game))[1]


def _three(table):
    names = ("Ana", "Beto", "Caro")
    return GameStarted(
        "loba_menos", (("late_entry", "on"),), tuple(Player(name.lower(), name) for name in names)
    )


def test_a_handed_over_seat_keeps_its_line(ana, table, owner, write):
    game = start(table, owner)
    add_member(table, "Eva")
    write(game, a_round("ana", beto=10, caro=20, dani=30))
    write(game, SeatHandedOver("beto", Player("eva", "Eva")))
    write(game, a_round("ana", eva=10, caro=20, dani=30))
    heads, rows = figures(shown(ana, game))

    assert ["Round", "Ana", "Eva", "Caro", "Dani"] == heads
    assert ["0", "10", "20"] == [row[1] for row in rows.values()]


def test_a_game_without_rounds_has_no_chart(ana, game, write):
    write(game, GameStopped(Stop.REFUND))

    assert [] == open_page(ana, reverse("settlement", args=[game.code])).every("figure")
