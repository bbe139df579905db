"""A member's season through the API: figures with their ranks, and the games in pages."""

from __future__ import annotations

import pytest

from tests.api.described import wrong_in

pytestmark = pytest.mark.django_db

ONE = "tables/{code}/players/{member}/"


@pytest.fixture
def ask(watching, table):
    """`ask("ana", limit=2)` returns the response about this member to a witness."""

    def one(member, **filters):
        return watching.get(f"tables/{table.code}/players/{member}/", data={"season": "all", **filters})

    return one


def test_a_members_season_has_figures_ranks_places_variants_and_duels(ask, season_played):
    answer = ask("ana")
    body = answer.body

    assert [] == wrong_in(body, ONE)
    assert (4, 3, 6, 400, 2) == tuple(
        body["line"][name] for name in ("games", "wins", "points", "net", "streak")
    )
    assert {"wins": 1, "points": 1, "average": 1, "money": 1} == body["ranks"]
    assert [(1, 3), (2, 1)] == [(taken["place"], taken["times"]) for taken in body["places"]]
    assert [("loba_menos", "", 4, 3, 6, 400)] == [tuple(played.values()) for played in body["variants"]]
    assert [("beto", 2), ("dani", 3), ("caro", 1)] == [
        (duel["other"], duel["ahead"]) for duel in body["duels"]
    ]
    assert (2, 200) == (body["deeds"]["longest_streak"], body["deeds"]["most_won"])


def test_the_games_of_a_member_are_paginated_newest_first(ask, season_played):
    first = ask("ana", limit=3)
    last = ask("ana", limit=3, cursor=first.body["next"])

    assert [] == wrong_in(last.body, ONE)
    assert (season_played.code, [1, 1, 2], [1]) == (
        first.body["games"][0]["game"],
        *([game["place"] for game in page.body["games"]] for page in (first, last)),
    )
    assert last.body["next"] is None


def test_a_member_below_the_minimum_of_games_has_no_rank(ask, season_played):
    answer = ask("caro", least=3)

    assert {"wins": None, "points": None, "average": None, "money": None} == answer.body["ranks"]
    assert (None, 1) == (answer.body["line"]["rank"], answer.body["line"]["games"])


def test_a_member_without_games_has_an_empty_season(ask):
    answer = ask("dani")

    assert [] == wrong_in(answer.body, ONE)
    assert (0, [], [], None) == (
        answer.body["line"]["games"],
        *(answer.body[name] for name in ("games", "duels", "next")),
    )


def test_a_merged_members_season_is_that_of_the_member_merged_into(ask, table, season_played):
    beto, caro = (table.members.get(slug=slug) for slug in ("beto", "caro"))
    table.members.filter(pk=caro.pk).update(merged_into=beto)

    assert ("beto", 4) == tuple(ask("caro").body["line"][name] for name in ("member", "games"))


def test_the_season_of_an_unknown_member_is_a_404(ask):
    assert (404, "not_found") == ask("nobody").problem[:2]


def test_an_invalid_parameter_is_refused_with_its_name(ask):
    for name, value in (("cursor", "x"), ("limit", "0"), ("least", "7")):
        answer = ask("ana", **{name: value})

        assert (400, {"field": name}) == (answer.status, answer.place)
