"""Hands offered from the players' own phones through the API: sent, visible once the round is closed, recorded."""

from __future__ import annotations

from typing import Any

import pytest

from games.models import Grant, Role
from games.people.claims import claim
from games.people.faces import tap_face
from games.people.tokens import LIVES, make_token
from games.play.hands import OFFERED
from tests.api.conftest import Program
from tests.api.described import examples_of, wrong_in
from tests.api.play.conftest import round_of
from tests.tables import make_user

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("fresh_cache")]


@pytest.fixture
def hands(game):
    return f"games/{game.code}/hands/"


@pytest.fixture
def users(table):
    """`users["beto"]` is a witness who tapped Beto's face tonight."""
    users = {slug: make_user(f"phone-{slug}") for slug in ("beto", "caro", "dani")}
    for slug, user in users.items():
        Grant.objects.create(user=user, table=table, role=Role.WITNESS)
        tap_face(table.members.get(slug=slug), user)
    return users


@pytest.fixture
def phones(users, program_for):
    return {slug: program_for(user) for slug, user in users.items()}


def with_token(user, role):
    """Return a client with a token of this user, of this role."""
    _token, secret = make_token(user, "reloj", role, lasts=LIVES["day"])
    return Program(headers={"accept-language": "en", "authorization": f"Bearer {secret}"})


def put(program, path, **sent):
    return program.post(path, {"after": 1, **sent}, method="put")


def seen(program, path):
    """Return the hands that this client sees, by player."""
    return {offer["player"]: offer["hand"] for offer in program.get(path).body["hands"]}


def test_a_player_sends_replaces_and_withdraws_a_hand(phones, hands, game):
    first = put(phones["beto"], hands, hand="K 9")
    assert (200, "beto", 1, ["beto"], "K 9") == (
        first.status,
        first.body["player"],
        first.body["round"],
        first.body["sent"],
        first.body["own"]["hand"],
    )
    again = put(phones["beto"], hands, closing="out").body["own"]
    assert (first.body["own"]["id"], "", "out") == (again["id"], again["hand"], again["closing"])

    for _time in range(2):
        gone = phones["beto"].post(f"{hands}withdraw/", {})
        assert (200, None, []) == (gone.status, gone.body["own"], gone.body["sent"])
    assert 0 == game.offers.count()


def test_withdrawing_a_hand_keeps_other_players_hands(phones, hands):
    put(phones["caro"], hands, hand="5")
    put(phones["beto"], hands, hand="K 9")
    assert ["caro"] == phones["beto"].post(f"{hands}withdraw/", {}).body["sent"]


def test_offered_hands_are_visible_to_scorers_only_and_only_once_the_round_is_closed(
    phones, ana, waldo, hands
):
    put(phones["beto"], hands, hand="K 9")
    for program in (ana, waldo, phones["caro"]):
        body = program.get(hands).body
        assert (["beto"], None, [], None) == (body["sent"], body["own"], body["hands"], body["closer"])

    put(phones["caro"], hands, closing="out")
    assert {"beto": "K 9", "caro": ""} == seen(ana, hands)
    assert "caro" == ana.get(hands).body["closer"]
    for program in (waldo, phones["beto"], phones["dani"]):
        assert ({}, None) == (seen(program, hands), program.get(hands).body["closer"])


def test_only_a_scorer_can_look_at_the_hands_before_a_phone_closed_the_round(phones, ana, waldo, hands):
    put(phones["beto"], hands, hand="K 9")
    looked = f"{hands}?look=yes"
    assert [{"beto": "K 9"}, {}, {}] == [seen(who, looked) for who in (ana, waldo, phones["caro"])]
    assert ((400, "bad_request"), {"field": "look"}) == (
        ana.get(f"{hands}?look=x").problem[:2],
        ana.get(f"{hands}?look=x").place,
    )


def test_responses_and_example_of_offered_hands_match_the_schema(phones, ana, hands):
    put(phones["beto"], hands, hand="[K 9]")
    path = "games/{code}/hands/"
    (example,) = examples_of(path)
    assert [] == wrong_in(example, path)
    assert example.keys() == phones["beto"].get(hands).body.keys()
    for program in (ana, phones["beto"], phones["caro"]):
        assert [] == wrong_in(program.get(f"{hands}?look=yes").body, path)


def test_an_invalid_hand_is_refused_with_the_name_of_the_field(subtests, phones, hands, game):
    cases: list[tuple[Any, ...]] = [
        ({"hand": "seven"}, (422, "refused"), {"field": "hand"}),
        ({}, (422, "refused"), {"field": "hand"}),
        ({"hand": "W" * 501}, (422, "refused"), {"field": "hand"}),
        ({"hand": "5", "closing": "stock"}, (422, "refused"), {"field": "closing"}),
        ({"hand": "5", "after": 2}, (409, "stale"), {}),
        ({"hand": 5}, (400, "misshapen"), {"field": "hand"}),
        ({"hand": "5", "player": "caro"}, (400, "misshapen"), {"field": "player"}),
    ]
    for sent, problem, place in cases:
        with subtests.test(sent=sent):
            answer = put(phones["beto"], hands, **sent)
            assert (problem, place) == (answer.problem[:2], answer.place)
            assert 0 == game.offers.count()


def test_a_finished_game_has_no_round_to_send_hands_for(ana, hands, game):
    stop = {"kind": "game_stopped", "data": {"how": "lowest_wins"}}
    played = round_of("ana", beto=10, caro=5, dani=1)
    ana.write(f"games/{game.code}/events/", {"after": 1, "events": [played, stop]}, key="k")
    assert (None, []) == (ana.get(hands).body["round"], ana.get(hands).body["sent"])


def test_a_token_sends_its_users_hand_and_a_read_only_one_neither_sends_nor_sees_it(users, hands, ana):
    writes, reads = with_token(users["beto"], Role.SCORER), with_token(users["beto"], Role.WITNESS)
    assert "beto" == put(writes, hands, hand="[K]").body["own"]["player"]
    for refused in (put(reads, hands, hand="[Q]"), reads.post(f"{hands}withdraw/", {})):
        assert (403, "forbidden") == refused.problem[:2]
    put(ana, hands)
    body = reads.get(hands).body
    assert (["beto"], None, None, []) == (body["sent"], body["player"], body["own"], body["hands"])


def test_an_owners_read_only_token_sees_no_hands_of_a_closed_round(phones, owner, hands, table):
    claim(table.members.get(slug="ana"), owner, is_agreed=True)
    put(phones["beto"], hands, closing="out")
    put(phones["caro"], hands, hand="[K]")
    assert {"beto": "", "caro": "[K]"} == seen(with_token(owner, Role.SCORER), hands)
    assert {} == seen(with_token(owner, Role.WITNESS), hands)
    assert {} == seen(with_token(owner, Role.WITNESS), f"{hands}?look=yes")


def test_sending_hands_is_rate_limited(phones, hands, monkeypatch):
    few = type(OFFERED)("offer-few", most=2, window=60)
    monkeypatch.setattr("games.api.play.hands.OFFERED", few)
    assert [200, 200, 429] == [put(phones["beto"], hands, hand="5").status for _time in range(3)]
    assert (429, "too_many_requests") == phones["beto"].post(f"{hands}withdraw/", {}).problem[:2]


def test_a_recorded_round_stores_the_phones_that_offered_its_hands(
    phones, ana, waldo, hands, game, table, users
):
    claim(table.members.get(slug="caro"), users["caro"], is_agreed=True)
    for slug, hand in (("beto", "23"), ("caro", "40")):
        put(phones[slug], hands, hand=hand)
    put(phones["dani"], hands, closing="out")
    brought = [offer["id"] for offer in ana.get(hands).body["hands"]]
    played = round_of("dani", ana=1, beto=23, caro=41)
    events = f"games/{game.code}/events/"
    sent = {"after": 1, "events": [played], "brought": brought}
    assert (200, 200) == (ana.write(events, sent, key="k").status, ana.write(events, sent, key="k").status)

    start_said, round_said = ana.get(events).body["events"]
    assert [] == start_said["sources"]
    assert [("beto", "", False), ("caro", "Caro", True), ("dani", "", False)] == sorted(
        (source["player"], source["brought_by"], source["changed"]) for source in round_said["sources"]
    )
    for_witnesses = waldo.get(events).body["events"][1]["sources"]
    assert [("beto", ""), ("caro", ""), ("dani", "")] == sorted(
        (source["player"], source["brought_by"]) for source in for_witnesses
    )


def test_an_invalid_list_of_offered_hands_is_refused_with_the_name_of_the_field(subtests, ana, hands, game):
    for brought in [["1"], [True], [0], [1] * 41, "1"]:
        with subtests.test(brought=brought):
            sent = {"after": 1, "events": [round_of("ana", beto=1, caro=2, dani=3)], "brought": brought}
            answer = ana.write(f"games/{game.code}/events/", sent, key="k")
            assert ("brought", 1) == (answer.body["field"], game.records.count())
