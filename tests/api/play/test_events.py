"""Events recorded through the API: rounds, corrections, newcomers, previews, and refusals."""

from __future__ import annotations

import json
import random

import pytest

from games.locks import lock
from games.models import KEY_LENGTH, Member
from games.play.recording import record
from games.scoring.events import PlayerReentered
from tests.api.common.test_bodies import NEVER, VALUES, something
from tests.api.play.conftest import event, round_of, totals
from tests.tables import a_round
from tests.test_rights import stored

pytestmark = pytest.mark.django_db


@pytest.fixture
def played(game, owner):
    """A game of seven events in which Beto was bust, bought back in and plays on."""
    rounds = (
        a_round("ana", beto=60, caro=1, dani=2),
        a_round("ana", beto=50, caro=3, dani=4),
        PlayerReentered("beto"),
        a_round("caro", ana=5, beto=6, dani=7),
    )
    record(game, *rounds, after=1, key="played", by=owner)
    return game


@pytest.fixture
def path(played):
    return f"games/{played.code}/"


# --- corrections ------------------------------------------------------------------------------------------------------


def test_a_corrected_hand_changes_its_round_and_the_totals(ana, path):
    new = round_of("ana", beto=60, caro=11, dani=2)
    change = event("corrected", number=2, kind=new["kind"], event=new["data"])
    answer = ana.write(f"{path}events/", {"after": 5, "events": [change]}, key="k")

    assert (200, 14, 6) == (answer.status, totals(answer)["caro"], answer.body["after"])
    assert [2, 3, 5] == [played["number"] for played in answer.body["rounds"]]


def test_a_round_can_be_inserted_before_another_and_struck(ana, path):
    forgotten = round_of("dani", ana=10, beto=0, caro=0)
    put_in = event("inserted", number=3, kind=forgotten["kind"], event=forgotten["data"])
    answer = ana.write(f"{path}events/", {"after": 5, "events": [put_in]}, key="k1")
    assert [2, 6, 3, 5] == [played["number"] for played in answer.body["rounds"]]

    answer = ana.write(f"{path}events/", {"after": 6, "events": [event("struck", number=6)]}, key="k2")
    assert [2, 3, 5] == [played["number"] for played in answer.body["rounds"]]


def test_a_conflicting_correction_is_refused_and_its_preview_proposes_the_resolution(ana, path):
    new = round_of("ana", beto=5, caro=1, dani=2)  # now Beto was never bust, and the re-entry has no cause
    change = event("corrected", number=2, kind=new["kind"], event=new["data"])
    refused = ana.write(f"{path}events/", {"after": 5, "events": [change]}, key="k1")
    assert (422, "refused") == refused.problem[:2]

    tried = ana.post(f"{path}preview/", {"after": 5, "events": [change]})
    (conflict,) = tried.body["conflicts"]
    assert (True, "answer_without_bust", 4, "beto", "void") == (
        tried.body["possible"],
        *(conflict[name] for name in ("kind", "number", "player", "chosen")),
    )
    assert [change, event("struck", number=4)] == tried.body["events"]
    before, after = (
        {one["id"]: one["total"] for one in tried.body[name]["players"]} for name in ("before", "after")
    )
    assert {"beto": 61} == {player: after[player] for player in after if before[player] != after[player]}

    settled = ana.write(f"{path}events/", {"after": 5, "events": tried.body["events"]}, key="k2")
    assert after == totals(settled)


def test_the_client_chooses_between_the_remedies_of_a_conflict(ana, path):
    change = event("struck", number=4)  # Beto did not re-enter, and yet plays on
    offered = ana.post(f"{path}preview/", {"events": [change]}).body["conflicts"][0]
    remedies = [choice["remedy"] for choice in offered["choices"]]
    assert 2 <= len(remedies)

    for remedy in remedies:
        tried = ana.post(f"{path}preview/", {"events": [change], "answers": {offered["key"]: remedy}})
        assert remedy == tried.body["conflicts"][0]["chosen"]


# --- people -----------------------------------------------------------------------------------------------------------


def test_a_late_player_sent_by_name_becomes_a_member_once(ana, table, program_for, person):
    program = program_for(person("scorer"))
    wanted = {
        "variant": "loba_menos",
        "options": {"late_entry": "on"},
        "players": [{"id": "ana"}, {"id": "beto"}],
    }
    code = program.write(f"tables/{table.code}/games/", wanted, key="g").body["code"]
    late = {"after": 1, "events": [event("player_joined", player={"name": "Eva"}, after="ana")]}
    joined = [program.write(f"games/{code}/events/", late, key="k") for _ in range(2)]

    assert [200, 200] == [answer.status for answer in joined]
    assert ["ana", "eva", "beto"] == [player["id"] for player in joined[1].body["players"]]
    assert 5 == table.members.count()


def test_a_seat_can_be_handed_over_to_a_new_member_by_name(ana, path, table):
    body = {"after": 5, "events": [event("seat_handed_over", player="dani", to={"name": "Eva"})]}
    answer = ana.write(f"{path}events/", body, key="k")

    assert ["ana", "beto", "caro", "eva"] == [player["id"] for player in answer.body["players"]]


def test_of_two_concurrent_taps_the_second_waits_for_the_tables_lock_and_adds_no_member(
    ana, path, table, monkeypatch
):
    """The first tap records while the second waits for the table's lock.

    Only once it has the lock does the second tap look up its idempotency key, and it finds the first one's
    answer.
    """
    body = {"after": 5, "events": [event("seat_handed_over", player="dani", to={"name": "Eva"})]}

    def wait(held):
        for holder in ("games.play.seating.lock", "games.people.members.lock"):
            monkeypatch.setattr(holder, lock)
        assert 200 == ana.write(f"{path}events/", body, key="k").status
        return lock(held)

    for holder in ("games.play.seating.lock", "games.people.members.lock"):
        monkeypatch.setattr(holder, wait)
    second = ana.write(f"{path}events/", body, key="k")

    assert (200, 6) == (second.status, second.body["after"])
    assert 5 == table.members.count()


def test_a_refused_event_with_a_new_name_adds_no_member(ana, path, table):
    body = {"after": 5, "events": [event("seat_handed_over", player="nobody_here", to={"name": "Eva"})]}

    assert (422, "refused") == ana.write(f"{path}events/", body, key="k").problem[:2]
    assert 4 == Member.objects.filter(table=table).count()


def test_a_new_name_that_differs_only_by_accents_needs_a_confirmation(ana, path):
    body = {"after": 5, "events": [event("seat_handed_over", player="dani", to={"name": "Béto"})]}

    assert (422, "alike") == ana.write(f"{path}events/", body, key="k").problem[:2]
    assert 200 == ana.write(f"{path}events/", {**body, "apart": ["Béto"]}, key="k").status


def test_a_player_with_an_unknown_id_is_refused(ana, path):
    body = {"after": 5, "events": [event("seat_handed_over", player="dani", to={"id": "eva", "name": "Eva"})]}

    assert (422, "refused", "Eva does not belong to this table.") == ana.write(
        f"{path}events/", body, key="k"
    ).problem


# --- reading on -------------------------------------------------------------------------------------------------------


def test_the_event_log_is_paginated_and_can_start_after_a_number(ana, path):
    first = ana.get(f"{path}events/?limit=2").body
    second = ana.get(f"{path}events/?limit=200&cursor={first['next']}").body

    assert ([1, 2], [3, 4, 5]) == tuple([one["number"] for one in page["events"]] for page in (first, second))
    assert second["next"] is None
    assert [4, 5] == [one["number"] for one in ana.get(f"{path}events/?after=3").body["events"]]
    for query in ("after=x", "after=-1", "after=" + "9" * 30, "limit=0", "cursor=%00", "cursor=ñ"):
        assert (400, "bad_request") == ana.get(f"{path}events/?{query}").problem[:2]


# --- refusals ---------------------------------------------------------------------------------------------------------


def test_a_body_that_is_not_json_is_refused_and_nothing_is_stored(subtests, ana, path):
    before = stored()
    for name, content in NEVER.items():
        with subtests.test(content=name):
            assert 400 == ana.write(f"{path}events/", content, key="k").problem[0]
    assert before == stored()


def test_random_events_get_a_problem_response_and_nothing_is_stored(ana, path, table):
    chance, before = random.Random(11), stored()
    kinds = ("round_played", "corrected", "inserted", "player_joined", "points_adjusted", "totals_agreed")
    for number in range(60):
        events = [{"kind": chance.choice(kinds), "data": something(chance)}, something(chance)]
        body = {"after": chance.choice((5, 5, something(chance))), "events": events}
        where = (f"{path}events/", f"{path}preview/", f"tables/{table.code}/games/", "tables/")[number % 4]
        if number % 4 > 1:
            body = {"name": something(chance), "players": something(chance), "variant": "chinchon"}
        answer = ana.write(where, json.dumps(body), key="k")

        assert 400 <= answer.problem[0] < 500
    assert before == stored()


def test_a_field_with_a_random_value_is_refused_and_nothing_is_stored(ana, path):
    before, played = stored(), round_of("ana", beto=1, caro=1, dani=1)
    for value in VALUES:
        for part in ("at", "events", "more", *(() if isinstance(value, list) else ("apart",))):
            body = {"after": 5, "events": [played], part: value}

            assert 400 == ana.write(f"{path}events/", body, key="k").problem[0]
    assert before == stored()


def test_an_idempotency_key_longer_than_the_maximum_is_refused(ana, path):
    body = {"after": 5, "events": [event("player_left", player="dani")]}

    assert 400 == ana.write(f"{path}events/", body, key="k" * (KEY_LENGTH + 1)).status
    assert 200 == ana.write(f"{path}events/", body, key="k" * KEY_LENGTH).status
