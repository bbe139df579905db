"""Both versions of a game in conflict, side by side, with the consequences of each choice."""

from __future__ import annotations

import json
from typing import Any

import pytest

from games.scoring.events import PlayerLeft
from tests.pocket.pages.test_pocket import played, typed
from tests.reader import read_page
from tests.tables import a_round, become, start

pytestmark = pytest.mark.django_db


@pytest.fixture
def went_on(game, write):
    """The game, with a round of Ana that another phone recorded meanwhile."""
    write(game, a_round("ana", beto=20, caro=1, dani=2))
    return game


def compare(phone, game, *facts, **sent):
    """Send what the page of conflicts sends when it is opened."""
    body = {"facts": facts, "ways": {}, **sent}
    return phone.post(f"/g/{game.code}/versions/", json.dumps(body), content_type="application/json")


def strikes(game, *numbers):
    """Return the fact that strikes these events of others."""
    events = [{"kind": "struck", "data": {"number": number}} for number in numbers]
    return {**played(game, "k0", numbers[0]), "events": events}


def rows_of(page):
    return [[cell.text for cell in row.every("th", "td")] for row in page.every("tr")]


def test_each_round_shows_its_points_recorder_and_time_in_both_versions(ana, owner, table, went_on):
    become(owner, table.members.get(slug="ana"))
    page = read_page(compare(ana, went_on, played(went_on, "k1", 1, beto=5, caro=6, dani=7)))

    assert [
        ["", "Recorded at the table", "On this phone"],
        ["", "Round 1: Ana went out", "Round 1: Ana went out"],
        ["Ana", "0", "0"],
        ["Beto", "20", "5"],
        ["Caro", "1", "6"],
        ["Dani", "2", "7"],
    ] == rows_of(page)[:-1]
    label, here, there = rows_of(page)[-1]
    assert ("Recorded by", "Ana") == (label, here.split()[0])
    assert there.startswith("you ")


def test_each_choice_shows_the_resulting_totals_and_money(ana, went_on):
    fact = played(went_on, "k1", 2, beto=5, caro=6, dani=107)
    instead = [strikes(went_on, 2), {**fact, "after": 3}]
    ways = {"behind": [fact], "instead": instead, "drop": []}
    context = compare(ana, went_on, {**fact, "after": 1}, ways=ways).context

    assert {
        "behind": [("Ana", "0"), ("Beto", "25"), ("Caro", "7"), ("Dani", "109")],
        "instead": [("Ana", "0"), ("Beto", "5"), ("Caro", "6"), ("Dani", "107")],
        "drop": [("Ana", "0"), ("Beto", "20"), ("Caro", "1"), ("Dani", "2")],
    } == {way["name"]: [(one.name, one.total) for one in way["outcome"].standings] for way in context["ways"]}
    assert {"−$\u00a0100"} == {one.money for one in context["ways"][0]["outcome"].standings}
    assert "bust, may re-enter" == context["ways"][0]["outcome"].standings[3].seat
    assert 2 == went_on.records.count()


def test_a_choice_shows_the_winner_of_an_ended_game_or_the_reason_of_a_refusal(ana, table, owner, write):
    game = start(table, owner, stake=100, reentries=0)
    write(game, a_round("ana", beto=105, caro=106, dani=107))
    fact = played(game, "k1", 2, beto=105, caro=106, dani=107)
    ways = {"behind": [fact], "instead": [strikes(game, 2), {**fact, "after": 3}]}
    behind, instead = compare(ana, game, {**fact, "after": 1}, ways=ways).context["ways"]

    assert "The game is over." == behind["refusal"]
    assert ("Ana wins", "+$\u00a0300") == (instead["outcome"].won, instead["outcome"].standings[0].money)


def test_equal_rounds_are_shown_side_by_side_and_counted(ana, went_on, write):
    write(went_on, a_round("ana", beto=5, caro=6, dani=7))
    same, other = ({"beto": 5, "caro": 6, "dani": 7}, {"beto": 1, "caro": 1, "dani": 1})
    first = compare(ana, went_on, played(went_on, "k1", 1, **same), played(went_on, "k2", 2, **other)).context
    second = compare(
        ana, went_on, played(went_on, "k1", 1, **other), played(went_on, "k2", 2, **same)
    ).context

    assert [(True, False), (True, True), (False, True)] == [
        (bool(pair.here), bool(pair.there)) for pair in first["pairs"]
    ]
    assert [False, True, False] == [pair.is_same for pair in first["pairs"]]
    assert (1, 0) == (first["same"], second["same"])
    page = read_page(compare(ana, went_on, played(went_on, "k1", 1, **same)))
    assert ["Probably the same hand"] == [caption.text for caption in page.every("caption")]


def test_events_other_than_rounds_are_compared_too(ana, went_on, write):
    write(went_on, PlayerLeft("dani"))
    left = {
        **played(went_on, "k1", 1),
        "events": [{"kind": "player_left", "data": {"player": "dani"}}],
    }
    context = compare(ana, went_on, left).context

    assert [(False, None), (True, "Dani went home")] == [
        (pair.is_same, pair.there and pair.there.text) for pair in context["pairs"]
    ]
    assert 1 == context["same"]


def test_an_edited_round_is_compared_with_the_recorded_round_that_it_would_correct(ana, went_on):
    edited = {"hand-beto": "9", "hand-caro": "1", "hand-dani": "2"}
    correction = {**typed(went_on, "k2", 2, **edited), "corrects": 2}
    context = compare(
        ana, went_on, typed(went_on, "k1", 1, **edited), recorded=2, ways={"open": [correction], "drop": []}
    ).context

    assert [("Beto", "20", "9")] == context["pairs"][0].rows[1:2]
    assert ["9", "20"] == [way["outcome"].standings[1].total for way in context["ways"]]


def test_a_witness_gets_403_and_a_stranger_404(waldo, stranger, went_on):
    fact = played(went_on, "k1", 1, beto=5, caro=6, dani=7)

    assert (403, 404) == (
        compare(waldo, went_on, fact).status_code,
        compare(stranger, went_on, fact).status_code,
    )


def test_an_invalid_request_is_refused_with_a_reason(subtests, ana, went_on):
    cases: list[Any] = [
        {"facts": []},
        {"facts": [1]},
        {"facts": [{"kind": "x"}]},
        {"facts": [{"kind": "record", "after": 1, "at": "x"}]},
        {"ways": 1},
        {"ways": {"other": []}},
        {"ways": {"behind": [1]}},
        {"recorded": 9},
        {"facts": {}},
    ]
    for sent in cases:
        with subtests.test(sent=sent):
            answer = compare(ana, went_on, played(went_on, "k1", 1, beto=5, caro=6, dani=7), **sent)

            assert 422 == answer.status_code
            assert answer.json()["sentences"]


def test_an_unknown_player_is_refused(ana, went_on):
    joined = {"kind": "player_joined", "data": {"player": {"id": "zoe", "name": "Zoe"}, "after": "ana"}}
    answer = compare(ana, went_on, {**played(went_on, "k1", 1), "events": [joined]})

    assert (422, ["“zoe” is unknown here."]) == (answer.status_code, answer.json()["sentences"])


def test_comparing_has_a_step_budget(ana, went_on, monkeypatch):
    monkeypatch.setattr("games.views.pocket.versions.MOST_STEPS", 5_000)
    answer = compare(ana, went_on, played(went_on, "k1", 1, beto=5, caro=6, dani=7))

    assert 422 == answer.status_code
