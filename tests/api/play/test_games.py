"""The games of a table through the API: listed, filtered and started."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest
from django.utils.timezone import now

from games.models import Game, Member, Season
from games.play.recording import record
from games.scoring.events import GameStopped, Stop
from games.scoring.text.notation import read_line
from tests.tables import a_key, make_table, start

pytestmark = pytest.mark.django_db

TWO = {"variant": "chinchon", "players": [{"id": "ana"}, {"id": "beto"}]}


@pytest.fixture
def games(table):
    return f"tables/{table.code}/games/"


# --- the list ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def many(table, owner):
    """Two games that are over and a running one of Chinchón; a fourth game is at another table."""
    ended = [start(table, owner) for _ in range(2)]
    for game in ended:
        record(game, GameStopped(Stop.REFUND), after=1, key=a_key(), by=owner)
    start(make_table(owner, name="Otra"), owner)
    return [*ended, start(table, owner, variant="chinchon")]


def listed(answer):
    return [game["code"] for game in answer.body["games"]]


def test_games_are_listed_newest_first_and_filtered_by_state_variant_and_season(ana, games, many, table):
    first, second, going = (game.code for game in many)

    assert [going, second, first] == listed(ana.get(games))
    assert [second, first] == listed(ana.get(f"{games}?state=ended"))
    assert [going] == listed(ana.get(f"{games}?state=under_way"))
    assert [] == listed(ana.get(f"{games}?state=discarded"))
    assert [going] == listed(ana.get(f"{games}?variant=chinchon"))
    assert [] == listed(ana.get(f"{games}?variant=truco"))
    assert 3 == len(listed(ana.get(f"{games}?season={Season.objects.get(table=table).pk}")))
    assert [] == listed(ana.get(f"{games}?season=0"))
    assert [first] == listed(
        ana.get(f"{games}?state=ended&cursor={ana.get(f'{games}?state=ended&limit=1').body['next']}")
    )


def test_games_of_the_points_variant_are_listed_with_their_own_names(ana, games, table, owner):
    named = {
        name: start(table, owner, variant="points", name=name, ending="rounds", rounds=1)
        for name in ("Uno", "Generala")
    }
    for game in named.values():
        record(
            game,
            read_line("round nobody played ana=3 beto=2 caro=1 dani=0")[0],
            after=1,
            key=a_key(),
            by=owner,
        )
    answer = ana.get(f"{games}?variant=points").body["games"]
    standings = f"tables/{table.code}/standings/"

    assert [("points", "Generala"), ("points", "Uno")] == [
        (game["variant"], game["called"]) for game in answer
    ]
    assert 1 == ana.get(f"{standings}?game=points:Uno").body["extent"]["games"]
    assert 0 == ana.get(f"{standings}?game=points").body["extent"]["games"]
    assert 400 == ana.get(f"{standings}?game=points:").status


def test_a_page_of_games_takes_four_queries(ana, games, many, django_assert_num_queries):
    ana.get("tables/")
    with django_assert_num_queries(4):  # queries: session, user, table, games
        ana.get(games)


def test_games_are_filtered_by_winner_member_dates_and_words(ana, games, many, play):
    _first, _second, going = (game.code for game in many)
    old = play("ana", "beto", days=400)
    year = date.fromordinal(old.night_number).year

    for query in (
        "winner=ana",
        f"member=beto&to={year}-12-31",
        f"words=ana+lob+{year}",
        f"from={year}-01-01&to={year}-12-31",
    ):
        assert [old.code] == listed(ana.get(f"{games}?{query}")), query
    assert [going] == listed(ana.get(f"{games}?words=dani&state=under_way"))


WRONG_ASKED = ["state=won", "season=first", "season=-1", "season=²", "limit=201", "cursor=x"]
WRONG_ASKED += ["member=nobody", "winner=", "from=soon", f"words={'x' * 61}", "to=2025-01-01&from=2025-01-02"]


def test_an_invalid_filter_of_games_is_a_bad_request(subtests, ana, games):
    for query in WRONG_ASKED:
        with subtests.test(query=query):
            answer = ana.get(f"{games}?{query}")

            assert (400, "bad_request", query.split("=")[0]) == (*answer.problem[:2], answer.place["field"])


def test_too_many_words_to_look_for_are_refused_with_the_most_that_fit(ana, games):
    assert "At most 60 characters fit here." == ana.get(f"{games}?words={'x' * 61}").problem[2]


# --- started ----------------------------------------------------------------------------------------------------------


def test_a_game_starts_with_the_requested_options_dealer_and_players(ana, games):
    wanted = {**TWO, "options": {"stake": 50}, "direction": "left", "dealer": 2, "at": "2020-01-01T00:00:00Z"}
    begun = ana.write(games, wanted, key="k")

    assert 201 == begun.status
    assert ("beto", "left", 50, ["ana", "beto"]) == (
        begun.body["dealer"],
        begun.body["direction"],
        begun.body["options"]["stake"],
        [player["id"] for player in begun.body["players"]],
    )
    game = Game.objects.get()
    assert (
        timedelta() <= game.started_at - game.table.created_at < timedelta(seconds=1)
    )  # a game cannot start before its table was opened


def test_a_game_started_offline_keeps_its_time_and_code(ana, games, table):
    table.created_at = now() - timedelta(days=2)
    table.save(update_fields=["created_at"])
    began = now() - timedelta(days=1)
    begun = ana.write(games, {**TWO, "at": began.isoformat(), "code": "zzzzzzzzzz2"}, key="k")

    assert (201, "zzzzzzzzzz2") == (begun.status, begun.body["code"])
    assert began == Game.objects.get().started_at


WRONG_CODE = [
    ("ZZZZZZZZZZ2", 422, "A code has 11 of these characters: 23456789abcdefghjkmnpqrstvwxyz."),
    ("zzzzzzzzzz", 422, "A code has 11 of these characters: 23456789abcdefghjkmnpqrstvwxyz."),
    ("zzzzzzzzzzz2", 422, "A code has 11 of these characters: 23456789abcdefghjkmnpqrstvwxyz."),
    ("zzzzzzzzzz1", 422, "A code has 11 of these characters: 23456789abcdefghjkmnpqrstvwxyz."),
    ("zzzzz/zzzz2", 422, "A code has 11 of these characters: 23456789abcdefghjkmnpqrstvwxyz."),
    ("", 400, "“code” is missing."),
    (5, 400, "“code” should be a text of at most 100 letters."),
    ("z" * 10_000, 400, "“code” should be a text of at most 100 letters."),
]


def test_an_invalid_code_of_a_game_is_refused(subtests, ana, games):
    for code, status, problem in WRONG_CODE:
        with subtests.test(code=code):
            answer = ana.write(games, {**TWO, "code": code}, key="k")

            assert (status, problem, {"field": "code"}) == (
                answer.problem[0],
                answer.problem[2],
                answer.place,
            )
            assert 0 == Game.objects.count()


def test_a_code_of_another_tables_game_is_refused(ana, games, owner, program_for):
    other = start(make_table(owner, name="Otra"), owner)
    answer = ana.write(games, {**TWO, "code": other.code}, key="k")

    assert (422, "refused", "Another game already has this code.") == answer.problem


WRONG_CHANGED: list[tuple[dict[str, Any], int, str]] = [
    ({"variant": "truco"}, 422, "variant"),
    ({"variant": None}, 400, "variant"),
    ({"options": {"luck": 1}}, 422, "luck"),
    ({"players": []}, 422, "players"),
    ({"players": [{"id": "ana"}, {"id": "ana"}]}, 422, "players"),
    ({"players": [{"id": "ana"}, {"id": "eva"}]}, 422, "players"),
    ({"players": [{"id": "ana"}, {}]}, 400, "players"),
    ({"dealer": 3}, 400, "dealer"),
    ({"at": "yesterday"}, 400, "at"),
    ({"apart": 5}, 400, "apart"),
    ({"more": 5}, 400, "more"),
]


def test_an_invalid_game_is_refused_and_neither_game_nor_member_is_stored(subtests, ana, games, table):
    for changed, status, field in WRONG_CHANGED:
        with subtests.test(changed=changed):
            answer = ana.write(games, {**TWO, **changed}, key="k")

            assert (status, field) == (answer.problem[0], answer.place["field"])
            assert (0, 4) == (Game.objects.count(), Member.objects.filter(table=table).count())


def test_a_new_players_name_that_differs_only_by_accents_needs_a_confirmation(ana, games):
    wanted = {**TWO, "players": [{"id": "ana"}, {"name": "Béto"}]}

    assert (422, "alike") == ana.write(games, wanted, key="k").problem[:2]
    assert 201 == ana.write(games, {**wanted, "apart": ["Béto"]}, key="k").status


def test_the_same_idempotency_key_starts_one_game_at_each_of_two_tables(ana, games, table, owner):
    other = make_table(owner, name="Otra")
    codes = {
        ana.write(f"tables/{code}/games/", TWO, key="k").body["code"] for code in (table.code, other.code)
    }

    assert 2 == len(codes)


def test_a_retired_member_cannot_play_a_new_game(ana, games, table):
    table.members.filter(slug="beto").update(retired_at=now())

    assert (422, "refused", "Choose a player.") == ana.write(games, TWO, key="k").problem
