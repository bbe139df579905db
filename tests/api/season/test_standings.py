"""A season's standings and records through the API: the figures and the filters of the page."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils.timezone import now

from games.nights import night_of
from tests.api.described import wrong_in
from tests.reader import read_page

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("early")]

STANDINGS, RECORDS = "tables/{code}/standings/", "tables/{code}/records/"


@pytest.fixture
def early(table):
    """Date the season's first day 99 days back, so that all games of the test are in it."""
    table.seasons.update(starts_on=night_of(now(), table) - timedelta(days=99))


@pytest.fixture
def ask(watching, table):
    """`ask("standings", by="money")` returns the response to a witness."""

    def one(what, **filters):
        return watching.get(f"tables/{table.code}/{what}/", data=filters)

    return one


def lines(answer):
    return [
        tuple(line[name] for name in ("rank", "member", "games", "wins", "points", "net"))
        for line in answer.body["lines"]
    ]


def test_the_standings_are_ranked_and_have_season_unit_and_extent(ask, table, season_played):
    answer = ask("standings")

    assert [] == wrong_in(answer.body, STANDINGS)
    assert [
        (1, "ana", 4, 3, 6, 400),
        (2, "beto", 3, 1, 3, 0),
        (3, "dani", 3, 0, 1, -300),
        (4, "caro", 1, 0, 0, -100),
    ] == lines(answer)
    assert (table.seasons.get().pk, "$", 0) == tuple(
        answer.body[name] for name in ("season", "unit", "decimals")
    )
    assert (4, 4) == (answer.body["extent"]["games"], answer.body["extent"]["nights"])
    assert [1.5, 1.0, 0.33, 0.0] == [line["average"] for line in answer.body["lines"]]


def test_the_form_and_the_course_are_in_chronological_order(ask, season_played):
    body = ask("standings").body

    assert [(True, 2), (False, 1), (True, 2), (True, 1)] == [
        (game["won"], game["points"]) for game in body["lines"][0]["form"]
    ]
    assert [200, 100, 300, 400] == [span["nets"]["ana"] for span in body["course"]]
    assert [2, 3, 5, 6] == [span["points"]["ana"] for span in body["course"]]


def test_the_standings_have_the_same_order_as_on_the_page(ask, ana, table, season_played):
    for by in ("points", "money"):
        page = read_page(ana.get(reverse("season", args=[table.code]), {"by": by}))
        names = [line["name"] for line in ask("standings", by=by).body["lines"]]

        places = [page.text.index(name) for name in names]
        assert names, by
        assert places == sorted(places), by


def test_the_standings_have_the_filters_of_the_page(ask, table, season_played):
    day = (season_played.started_at - timedelta(days=5)).date().isoformat()
    answer = ask("standings", **{"from": day, "season": "all"})

    assert (None, 1) == (answer.body["season"], answer.body["extent"]["games"])
    assert [("ana", 1), ("caro", 1)] == [line[1:3] for line in lines(answer)]
    assert 0 == ask("standings", game="chinchon").body["extent"]["games"]
    few = ask("standings", least=3)
    assert (["ana", "beto", "dani"], ["caro"]) == tuple(
        [line["member"] for line in few.body[part]] for part in ("lines", "others")
    )
    assert [5, 3, 1, 0] == [line["points"] for line in ask("standings", drop=1, by="wins").body["lines"]]


NO_FILTERS = (
    *(("season", "0"), ("season", "x"), ("season", ""), ("game", "truco"), ("from", "yesterday")),
    *(("to", "2026-1-1"), ("by", "luck"), ("least", "2"), ("drop", "-1")),
)


def test_an_invalid_filter_of_the_standings_is_a_bad_request_with_its_name(subtests, ask):
    for name, value in NO_FILTERS:
        with subtests.test(name=name, value=value):
            answer = ask("standings", **{name: value})

            assert (400, "bad_request", f"There is no filter “{name}” here.") == answer.problem
            assert {"field": name} == answer.place


def test_a_date_range_that_ends_before_it_begins_is_refused(ask):
    answer = ask("records", **{"from": "2026-02-01", "to": "2026-01-01"})

    assert (400, {"field": "to"}) == (answer.status, answer.place)


def test_a_table_without_games_has_empty_standings_and_records(ask):
    answer = ask("standings")

    assert ([], []) == (wrong_in(answer.body, STANDINGS), answer.body["lines"])
    assert {"games": 0, "nights": 0, "first": None, "last": None} == answer.body["extent"]
    assert [] == ask("records").body["records"]


def test_records_have_a_title_holders_a_value_and_the_game(ask, season_played, finished):
    answer = ask("records")
    by_feat = {record["feat"]: record for record in answer.body["records"]}

    assert [] == wrong_in(answer.body, RECORDS)
    assert ("Most re-entries in one game", ["beto"], 1, finished.code) == tuple(
        by_feat["reentries"][name] for name in ("title", "holders", "value", "game")
    )
    assert (["ana"], 3, None) == tuple(by_feat["streak"][name] for name in ("holders", "value", "game"))


def test_the_standings_take_eight_queries_however_many_games_there_are(
    ask, play, season_played, django_assert_num_queries
):
    def queries():
        with django_assert_num_queries(8) as counted:
            ask("standings")
        return len(counted)

    ask("standings")
    before = queries()
    for days in range(3):
        play("dani", "caro", "beto", days=days)
    assert before == queries()
