"""The copy that a phone fetches, and the answers to the facts that it sends."""

from __future__ import annotations

import gzip
import json
from datetime import timedelta

import pytest
import time_machine
from django.conf import settings
from django.utils.timezone import now

from games.nights import night_of
from games.people.guests import make_guest
from games.people.users import mark_of
from games.pocket.copying import copy_for
from games.pocket.taking import MOST_FACTS
from games.scoring.text.codec import kind_of, to_data
from games.season.seasons import close_season
from tests.tables import a_round, make_table, make_user, start

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


def test_a_phone_that_was_lent_gets_no_copy_and_sends_what_the_borrower_entered(phone_of):
    guest, friend = make_guest(), make_user("otilia")
    friend.set_password("tres lobas negras")
    friend.save()
    make_table(guest)
    game = start(make_table(friend), friend)
    phone = phone_of(guest)
    phone.post("/login/", {"username": "otilia", "password": "tres lobas negras", "mine": "no"})

    assert 403 == phone.get("/pocket/").status_code
    for person in (guest, friend):
        bring(phone, person, typed(game, "k1", 1))
    assert [friend] == [record.recorded_by for record in game.records.filter(number=2)]


# --- facts ------------------------------------------------------------------------------------------------------------


def bring(phone, user, *facts, **changes):
    sent = {"person": mark_of(user), "facts": facts, **changes}
    return phone.post("/pocket/", json.dumps(sent), content_type="application/json")


def played(game, key, after, **points):
    """Return the fact of a round recorded on a phone."""
    event = a_round("ana", **points)
    return {
        **{"kind": "record", "table": game.table.code, "game": game.code, "key": key, "after": after},
        **{"at": "2026-11-21T22:00Z", "events": [{"kind": kind_of(event), "data": to_data(event)}]},
    }


def typed(game, key, after, **changes):
    """Return the fact of a round whose form waited."""
    hands = {"hand-ana": "", "hand-beto": "9", "hand-caro": "[K 7]", "hand-dani": "12"}
    return {
        **{"kind": "typed", "form": "round", "table": "", "game": game.code, "key": key, "after": after},
        **{"at": "2026-11-21T22:00Z", "fields": {"closer": "ana", "closing": "out", **hands, **changes}},
    }


def test_what_it_did_is_done_here_and_the_copy_is_another(ana, owner, game):
    before = ana.get("/pocket/").headers["ETag"]
    for _time in range(2):
        answer = bring(ana, owner, played(game, "k1", 1, beto=5, caro=6, dani=7))

        assert {"answers": [{"status": "done", "game": game.code}]} == answer.json()
    assert 2 == game.records.count()
    assert before != ana.get("/pocket/").headers["ETag"]


def test_a_phone_sends_as_many_facts_in_one_go_as_are_taken():
    script = (settings.BASE_DIR / "static/offline/outbox.js").read_text(encoding="utf-8")

    assert f"const MOST = {MOST_FACTS};" in script


def test_one_request_takes_no_more_than_it_may_work_for_and_answers_that_alone(ana, owner, game, monkeypatch):
    facts = [played(game, f"k{number}", number, beto=5, caro=6, dani=7) for number in (1, 2, 3)]
    monkeypatch.setattr("games.views.pocket.pocket.MOST_STEPS", 0)
    while facts:
        answers = bring(ana, owner, *facts).json()["answers"]
        assert [{"status": "done", "game": game.code}] == answers
        del facts[: len(answers)]

    assert 4 == game.records.count()


def test_a_game_of_a_closed_season_is_held_as_one_that_may_count_from_today(ana, owner, game, table):
    over = played(game, "k1", 1, beto=105, caro=106, dani=107) | {"at": now().isoformat()}
    with time_machine.travel(now() + timedelta(days=30)):
        ana.get("/")  # the session of a phone that comes by is renewed
        close_season(table.seasons.get(), last_day=night_of(now(), table) - timedelta(days=7), next_name="2")
        (held,) = bring(ana, owner, over).json()["answers"]
        (done,) = bring(ana, owner, over | {"at": now().isoformat()}).json()["answers"]

    assert ("held", True) == (held["status"], held["late"])
    assert held["sentences"][0].startswith("The season 2026 was closed meanwhile.")
    assert "done" == done["status"]


def test_of_a_game_that_went_on_here_too_both_ways_are_told(ana, owner, game, write):
    write(game, a_round("ana", beto=20, caro=1, dani=2))
    facts = (played(game, "k1", 1, beto=5, caro=6, dani=7), played(game, "k2", 2, beto=8, caro=9, dani=3))
    unread = {**played(game, "k3", 3), "events": [{"kind": "x", "data": {}}]}
    first, *others = bring(ana, owner, *facts, unread).json()["answers"]

    assert ["held", "waits", "waits"] == [answer["status"] for answer in (first, *others)]
    assert ["Recorded meanwhile:"] == first["sentences"]
    assert (2, "Loba de Menos · Mesa de los jueves") == (first["now"], first["title"])
    assert ["Round 1: Ana went out", "Ana 0, Beto 20, Caro 1, Dani 2"] == first["here"]
    assert [
        *("Round 1: Ana went out", "Round 2: Ana went out"),
        "Ana 0, Beto 13, Caro 15, Dani 10",
    ] == first["there"]
    assert 2 == game.records.count()


def test_what_cannot_be_done_says_why(ana, owner, waldo, game):
    over = played(game, "k1", 1, beto=5, caro=6)  # Dani's hand is missing
    sentences = [
        answer["sentences"] for answer in bring(ana, owner, over, played(game, "k2", 2)).json()["answers"][:1]
    ]

    assert [["The hand of Dani is missing."]] == sentences
    watching = waldo.get("/pocket/").wsgi_request.user
    (answer,) = bring(waldo, watching, over).json()["answers"]
    assert ["You can watch this table, but not record"] == answer["sentences"]


def test_what_somebody_else_did_on_the_phone_is_not_taken_as_ones_own(ana, owner, game):
    answer = bring(ana, owner, played(game, "k1", 1, beto=5, caro=6, dani=7), person="0123456789ab")

    assert (403, 1) == (answer.status_code, game.records.count())


@pytest.mark.parametrize("body", ["", "{", "[]", "{}", '{"person": "x", "facts": 1}', "[" * 5000])
def test_what_are_no_facts_is_refused(ana, game, body):
    answer = ana.post("/pocket/", body, content_type="application/json")

    assert 422 == answer.status_code
    assert answer.json()["sentences"]


# --- entries of forms that waited -------------------------------------------------------------------------------------


def test_a_round_that_was_typed_is_recorded_when_it_was_entered_and_its_numbers_come_back(ana, owner, game):
    for _time in range(2):
        (answer,) = bring(ana, owner, typed(game, "k1", 1)).json()["answers"]

        assert ("done", 2) == (answer["status"], answer["numbers"]["after"])
    assert [0, 9, 17, 12] == [player.total for player in game.state().players]
    assert 2 == game.records.count()


def test_rounds_answers_payments_and_ticks_come_in_one_request(ana, owner, game, table):
    bust = {"hand-beto": "101"}
    answered = {**typed(game, "k2", 2), "form": "reentry", "fields": {"player": "beto", "answer": "reenter"}}
    paid = {"payer": "beto", "payee": "ana", "amount": "150", "method": "cash"}
    payment = {
        **typed(game, "k3", 0),
        **{"form": "payment", "game": "", "table": table.code, "fields": paid},
    }
    answers = bring(ana, owner, typed(game, "k1", 1, **bust), answered, payment).json()["answers"]

    assert ["done"] * 3 == [answer["status"] for answer in answers]
    assert [150] == [payment.amount for payment in table.payments.all()]
    assert 3 == len(game.log())


def test_a_refused_entry_holds_back_the_later_ones_of_its_game_and_no_payment(ana, owner, game, table, write):
    write(game, a_round("ana", beto=20, caro=1, dani=2))
    paid = {"payer": "beto", "payee": "ana", "amount": "150"}
    tick = {**typed(game, "k3", 1), "form": "tick", "fields": paid}
    held, waits, done = bring(ana, owner, typed(game, "k1", 1), typed(game, "k2", 2), tick).json()["answers"]

    assert ["held", "waits", "done"] == [held["status"], waits["status"], done["status"]]
    assert ["Round 1: Ana went out", "Ana 0, Beto 20, Caro 1, Dani 2"] == held["here"]
    assert ["Round 1: Ana went out", "Round 2: Ana went out", "Ana 0, Beto 18, Caro 34, Dani 24"] == held[
        "there"
    ]
    assert 2 == waits["numbers"]["after"]


def test_an_edited_round_whose_first_answer_was_lost_can_replace_the_recorded_one(ana, owner, game):
    bring(ana, owner, typed(game, "k1", 1))
    (held,) = bring(ana, owner, typed(game, "k1", 1, **{"hand-dani": "30"})).json()["answers"]

    assert ("held", 2, 2) == (held["status"], held["recorded"], held["now"])
    assert ["Ana 0, Beto 9, Caro 17, Dani 12", "Ana 0, Beto 9, Caro 17, Dani 30"] == [
        held[way][-1] for way in ("here", "there")
    ]
    correction = {**typed(game, "k2", 2, **{"hand-dani": "30"}), "corrects": 2}
    for _time in range(2):
        assert "done" == bring(ana, owner, correction).json()["answers"][0]["status"]
    assert (1, 30) == (len(game.state().rounds), game.state().players[-1].total)


def test_what_breaks_on_our_side_is_held_and_all_else_goes_on(ana, owner, game, table, monkeypatch):
    def fail(*_args, **_kwargs):
        raise RuntimeError("broken on purpose")

    monkeypatch.setattr("games.pocket.typed.record", fail)
    paid = {"payer": "beto", "payee": "ana", "amount": "150", "method": "cash"}
    payment = {**typed(game, "k2", 0), "form": "payment", "game": "", "table": table.code, "fields": paid}
    broken, done = bring(ana, owner, typed(game, "k1", 1), payment).json()["answers"]

    assert ("held", True, "done") == (broken["status"], broken["broken"], done["status"])
    assert ["An error on our side. It was not recorded."] == broken["sentences"]


@pytest.mark.parametrize(
    "changes",
    [{"form": "undo"}, {"fields": []}, {"fields": {"closer": 1}}, {"after": -1}, {"corrects": "x"}],
)
def test_an_entry_of_no_form_that_waits_is_held(ana, owner, game, changes):
    (answer,) = bring(ana, owner, {**typed(game, "k1", 1), **changes}).json()["answers"]

    assert ("held", 1) == (answer["status"], game.records.count())
    assert answer["sentences"]
