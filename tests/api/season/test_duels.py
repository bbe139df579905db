"""Head to head through the API: each pair of members once, and two members game by game."""

from __future__ import annotations

import pytest

from tests.api.described import wrong_in

pytestmark = pytest.mark.django_db

ALL, ONE = "tables/{code}/duels/", "tables/{code}/duels/{member}/{other}/"


@pytest.fixture
def ask(watching, table):
    """`ask("ana", "beto", game="loba_menos")` returns the response about their games to a witness."""

    def one(*members, **filters):
        where = "".join(f"{member}/" for member in members)
        return watching.get(f"tables/{table.code}/duels/{where}", data={"season": "all", **filters})

    return one


def test_each_pair_of_members_with_a_common_game_is_listed_once(ask, season_played):
    answer = ask()

    assert [] == wrong_in(answer.body, ALL)
    assert [
        ("ana", "beto", 3, 2, 1, 0),
        ("ana", "caro", 1, 1, 0, 0),
        ("ana", "dani", 3, 3, 0, 0),
        ("beto", "dani", 3, 2, 1, 0),
    ] == [tuple(duel.values()) for duel in answer.body["duels"]]


def test_a_duel_has_the_games_of_both_members_newest_first(ask, season_played):
    answer = ask("beto", "ana")

    assert [] == wrong_in(answer.body, ONE)
    assert ([1, 2], [0, 200 - 100 + 200]) == (answer.body["wins"], answer.body["nets"])
    assert [[3, 1], [1, 2], [2, 1]] == [meeting["places"] for meeting in answer.body["last"]]
    assert (3, 1, 2) == tuple(answer.body[name] for name in ("games", "ahead", "behind"))


def test_duels_can_be_filtered_by_variant(ask, season_played):
    assert [] == ask(game="chinchon").body["duels"]
    assert (0, []) == tuple(ask("ana", "beto", game="chinchon").body[name] for name in ("games", "last"))


def test_a_duel_with_oneself_or_an_unknown_member_is_a_404(ask):
    for members in (("ana", "ana"), ("ana", "nobody"), ("nobody", "ana")):
        assert (404, "not_found") == ask(*members).problem[:2], members
