"""The copy as a phone asks for it, whole or only where it has changed, and what became of what it brings back."""

from __future__ import annotations

import gzip
import json

import pytest
from django.conf import settings

from games.people.guests import make_guest
from games.people.users import mark_of
from games.pocket.copying import copy_for
from games.pocket.taking import MOST_FACTS
from games.scoring.text.codec import kind_of, to_data
from tests.tables import a_round, make_table, make_user

pytestmark = pytest.mark.django_db


def test_a_phone_is_given_the_copy_of_whose_it_is(ana, owner, finished):
    answer = ana.get("/pocket/")

    assert copy_for(owner) == answer.json()
    assert mark_of(owner) == answer.json()["person"] == ana.get("/").context["person"]
    assert "private, no-cache" == answer.headers["Cache-Control"]
    assert answer.headers["X-Token"]


def test_it_travels_compressed(ana, finished):
    answer = ana.get("/pocket/", headers={"accept-encoding": "gzip"})

    assert "gzip" == answer.headers["Content-Encoding"]
    assert finished.code in gzip.decompress(answer.content).decode()


def test_who_has_it_as_it_is_is_given_nothing(ana, finished, pay):
    for encoding in ("identity", "gzip"):
        mark = ana.get("/pocket/", headers={"accept-encoding": encoding}).headers["ETag"]
        again = ana.get("/pocket/", headers={"if-none-match": mark})

        assert (304, b"") == (again.status_code, again.content)
    pay("beto", "ana", 100)

    assert 200 == ana.get("/pocket/", headers={"if-none-match": mark}).status_code


def test_nobody_is_asked_to_sign_in(nobody):
    assert "/login/" == nobody.get("/pocket/").headers["Location"]


def test_a_phone_that_was_lent_takes_nothing_of_whose_it_is_not(phone_of):
    guest, friend = make_guest(), make_user("otilia")
    friend.set_password("tres lobas negras")
    friend.save()
    make_table(guest)
    make_table(friend)
    phone = phone_of(guest)
    phone.post("/login/", {"username": "otilia", "password": "tres lobas negras", "mine": "no"})

    assert {403} == {phone.get("/pocket/").status_code, bring(phone, friend).status_code}


# --- what it brings back ----------------------------------------------------------------------------------------------


def bring(phone, user, *facts, **changes):
    sent = {"person": mark_of(user), "facts": facts, **changes}
    return phone.post("/pocket/", json.dumps(sent), content_type="application/json")


def played(game, key, after, **points):
    """A round as a phone tells of it that was away."""
    event = a_round("ana", **points)
    return {
        **{"kind": "record", "table": game.table.code, "game": game.code, "key": key, "after": after},
        **{"at": "2026-11-21T22:00Z", "events": [{"kind": kind_of(event), "data": to_data(event)}]},
    }


def test_what_it_did_is_done_here_and_the_copy_is_another(ana, owner, game):
    before = ana.get("/pocket/").headers["ETag"]
    for _time in range(2):
        answer = bring(ana, owner, played(game, "k1", 1, beto=5, caro=6, dani=7))

        assert {"answers": [{"status": "done", "game": game.code}]} == answer.json()
    assert 2 == game.records.count()
    assert before != ana.get("/pocket/").headers["ETag"]


def test_a_phone_sends_as_many_facts_in_one_go_as_are_taken():
    script = (settings.BASE_DIR / "static/pocket/sending.js").read_text(encoding="utf-8")

    assert f"const MOST = {MOST_FACTS};" in script


def test_one_request_takes_no_more_than_it_may_work_for_and_answers_that_alone(ana, owner, game, monkeypatch):
    facts = [played(game, f"k{number}", number, beto=5, caro=6, dani=7) for number in (1, 2, 3)]
    monkeypatch.setattr("games.views.pocket.pocket.MOST_STEPS", 0)
    while facts:
        answers = bring(ana, owner, *facts).json()["answers"]
        assert [{"status": "done", "game": game.code}] == answers
        del facts[: len(answers)]

    assert 4 == game.records.count()


def test_of_a_game_that_went_on_here_too_both_ways_are_told(ana, owner, game, write):
    write(game, a_round("ana", beto=20, caro=1, dani=2))
    facts = (played(game, "k1", 1, beto=5, caro=6, dani=7), played(game, "k2", 2, beto=8, caro=9, dani=3))
    unread = {**played(game, "k3", 3), "events": [{"kind": "x", "data": {}}]}
    first, *others = bring(ana, owner, *facts, unread).json()["answers"]

    assert ["held", "waits", "waits"] == [answer["status"] for answer in (first, *others)]
    assert ["Meanwhile this was recorded:"] == first["sentences"]
    assert (2, "Loba de Menos · Mesa de los jueves") == (first["now"], first["title"])
    assert ["Round 1: Ana went out", "Ana 0, Beto 20, Caro 1, Dani 2"] == first["here"]
    assert [
        *("Round 1: Ana went out", "Round 2: Ana went out"),
        "Ana 0, Beto 13, Caro 15, Dani 10",
    ] == first["there"]
    assert 2 == game.records.count()


def test_what_cannot_be_done_says_why(ana, owner, waldo, game):
    over = played(game, "k1", 1, beto=5, caro=6)  # Dani's hand is missing
    told = [
        answer["sentences"] for answer in bring(ana, owner, over, played(game, "k2", 2)).json()["answers"][:1]
    ]

    assert [["The hand of Dani is missing."]] == told
    watching = waldo.get("/pocket/").wsgi_request.user
    (told,) = bring(waldo, watching, over).json()["answers"]
    assert ["You can watch this table, but not write"] == told["sentences"]


def test_what_somebody_else_did_on_the_phone_is_not_taken_as_ones_own(ana, owner, game):
    answer = bring(ana, owner, played(game, "k1", 1, beto=5, caro=6, dani=7), person="0123456789ab")

    assert (403, 1) == (answer.status_code, game.records.count())


@pytest.mark.parametrize("body", ["", "{", "[]", "{}", '{"person": "x", "facts": 1}', "[" * 5000])
def test_what_are_no_facts_is_refused(ana, game, body):
    answer = ana.post("/pocket/", body, content_type="application/json")

    assert 422 == answer.status_code
    assert answer.json()["sentences"]
