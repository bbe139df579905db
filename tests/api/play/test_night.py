"""A night through the API: a table, a game and a rematch, repeated, late and offline requests."""

from __future__ import annotations

import pytest

from games.models import Game, Member, Record, Table
from tests.api.play.conftest import event, round_of, totals

pytestmark = pytest.mark.django_db


def test_a_client_makes_a_table_plays_a_game_to_its_end_and_starts_a_rematch(program):
    table = program.write("tables/", {"name": "Los jueves", "decimals": 2}, key="t1")

    assert 201 == table.status
    assert ("Los jueves", "$", 2, "owner", []) == tuple(
        table.body[name] for name in ("name", "unit", "decimals", "role", "members")
    )
    assert [table.body["code"]] == [row["code"] for row in program.get("tables/").body["tables"]]

    at_table = f"tables/{table.body['code']}/"
    wanted = {
        "variant": "loba_menos",
        "options": {"stake": 500},
        "players": [{"name": "Ana"}, {"name": "Beto"}, {"name": "José"}],
        "dealer": 2,
        "code": "23456789abc",
    }
    started = program.write(f"{at_table}games/", wanted, key="g1")

    assert (201, "23456789abc", "beto", 1, '"1"') == (
        started.status,
        started.body["code"],
        started.body["dealer"],
        started.body["after"],
        started.headers["ETag"],
    )
    assert ["ana", "beto", "jose"] == [player["id"] for player in started.body["players"]]
    assert ["Ana", "Beto", "José"] == [member["name"] for member in program.get(at_table).body["members"]]

    at_game = "games/23456789abc/"
    batch = [round_of("ana", beto=60, jose=20), round_of("jose", ana=10, beto=20)]
    played = program.write(f"{at_game}events/", {"after": 1, "events": batch}, key="r1")

    assert (200, {"ana": 10, "beto": 80, "jose": 20}) == (played.status, totals(played))

    seen = {"if-match": played.headers["ETag"]}
    third = {"events": [round_of("ana", beto=30, jose=20)]}
    bust = program.write(f"{at_game}events/", third, key="r2", **seen)

    assert [{"id": "beto", "total": 40, "fee": 500}] == bust.body["pending"]

    last = [event("player_stayed_out", player="beto"), round_of("ana", jose=70)]
    over = program.write(f"{at_game}events/", {"after": 4, "events": last}, key="r3")

    assert ("last_in", ["ana"], {"ana": 1, "beto": 3, "jose": 2}) == (
        over.body["over"],
        over.body["winners"],
        over.body["places"],
    )
    money = program.get(at_game).body
    assert {"ana": 1000, "beto": -500, "jose": -500} == {
        player["id"]: player["net"] for player in money["players"]
    }
    assert [("beto", "ana", 500), ("jose", "ana", 500)] == [
        (line["from"], line["to"], line["amount"]) for line in money["transfers"]
    ]
    assert 2 == money["decimals"]

    again = program.write(f"{at_game}rematch/", {}, key="g2")
    assert (201, ["ana", "beto", "jose"]) == (again.status, [one["id"] for one in again.body["players"]])
    assert [again.body["code"], "23456789abc"] == [
        member["code"] for member in program.get(f"{at_table}games/").body["games"]
    ]


def test_every_write_sent_twice_with_its_idempotency_key_happens_once(ana, table, game):
    body = {"after": 1, "events": [round_of("ana", beto=10, caro=5, dani=1)]}
    answers = [ana.write(f"games/{game.code}/events/", body, key="k") for _ in range(2)]
    assert answers[0].body == answers[1].body
    assert 2 == Record.objects.filter(game=game).count()

    tables = [ana.write("tables/", {"name": "Martes"}, key="k") for _ in range(2)]
    assert [201, 201] == [answer.status for answer in tables]
    assert tables[0].body == tables[1].body
    assert 2 == Table.objects.count()

    wanted = {"variant": "chinchon", "players": [{"id": "ana"}, {"name": "Eva"}]}
    started = [ana.write(f"tables/{table.code}/games/", wanted, key="k") for _ in range(2)]
    assert started[0].body == started[1].body
    assert (2, 5) == (Game.objects.count(), Member.objects.count())

    undone = [ana.write(f"games/{game.code}/undo/", {"after": 2}, key="u") for _ in range(2)]
    assert [0, 0] == [sum(totals(answer).values()) for answer in undone]
    assert 3 == Record.objects.filter(game=game).count()


def test_an_idempotency_key_with_another_body_gets_409(ana, table, game):
    wanted = {"variant": "chinchon", "players": [{"id": "ana"}, {"id": "beto"}]}
    ana.write("tables/", {"name": "Martes"}, key="k")
    ana.write(f"tables/{table.code}/games/", wanted, key="k")
    ana.write(
        f"games/{game.code}/events/", {"after": 1, "events": [event("player_left", player="dani")]}, key="k"
    )
    other = {"after": 1, "events": [event("player_left", player="caro")]}

    for answer in (
        ana.write("tables/", {"name": "Lunes"}, key="k"),
        ana.write(f"tables/{table.code}/games/", {**wanted, "dealer": 2}, key="k"),
        ana.write(f"tables/{table.code}/games/", {**wanted, "code": "23456789abc"}, key="k"),
        ana.write(f"games/{game.code}/events/", other, key="k"),
    ):
        assert (409, "key_reused") == answer.problem[:2]


def test_a_stale_write_gets_409_with_the_events_recorded_meanwhile(ana, game):
    played = round_of("ana", beto=10, caro=5, dani=1)
    first = {"after": 1, "events": [played]}
    ana.write(f"games/{game.code}/events/", first, key="k1")
    late = ana.write(f"games/{game.code}/events/", {**first, "after": 1}, key="k2")

    assert (409, "stale") == late.problem[:2]
    assert ("2", 2) == (late.body["version"], late.body["after"])
    assert [{"number": 2, **played}] == late.body["since"]
    assert 2 == game.records.count()

    for ask in ("undo", "redo"):
        assert (409, "stale") == ana.write(f"games/{game.code}/{ask}/", {"after": 1}, key=ask).problem[:2]
    assert (409, "stale") == ana.post(f"games/{game.code}/preview/", first).problem[:2]
    ahead = ana.write(f"games/{game.code}/events/", {**first, "after": 9}, key="k3")
    assert (409, "stale", 2) == (*ahead.problem[:2], ahead.body["after"])
    assert "since" not in ahead.body


def test_an_event_sent_with_a_time_before_the_game_gets_the_games_start(ana, game):
    started = game.records.get().recorded_at
    path = f"games/{game.code}/events/"
    body = {"after": 1, "at": "2020-01-01T00:00:00-03:00", "events": [event("player_left", player="dani")]}
    ana.write(path, body, key="k")

    assert started == game.records.get(number=2).recorded_at
    listed = ana.get(path).body["events"]
    assert ["game_started", "player_left"] == [event["kind"] for event in listed]
    assert listed[0]["at"] == listed[1]["at"]
    assert listed[0]["at"].endswith("-03:00")
