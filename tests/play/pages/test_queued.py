"""Entries that a phone sends late: recorded as if posted from their page, or refused with a message."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.models import Record
from games.play import recording as services
from games.scoring.events import Corrected, PlayerReentered, PlayerStayedOut, Struck
from games.shown.play.numbers import numbers_of
from tests.reader import fields, read_page
from tests.tables import a_key, a_round, make_user, start

pytestmark = pytest.mark.django_db


@pytest.fixture
def send(ana, game):
    """`send(hand_beto=9)` sends a round that Ana closed, as the outbox of Ana's phone does."""
    mark = read_page(ana.get("/")).only("main").attrs["data-person"]

    def post(client=ana, of=game, **changes):
        sent = {"after": len(of.log()), "key": a_key(), "person": mark, "closer": "ana", "closing": "out"}
        hands = {"hand_ana": "", "hand_beto": "9", "hand_caro": "[K 7]", "hand_dani": "12"}
        return client.post(reverse("queued", args=[of.code]), fields(**{**sent, **hands, **changes}))

    return post


@pytest.fixture
def answer(send):
    """`answer("stay_out")` sends Beto's answer to a re-entry, as the outbox does."""

    def post(chosen, **changes):
        return send(answer=chosen, player="beto", **changes)

    return post


@pytest.fixture
def bust(game, write):
    """A game in which Beto is bust after round 1."""
    write(game, a_round("ana", beto=101, caro=50, dani=60))
    return game


def test_a_round_is_recorded_and_the_numbers_to_go_on_with_come_back(send, game):
    response = send(key="mine")

    assert (200, "mine") == (response.status_code, response.json()["key"])
    assert [0, 9, 17, 12] == [player.total for player in game.state().players]
    assert numbers_of(game.state(), 2) == response.json()["numbers"]


@pytest.mark.parametrize(
    ("chosen", "event"), [("reenter", PlayerReentered("beto")), ("stay_out", PlayerStayedOut("beto"))]
)
def test_an_answer_is_recorded(answer, bust, chosen, event):
    assert 200 == answer(chosen).status_code
    assert event == bust.log()[-1]


def test_the_same_key_sent_again_is_recorded_once_even_after_others(send, game, write):
    assert 200 == send(key="mine", after=1).status_code
    write(game, a_round("beto", ana=3, caro=3, dani=3))
    response = send(key="mine", after=1)

    assert (200, "mine", 3) == (
        response.status_code,
        response.json()["key"],
        response.json()["numbers"]["after"],
    )
    assert 3 == game.records.count()


def test_what_others_recorded_meanwhile_is_told(send, game, write):
    write(game, a_round("beto", ana=3, caro=3, dani=3))
    response = send(after=1)

    assert 409 == response.status_code
    assert ["Recorded meanwhile:", "Round 1: Beto went out"] == response.json()["sentences"]
    assert 2 == response.json()["numbers"]["after"]
    assert 2 == game.records.count()


def test_a_round_another_phone_recorded_just_so_counts_as_recorded(send, game):
    send(after=1, hand_caro="[7 K]")
    response = send(key="mine", after=1)  # the same cards, tapped in another order

    assert (200, "mine", 2) == (
        response.status_code,
        response.json()["key"],
        response.json()["numbers"]["after"],
    )
    assert 2 == game.records.count()


@pytest.mark.parametrize(
    "changes",
    [
        {"hand_beto": "10"},
        {"hand_caro": "17"},
        {"hand_caro": "[K 7]+1"},
        {"hand_caro": "[]"},
        {"closing": "in_one_go"},
        {"closer": "nobody", "hand_ana": "0"},
        {"hand_beto": ""},
    ],
)
def test_a_round_recorded_with_anything_else_is_asked_about(send, game, changes):
    send(after=1)
    response = send(after=1, **changes)

    assert (409, 2) == (response.status_code, game.records.count())


def test_two_rounds_with_the_same_hands_are_two_rounds(send, game):
    send(after=1)
    assert 200 == send(after=1).status_code
    assert 200 == send(after=2).status_code
    assert 3 == game.records.count()


def test_only_the_event_in_its_own_place_is_the_same_round(send, game, write):
    write(game, a_round("beto", ana=3, caro=3, dani=3))
    send(after=2)
    response = send(after=1)

    assert (409, 3) == (response.status_code, game.records.count())


def test_what_was_taken_out_or_corrected_since_is_asked_about(send, game, write):
    send(after=1)
    write(game, Corrected(2, a_round("ana", beto=10, caro=17, dani=12)))
    assert 409 == send(after=1).status_code
    assert 200 == send(after=1, hand_beto="10", hand_caro="17").status_code  # as it stands now
    write(game, Struck(2))
    assert 409 == send(after=1, hand_beto="10", hand_caro="17").status_code
    assert 4 == game.records.count()


def test_an_answer_another_phone_recorded_counts_as_recorded_and_the_other_answer_does_not(answer, bust):
    answer("reenter", after=2)

    assert (200, 409) == tuple(answer(chosen, after=2).status_code for chosen in ("reenter", "stay_out"))
    assert 3 == bust.records.count()


def test_what_stands_under_the_same_hands_is_told_to_nobody_who_may_not_record(send, game, table, owner):
    send(after=1)
    table.grants.filter(user=owner).update(role="witness")

    assert 403 == send(after=1).status_code


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"hand_beto": ""}, "The hand of Beto is missing."),
        ({"closer": ""}, "Choose who went out."),
        ({"hand_dani": "[K K K K K K K K K]"}, "The pack has only 8 × K"),
    ],
)
def test_what_the_rules_refuse_is_told_in_their_words(send, game, changes, sentence):
    response = send(**changes)

    assert 422 == response.status_code
    assert sentence in " ".join(response.json()["sentences"])
    assert 1 == game.records.count()


def test_the_same_key_with_something_else_is_refused(send, game):
    send(key="mine", after=1)
    response = send(key="mine", after=1, hand_beto="10")

    assert (409, 2) == (response.status_code, game.records.count())
    assert response.json()["sentences"]
    assert 2 == response.json()["recorded"]  # so that it can be corrected


def test_what_was_taken_out_since_is_not_named_as_recorded(send, game, write):
    send(key="mine", after=1)
    write(game, Struck(2))
    response = send(key="mine", after=1, hand_beto="10")

    assert (409, None) == (response.status_code, response.json().get("recorded"))


def test_a_round_before_the_answers_is_refused(send, bust):
    response = send()

    assert (422, ["Does Beto re-enter?"]) == (response.status_code, response.json()["sentences"])


def test_an_answer_nobody_was_asked_for_is_refused(answer, game):
    assert 422 == answer("reenter").status_code
    assert 1 == game.records.count()


def test_a_game_that_is_over_takes_nothing_more(send, finished):
    response = send(of=finished)

    assert (422, 6) == (response.status_code, finished.records.count())


def test_a_discarded_game_takes_nothing(send, game):
    services.discard_game(game)

    assert (422, 1) == (send().status_code, game.records.count())


def test_what_one_person_entered_is_not_recorded_as_anothers(send, phone_of, game, table):
    other = make_user("otto")
    table.grants.create(user=other, role="scorer")

    assert 403 == send(phone_of(other)).status_code
    assert 1 == Record.objects.count()


def test_who_is_signed_out_finds_nothing_and_it_waits_on(send, nobody, game):
    assert 404 == send(nobody).status_code
    assert 1 == game.records.count()


@pytest.mark.parametrize(
    ("role", "status", "sentence"),
    [
        ("", 404, "This phone no longer has access to this game."),
        ("witness", 403, "You can watch this table, but not record"),
    ],
)
def test_who_may_not_record_any_more_is_told_so(send, game, table, owner, role, status, sentence):
    grants = table.grants.filter(user=owner)
    grants.update(role=role) if role else grants.delete()
    response = send()

    assert (status, {"sentences": [sentence]}) == (response.status_code, response.json())
    assert 1 == game.records.count()


def test_the_token_says_whose_it_is(ana, nobody):
    mark = read_page(ana.get("/")).only("main").attrs["data-person"]

    assert (mark, "") == tuple(client.get("/token/").json()["person"] for client in (ana, nobody))


@pytest.mark.parametrize("method", ["get", "put"])
def test_the_address_only_accepts_posts(ana, game, method):
    assert 405 == getattr(ana, method)(reverse("queued", args=[game.code])).status_code


def test_a_fresh_token_lets_it_in(phone_of, owner, game):
    phone = phone_of(owner, enforce_csrf_checks=True)
    mark = read_page(phone.get("/")).only("main").attrs["data-person"]
    token = phone.get("/token/").json()["token"]
    sent = fields(
        after=1, key="mine", person=mark, closer="ana", closing="out", hand_beto=1, hand_caro=1, hand_dani=1
    )
    response = phone.post(reverse("queued", args=[game.code]), sent, headers={"X-CSRFToken": token})

    assert (200, 2) == (response.status_code, game.records.count())


def test_the_mark_of_a_person_is_unique_and_opaque(ana, nobody, waldo, owner):
    marks = [read_page(client.get("/")).only("main").attrs["data-person"] for client in (ana, nobody, waldo)]

    assert (3, "") == (len(set(marks)), marks[1])
    assert str(owner.pk) != marks[0]


def test_pages_of_a_running_game_print_what_a_phone_counts_with(ana, game, table, owner):
    other = start(table, owner)
    for name in ("sheet", "play-round"):
        waiting = read_page(ana.get(reverse(name, args=[other.code]))).only(id="waiting")
        assert reverse("queued", args=[other.code]) == waiting.attrs["data-address"]
        assert '"after":1' in waiting.attrs["data-numbers"]
        assert '"ana":"Ana"' in waiting.attrs["data-names"]


def test_a_correction_does_not_wait(ana, game, write):
    write(game, a_round("ana", beto=10, caro=5, dani=6))

    assert [] == read_page(ana.get(reverse("correct", args=[game.code, 2]))).every(id="waiting")


def test_a_witness_has_nothing_that_could_wait(waldo, game):
    assert [] == read_page(waldo.get(reverse("sheet", args=[game.code]))).every(id="waiting")
