"""The answers of reading: the sheet, the filters of games, nights, accounts and a season.

`test_reading.py` has reading from a database that cannot be written.
"""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from django.utils.timezone import now

from games.common import days
from games.money.services import member_merges, payments
from games.play.services import recording
from games.scoring.events import Corrected, PlayerReentered, PointsAdjusted, Struck
from games.tables.services import membership
from tests.factories import build_round, new_key, start, winning_round

pytestmark = pytest.mark.django_db


@pytest.fixture
def path(table):
    """Start the season before the games of the test, and return the address of the table."""
    table.seasons.update(starts_on=days.night_for(now(), table) - timedelta(days=99))
    return f"tables/{table.code}/"


@pytest.fixture
def season_played(play):
    """Four games. Ana won two of the first three, Beto one; Ana won the newest against Caro."""
    return [
        play("ana", "beto", "dani", days=30),
        play("beto", "ana", "dani", days=20),
        play("ana", "dani", "beto", days=10),
        play("ana", "caro", days=3),
    ]


# --- a game -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def recorded_events(game, owner):
    """Record a round that busts Beto, a re-entry, a fine, a correction and another round."""
    recording.record(
        game,
        build_round("ana", beto=110, caro=1, dani=2),
        PlayerReentered("beto"),
        PointsAdjusted("dani", 10, "multa"),
        Corrected(2, build_round("ana", beto=110, caro=9, dani=2)),
        build_round("caro", ana=5, beto=6, dani=7),
        after=1,
        key="played",
        by=owner,
    )
    return game


def test_every_cell_has_the_points_of_its_event_and_each_row_the_totals(owner_program, recorded_events):
    sheet = owner_program.get(f"games/{recorded_events.code}/").body

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
    assert 6 == sheet["version"]


def test_a_game_that_settles_by_differences_has_the_table_of_pairs(nobody):
    rules = "settlement=pairs point_value=1 ending=rounds rounds=1"
    text = f"game points {rules}\nplayers ana beto\nround nobody played ana=33 beto=3"
    state = nobody.post("score/", {"game": text}).body

    assert {"ana": {"beto": 30}, "beto": {"ana": -30}} == state["pairs"]


# --- lists ------------------------------------------------------------------------------------------------------------


def test_games_are_filtered_by_state_variant_and_nights(owner_program, path, season_played, table):
    first, second, third, newest = (game.code for game in season_played)
    running = owner_program.post(
        f"{path}games/", {"variant": "chinchon", "players": [{"id": "caro"}, {"id": "dani"}]}
    ).body["code"]

    def found(query):
        return [game["code"] for game in owner_program.get(f"{path}games/?{query}").body["results"]]

    day = date.fromordinal(season_played[2].night_number)
    assert ([running], [running]) == (found("state=under_way"), found("variant=chinchon"))
    assert [third] == found(f"from={day}&to={day}")
    assert [newest, third, second, first] == found(f"season={table.seasons.get().pk}&state=ended")


def test_a_game_in_a_list_has_its_players_winners_and_rounds(owner_program, path, table, owner):
    running, finished_game = start(table, owner, stake=100), start(table, owner, stake=100)
    round_events = build_round("ana", beto=1, caro=2, dani=3), build_round("ana", beto=4, caro=5, dani=6)
    recording.record(running, *round_events, after=1, key="two", by=owner)
    recording.record(
        running,
        Struck(2),
        Corrected(3, build_round("beto", ana=1, caro=2, dani=3)),
        after=3,
        key="one less",
        by=owner,
    )
    recording.record(finished_game, winning_round("beto"), after=1, key="over", by=owner)
    merge_into(table.members.get(slug="dani"), "Daniela", owner)
    games = {game["code"]: game for game in owner_program.get(f"{path}games/").body["results"]}

    def listed_game(game):
        game_data = games[game.code]
        players = [(player["id"], player["place"], player["net"]) for player in game_data["players"]]
        return players, game_data["winners"], game_data["rounds"], game_data["version"]

    assert ([("ana", None, None), ("beto", None, None), ("caro", None, None), ("daniela", None, None)],
        [], 1, 5) == listed_game(running)  # fmt: skip
    nets = [("beto", 1, 300), ("ana", 2, -100), ("caro", 2, -100), ("daniela", 2, -100)]
    assert (nets, ["beto"], 1, 2) == listed_game(finished_game)
    assert ["Beto", "Ana", "Caro", "Daniela"] == [
        player["name"] for player in games[finished_game.code]["players"]
    ]


def merge_into(member, name, owner):
    """Merge a member into a new one with this name."""
    into = membership.add(member.table, name)
    member_merges.merge(member, into, seen=member_merges.preview(member, into).digest, by=owner)


def test_a_list_of_games_takes_as_many_queries_for_four_as_for_one(
    owner_program, path, season_played, django_assert_num_queries
):
    owner_program.get("me/")  # records the first use of the token
    for limit in (1, 4):
        # the token, the table, the names in the ETag, the games, the players, and two for the page
        with django_assert_num_queries(7):
            assert limit == len(owner_program.get(f"{path}games/?limit={limit}").body["results"])


def test_a_list_of_payments_takes_as_many_queries_for_five_as_for_one(
    owner_program, path, table, owner, django_assert_max_num_queries
):
    beto, ana = (table.members.get(slug=slug) for slug in ("beto", "ana"))
    for _time in range(5):
        payments.create(table, beto, ana, 5, key=new_key(), by=owner)
    with django_assert_max_num_queries(8):
        assert 5 == len(owner_program.get(f"{path}payments/").body["results"])
