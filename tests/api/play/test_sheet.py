"""The scoresheet of a game and the causes of its money, in the answer that reads the game."""

from __future__ import annotations

from collections import Counter

import pytest

from games.play.recording import record
from games.scoring.columns import players_by_column
from games.scoring.events import (
    Corrected,
    GameStopped,
    Player,
    PlayerReentered,
    PointsAdjusted,
    SeatHandedOver,
    Stop,
)
from tests.api.described import wrong_in
from tests.tables import a_round

pytestmark = pytest.mark.django_db


@pytest.fixture
def played(game, owner):
    """A game in which Beto re-entered, Dani was fined, and a round was corrected for Caro."""
    record(
        game,
        a_round("ana", beto=110, caro=1, dani=2),
        PlayerReentered("beto"),
        PointsAdjusted("dani", 10, "multa"),
        Corrected(2, a_round("ana", beto=110, caro=9, dani=2)),
        a_round("caro", ana=5, beto=6, dani=7),
        after=1,
        key="played",
        by=owner,
    )
    return game


def test_every_cell_has_the_points_of_its_event_and_each_row_the_totals(ana, played):
    sheet = ana.get(f"games/{played.code}/").body

    assert [] == wrong_in(sheet, "games/{code}/")
    assert ["Ana", "Beto", "Caro", "Dani"] == [column["name"] for column in sheet["columns"]]
    assert [
        (1, "game_started", None, [None, None, None, None], [0, 0, 0, 0], False),
        (2, "round_played", 1, [0, 110, 9, 2], [0, 110, 9, 2], True),
        (3, "player_reentered", None, [None, -101, None, None], [0, 9, 9, 2], False),
        (4, "points_adjusted", None, [None, None, None, 10], [0, 9, 9, 12], False),
        (6, "round_played", 2, [5, 6, 0, 7], [5, 15, 9, 19], False),
    ] == [
        tuple(row[name] for name in ("number", "kind", "round", "cells", "totals", "corrected"))
        for row in sheet["rows"]
    ]
    assert [0, 0, 100, 0, 0] == [row["fee"] for row in sheet["rows"]]
    assert 6 == sheet["after"]


def test_the_texts_of_the_rows_equal_those_of_the_page(ana, played):
    texts = [row["text"] for row in ana.get(f"games/{played.code}/").body["rows"]]
    page = ana.client.get(f"/g/{played.code}/").content.decode()

    assert all(text.split(" · ")[0] in page for text in texts[2:4])


def test_each_row_names_the_player_who_sat_in_each_column(ana, game, owner, table):
    from games.people.members import add_member

    eva = add_member(table, "Eva")
    record(
        game,
        a_round("ana", beto=1, caro=1, dani=1),
        SeatHandedOver("beto", Player(eva.slug, eva.name)),
        after=1,
        key="played",
        by=owner,
    )
    sheet = ana.get(f"games/{game.code}/").body

    assert ["ana", "eva", "caro", "dani"] == [column["id"] for column in sheet["columns"]]
    assert [list(columns) for columns in players_by_column(game.state())] == [
        row["sits"] for row in sheet["rows"]
    ]


def test_a_row_of_a_contract_game_names_its_contract(ana, table, owner):
    from tests.tables import start

    game = start(table, owner, variant="carioca_cl")
    record(game, a_round("ana", beto=1, caro=1, dani=1), after=1, key="k", by=owner)
    rows = ana.get(f"games/{game.code}/").body["rows"]

    assert [None, game.state().rules.contracts[0]] == [row["contract"] for row in rows]


def test_the_causes_add_up_to_each_players_net_result(ana, played, owner):
    record(played, GameStopped(Stop.LOWEST_WINS), after=6, key="stop", by=owner)
    game = ana.get(f"games/{played.code}/").body
    nets = {player["id"]: player["net"] for player in game["players"]}
    summed = Counter(dict.fromkeys(nets, 0))
    for cause in game["causes"]:
        summed[cause["to"]] += cause["amount"]
        summed[cause["from"]] -= cause["amount"]

    assert 0 == sum(nets.values()) == summed.pop("(pot)", 0)
    assert nets == dict(summed)
    assert {"stake", "reentry", "pot"} == {cause["cause"] for cause in game["causes"]}
