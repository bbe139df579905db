"""The copy that a phone fetches, and the answers to the facts that it sends."""

from __future__ import annotations

import gzip
import json
from datetime import timedelta

import pytest
import time_machine
from django.conf import settings
from django.utils.timezone import now

from games.models import Role, Table
from games.nights import night_of
from games.people.guests import make_guest
from games.people.removals import put_out
from games.people.users import mark_of
from games.pocket.copying import copy_for
from games.pocket.taking import MOST_FACTS
from games.scoring.text.codec import kind_of, to_data
from games.season.seasons import close_season
from tests.tables import a_round, let_in_as, make_table, make_user, start

pytestmark = pytest.mark.django_db


def test_a_phone_gets_the_copy_of_its_signed_in_user(ana, owner, finished):
    answer = ana.get("/pocket/")

    assert copy_for(owner) == answer.json()
    assert mark_of(owner) == answer.json()["person"] == ana.get("/").context["person"]
    assert "private, no-cache" == answer.headers["Cache-Control"]
    assert answer.headers["X-Token"]


def test_the_copy_is_compressed(ana, finished):
    answer = ana.get("/pocket/", headers={"accept-encoding": "gzip"})

    assert "gzip" == answer.headers["Content-Encoding"]
    assert finished.code in gzip.decompress(answer.content).decode()


def test_an_unchanged_copy_gets_304(ana, finished, pay):
    for encoding in ("identity", "gzip"):
        mark = ana.get("/pocket/", headers={"accept-encoding": encoding}).headers["ETag"]
        again = ana.get("/pocket/", headers={"if-none-match": mark})

        assert (304, b"") == (again.status_code, again.content)
    pay("beto", "ana", 100)

    assert 200 == ana.get("/pocket/", headers={"if-none-match": mark}).status_code


def test_an_anonymous_request_is_redirected_to_the_sign_in_page(nobody):
    assert "/login/" == nobody.get("/pocket/").headers["Location"]


def test_a_lent_phone_gets_no_copy_and_records_the_borrowers_entries_as_theirs(phone_of):
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
    """Return the fact of a round whose form was queued."""
    hands = {"hand-ana": "", "hand-beto": "9", "hand-caro": "[K 7]", "hand-dani": "12"}
    return {
        **{"kind": "typed", "form": "round", "table": "", "game": game.code, "key": key, "after": after},
        **{"at": "2026-11-21T22:00Z", "fields": {"closer": "ana", "closing": "out", **hands, **changes}},
    }


def test_a_fact_sent_twice_is_recorded_once_and_changes_the_etag_of_the_copy(ana, owner, game):
    before = ana.get("/pocket/").headers["ETag"]
    for _time in range(2):
        answer = bring(ana, owner, played(game, "k1", 1, beto=5, caro=6, dani=7))

        assert {"answers": [{"status": "done", "game": game.code}]} == answer.json()
    assert 2 == game.records.count()
    assert before != ana.get("/pocket/").headers["ETag"]


def test_a_phone_sends_at_most_as_many_facts_as_one_request_takes():
    script = (settings.BASE_DIR / "static/offline/outbox.js").read_text(encoding="utf-8")

    assert f"const MOST = {MOST_FACTS};" in script


def test_a_request_beyond_the_step_budget_records_and_answers_only_its_first_facts(
    ana, owner, game, monkeypatch
):
    facts = [played(game, f"k{number}", number, beto=5, caro=6, dani=7) for number in (1, 2, 3)]
    monkeypatch.setattr("games.views.pocket.pocket.MOST_STEPS", 0)
    while facts:
        answers = bring(ana, owner, *facts).json()["answers"]
        assert [{"status": "done", "game": game.code}] == answers
        del facts[: len(answers)]

    assert 4 == game.records.count()


def test_a_game_of_a_closed_season_is_held_and_can_be_sent_again_to_count_from_today(ana, owner, game, table):
    over = played(game, "k1", 1, beto=105, caro=106, dani=107) | {"at": now().isoformat()}
    year = table.seasons.get().name
    with time_machine.travel(now() + timedelta(days=30)):
        ana.get("/")  # the session of a phone that visits is renewed
        close_season(table.seasons.get(), last_day=night_of(now(), table) - timedelta(days=7), next_name="2")
        (held,) = bring(ana, owner, over).json()["answers"]
        (done,) = bring(ana, owner, over | {"at": now().isoformat()}).json()["answers"]

    assert ("held", True) == (held["status"], held["late"])
    assert held["sentences"][0].startswith(f"The season {year} was closed meanwhile.")
    assert "done" == done["status"]


def test_a_conflict_returns_both_versions_of_the_game(ana, owner, game, write):
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


def test_a_refused_fact_returns_the_reason(ana, owner, waldo, game):
    over = played(game, "k1", 1, beto=5, caro=6)  # Dani's hand is missing
    sentences = [
        answer["sentences"] for answer in bring(ana, owner, over, played(game, "k2", 2)).json()["answers"][:1]
    ]

    assert [["The hand of Dani is missing."]] == sentences
    watching = waldo.get("/pocket/").wsgi_request.user
    (answer,) = bring(waldo, watching, over).json()["answers"]
    assert ["You can watch this table, but not record"] == answer["sentences"]


def test_facts_of_a_removed_user_are_held_until_another_phone_brought_them(ana, owner, table, game, phone_of):
    zoe = make_user("zoe")
    phone, grant = phone_of(zoe), let_in_as(zoe, table, Role.SCORER)
    facts = [typed(game, "k1", 1), typed(game, "k2", 2)]
    put_out(grant, by=owner)
    first, second = bring(phone, zoe, *facts).json()["answers"]
    assert ("held", True, "waits") == (first["status"], first["gone"], second["status"])

    bring(ana, owner, *({**fact, "brought": True} for fact in facts))
    assert ["done", "done"] == [answer["status"] for answer in bring(phone, zoe, *facts).json()["answers"]]
    assert {owner} == {record.recorded_by for record in game.records.all()}


def test_facts_of_another_person_get_403(ana, owner, game):
    answer = bring(ana, owner, played(game, "k1", 1, beto=5, caro=6, dani=7), person="0123456789ab")

    assert (403, 1) == (answer.status_code, game.records.count())


@pytest.mark.parametrize("body", ["", "{", "[]", "{}", '{"person": "x", "facts": 1}', "[" * 5000])
def test_an_invalid_body_gets_422(ana, game, body):
    answer = ana.post("/pocket/", body, content_type="application/json")

    assert 422 == answer.status_code
    assert answer.json()["sentences"]


# --- entries of forms that waited -------------------------------------------------------------------------------------


def test_a_queued_round_is_recorded_once_and_its_numbers_are_returned(ana, owner, game):
    for _time in range(2):
        (answer,) = bring(ana, owner, typed(game, "k1", 1)).json()["answers"]

        assert ("done", 2) == (answer["status"], answer["numbers"]["after"])
    assert [0, 9, 17, 12] == [player.total for player in game.state().players]
    assert 2 == game.records.count()


def test_one_request_can_bring_rounds_re_entry_answers_and_payments(ana, owner, game, table):
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


def test_a_refused_entry_holds_back_later_entries_of_its_game_but_no_payment(ana, owner, game, table, write):
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


def test_an_edited_round_whose_response_was_lost_can_correct_the_recorded_one(ana, owner, game):
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


def test_a_server_error_holds_one_fact_and_the_others_are_recorded(ana, owner, game, table, monkeypatch):
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
def test_an_invalid_queued_form_is_held(ana, owner, game, changes):
    (answer,) = bring(ana, owner, {**typed(game, "k1", 1), **changes}).json()["answers"]

    assert ("held", 1) == (answer["status"], game.records.count())
    assert answer["sentences"]


def a_table(code="22222222222", **changes):
    """Return the fact of a table that was opened on a phone."""
    return {
        **{
            "kind": "table",
            "table": code,
            "key": f"k-{code}",
            "name": "La cabaña",
            "unit": "$",
            "decimals": 0,
        },
        **{"language": "es-ar", "timezone": "America/Argentina/Buenos_Aires", "region": "es-AR"},
        **{"at": "2026-11-21T22:00Z", **changes},
    }


def test_a_new_table_is_answered_with_its_code_at_the_site(ana, owner, table):
    taken = table.code
    answers = bring(ana, owner, a_table(), a_table(taken)).json()["answers"]

    assert ["done", "done"] == [answer["status"] for answer in answers]
    assert "22222222222" == answers[0]["table"]
    assert taken != answers[1]["table"]
    assert {"La cabaña"} == {Table.objects.get(code=answer["table"]).name for answer in answers}


def test_a_table_over_the_limit_of_a_day_is_answered_with_its_name_and_the_time_to_wait(ana, owner):
    facts = [a_table(f"2222222222{letter}") for letter in "23456789abc"]
    *_done, held = bring(ana, owner, *facts).json()["answers"]

    assert ("held", "La cabaña") == (held["status"], held["title"])
    assert [
        "At most 10 tables can be opened in a day.",
        "This one stays on this phone, and is sent once it can be opened.",
    ] == held["sentences"]
    assert 86_300 < held["wait"] <= 86_400


def test_a_table_that_another_phone_brought_is_answered_with_whom_to_ask(ana, owner, client):
    bea = make_user("bea")
    client.force_login(bea)
    bring(client, bea, {**a_table(), "brought": True})
    (held,) = bring(ana, owner, a_table()).json()["answers"]

    assert (True, "La cabaña") == (held["gone"], held["title"])
    assert ["The site has this table already, but you have no access to it."] == [
        sentence.partition(" Ask")[0] for sentence in held["sentences"]
    ]


@pytest.mark.parametrize("wrong", [{"name": ["x"] * 100}, {"name": None}, {"key": {}}, {"timezone": "\x00"}])
def test_a_table_that_cannot_be_read_breaks_nothing(ana, owner, wrong):
    (held,) = bring(ana, owner, a_table(**wrong)).json()["answers"]

    assert "held" == held["status"]
    assert "broken" not in held
