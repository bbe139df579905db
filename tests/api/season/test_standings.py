"""A season's standings and records through the API: the figures and the filters of the page."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils.timezone import now

from games.nights import night_of
from tests.api.described import examples_of, wrong_in
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


def test_the_standings_are_in_order_and_say_of_what_they_are(ask, table, season_played):
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


def test_form_and_course_go_from_the_oldest_to_the_newest(ask, season_played):
    body = ask("standings").body

    assert [(True, 2), (False, 1), (True, 2), (True, 1)] == [
        (game["won"], game["points"]) for game in body["lines"][0]["form"]
    ]
    assert [200, 100, 300, 400] == [span["nets"]["ana"] for span in body["course"]]
    assert [2, 3, 5, 6] == [span["points"]["ana"] for span in body["course"]]


def test_the_lines_stand_as_on_the_page(ask, ana, table, season_played):
    for by in ("points", "money"):
        page = read_page(ana.get(reverse("season", args=[table.code]), {"by": by}))
        names = [line["name"] for line in ask("standings", by=by).body["lines"]]

        places = [page.text.index(name) for name in names]
        assert names, by
        assert places == sorted(places), by


def test_the_filters_are_those_of_the_page(ask, table, season_played):
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


def test_a_filter_that_makes_no_sense_is_said(subtests, ask):
    for name, value in NO_FILTERS:
        with subtests.test(name=name, value=value):
            answer = ask("standings", **{name: value})

            assert (400, "bad_request", f"There is no filter “{name}” here.") == answer.problem
            assert {"field": name} == answer.place


def test_days_that_end_before_they_begin_are_refused(ask):
    answer = ask("records", **{"from": "2026-02-01", "to": "2026-01-01"})

    assert (400, {"field": "to"}) == (answer.status, answer.place)


def test_a_table_that_has_played_nothing_has_empty_standings(ask):
    answer = ask("standings")

    assert ([], []) == (wrong_in(answer.body, STANDINGS), answer.body["lines"])
    assert {"games": 0, "nights": 0, "first": None, "last": None} == answer.body["extent"]
    assert [] == ask("records").body["records"]


def test_records_have_their_words_and_the_game_they_were_made_in(ask, season_played, finished):
    answer = ask("records")
    by_feat = {record["feat"]: record for record in answer.body["records"]}

    assert [] == wrong_in(answer.body, RECORDS)
    assert ("Most re-entries in one game", ["beto"], 1, finished.code) == tuple(
        by_feat["reentries"][name] for name in ("title", "holders", "value", "game")
    )
    assert (["ana"], 3, None) == tuple(by_feat["streak"][name] for name in ("holders", "value", "game"))


def test_it_costs_the_same_however_much_was_played(ask, play, season_played, django_assert_num_queries):
    def queries():
        with django_assert_num_queries(8) as counted:
            ask("standings")
        return len(counted)

    ask("standings")
    before = queries()
    for days in range(3):
        play("dani", "caro", "beto", days=days)
    assert before == queries()


@pytest.mark.parametrize("path", [STANDINGS, RECORDS])
def test_the_examples_have_the_form_of_answers(path):
    assert examples_of(path)
    assert [] == [wrong for one in examples_of(path) for wrong in wrong_in(one, path)]
