"""The race of the totals and the rings of the coins: how near each player is to the limit."""

from __future__ import annotations

from django.utils.translation import override

from games.scoring.replay import replay
from games.scoring.text.script import play_script, read_script
from games.shown.common.people import Person
from games.shown.play.columns import columns_of
from games.shown.play.race import race_of

BEGUN = "game loba_menos\nplayers ana beto caro\n"
FIRST = f"{BEGUN}round ana out beto=50 caro=20\n"


def drawn(text):
    state = replay(play_script(read_script(text)).log)
    people = {player.id: Person(player.id, player.id.title(), 1) for player in state.players}
    with override("en"):
        columns = columns_of(state, people)
        return columns, race_of(state, columns)


def lanes(text):
    return [(lane.person.name, lane.x) for lane in drawn(text)[1].lanes]


def test_every_player_begins_at_the_start_of_the_race():
    assert [("Ana", "5.0%"), ("Beto", "5.0%"), ("Caro", "5.0%")] == lanes(BEGUN)


def test_the_leading_player_has_the_top_lane():
    assert [("Ana", "5.0%"), ("Caro", "21.8%"), ("Beto", "47.1%")] == lanes(FIRST)


def test_no_lane_goes_beyond_the_limit():
    _columns, race = drawn(f"{FIRST}round ana out beto=60 caro=20\n")

    assert ("The way to 101", "101", False, "90%") == (race.title, race.finish, race.is_won_there, race.end)
    assert "90.0%" == race.lanes[-1].x


def test_the_start_moves_to_the_right_to_make_room_for_a_negative_total():
    assert [("Ana", "5.0%"), ("Beto", "21.5%")] == lanes(
        "game loba_mas target=150\nplayers ana beto\nround beto out ana=-30 beto=0\n"
    )[::-1]


def test_a_player_who_left_is_last_and_grey():
    _columns, race = drawn(f"{FIRST}round ana out beto=60 caro=20\nleave beto\n")

    assert [("Ana", False), ("Caro", False), ("Beto", True)] == [
        (lane.person.name, lane.is_gone) for lane in race.lanes
    ]


def test_lanes_of_a_game_without_a_limit_are_scaled_by_the_largest_total():
    _columns, race = drawn("game carioca_ar\nplayers ana beto\nround ana out beto=60\n")

    assert ("Totals", "", ["5.0%", "90.0%"]) == (race.title, race.finish, [lane.x for lane in race.lanes])


def test_a_ring_fills_up_and_changes_its_colour_near_the_limit():
    columns, _race = drawn(f"{BEGUN}round ana out beto=80 caro=90\n")

    assert [("0 202", ""), ("80 202", "yellow"), ("90 202", "red")] == [
        (column.meter.dash, column.meter.nearness) for column in columns
    ]


def test_no_ring_turns_red_near_a_target():
    columns, race = drawn("game loba_mas target=150\nplayers ana beto\nround ana out ana=140 beto=5\n")

    assert ["", ""] == [column.meter.nearness for column in columns]
    assert race.is_won_there
