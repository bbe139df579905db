"""Entries that a phone sends late: recorded as if posted from their page, or refused with a reason."""

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


def test_a_queued_round_is_recorded_and_the_response_has_the_present_numbers(send, game):
    response = send(key="mine")

    assert (200, "mine") == (response.status_code, response.json()["key"])
    assert [0, 9, 17, 12] == [player.total for player in game.state().players]
    assert numbers_of(game.state(), 2) == response.json()["numbers"]


@pytest.mark.parametrize(
    ("chosen", "event"), [("reenter", PlayerReentered("beto")), ("stay_out", PlayerStayedOut("beto"))]
)
def test_a_queued_re_entry_answer_is_recorded(answer, bust, chosen, event):
    assert 200 == answer(chosen).status_code
    assert event == bust.log()[-1]


def test_a_queued_round_sent_again_is_recorded_once_even_after_later_rounds(send, game, write):
    assert 200 == send(key="mine", after=1).status_code
    write(game, a_round("beto", ana=3, caro=3, dani=3))
    response = send(key="mine", after=1)

    assert (200, "mine", 3) == (
        response.status_code,
        response.json()["key"],
        response.json()["numbers"]["after"],
    )
    assert 3 == game.records.count()


def test_a_stale_queued_round_gets_409_with_the_news(send, game, write):
    write(game, a_round("beto", ana=3, caro=3, dani=3))
    response = send(after=1)

    assert 409 == response.status_code
    assert ["Recorded meanwhile:", "Round 1: Beto went out"] == response.json()["sentences"]
    assert 2 == response.json()["numbers"]["after"]
    assert 2 == game.records.count()


def test_a_queued_round_that_another_phone_recorded_counts_as_recorded(send, game):
    send(after=1, hand_caro="[7 K]")
    response = send(key="mine", after=1)  # the same cards, typed in another order

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
def test_a_queued_round_that_differs_from_the_recorded_one_gets_409(send, game, changes):
    send(after=1)
    response = send(after=1, **changes)

    assert (409, 2) == (response.status_code, game.records.count())


def test_equal_rounds_in_different_places_are_both_recorded(send, game):
    send(after=1)
    assert 200 == send(after=1).status_code
    assert 200 == send(after=2).status_code
    assert 3 == game.records.count()


def test_a_queued_round_equal_to_one_in_another_place_gets_409(send, game, write):
    write(game, a_round("beto", ana=3, caro=3, dani=3))
    send(after=2)
    response = send(after=1)

    assert (409, 3) == (response.status_code, game.records.count())


def test_a_queued_round_is_compared_with_the_corrected_round_and_not_with_a_struck_one(send, game, write):
    send(after=1)
    write(game, Corrected(2, a_round("ana", beto=10, caro=17, dani=12)))
    assert 409 == send(after=1).status_code
    assert 200 == send(after=1, hand_beto="10", hand_caro="17").status_code  # equal to the corrected round
    write(game, Struck(2))
    assert 409 == send(after=1, hand_beto="10", hand_caro="17").status_code
    assert 4 == game.records.count()


def test_a_queued_answer_that_another_phone_recorded_counts_as_recorded(answer, bust):
    answer("reenter", after=2)

    assert (200, 409) == tuple(answer(chosen, after=2).status_code for chosen in ("reenter", "stay_out"))
    assert 3 == bust.records.count()


def test_a_queued_round_refused_by_the_rules_gets_422_with_the_reason(subtests, send, game):
    for changes, sentence in [
        ({"hand_beto": ""}, "The hand of Beto is missing."),
        ({"closer": ""}, "Choose who went out."),
        ({"hand_dani": "[K K K K K K K K K]"}, "The pack has only 8 × K"),
    ]:
        with subtests.test(changes=changes):
            response = send(**changes)

            assert 422 == response.status_code
            assert sentence in " ".join(response.json()["sentences"])
            assert 1 == game.records.count()


def test_a_queued_round_with_a_used_key_gets_409_with_the_recorded_number(send, game):
    send(key="mine", after=1)
    response = send(key="mine", after=1, hand_beto="10")

    assert (409, 2) == (response.status_code, game.records.count())
    assert response.json()["sentences"]
    assert 2 == response.json()["recorded"]  # so that the phone can offer to correct it


def test_a_queued_round_with_the_key_of_a_struck_round_gets_409_without_a_number(send, game, write):
    send(key="mine", after=1)
    write(game, Struck(2))
    response = send(key="mine", after=1, hand_beto="10")

    assert (409, None) == (response.status_code, response.json().get("recorded"))


def test_a_queued_round_is_refused_while_a_re_entry_is_undecided(send, bust):
    response = send()

    assert (422, ["Does Beto re-enter?"]) == (response.status_code, response.json()["sentences"])


def test_a_queued_answer_is_refused_if_no_player_is_bust(answer, game):
    assert 422 == answer("reenter").status_code
    assert 1 == game.records.count()


def test_a_finished_game_refuses_queued_rounds(send, finished):
    response = send(of=finished)

    assert (422, 6) == (response.status_code, finished.records.count())


def test_a_discarded_game_refuses_queued_rounds(send, game):
    services.discard_game(game)

    assert (422, 1) == (send().status_code, game.records.count())


def test_an_entry_queued_by_one_user_is_refused_from_another(send, phone_of, game, table):
    other = make_user("otto")
    table.grants.create(user=other, role="scorer")

    assert 403 == send(phone_of(other)).status_code
    assert 1 == Record.objects.count()


def test_a_signed_out_phone_gets_404_for_its_queued_entry(send, nobody, game):
    assert 404 == send(nobody).status_code
    assert 1 == game.records.count()


@pytest.mark.parametrize(
    ("role", "status", "sentence"),
    [
        ("", 404, "This phone no longer has access to this game."),
        ("witness", 403, "You can watch this table, but not record"),
    ],
)
def test_a_queued_round_of_a_user_who_lost_access_is_refused_with_a_reason(
    send, game, table, owner, role, status, sentence
):
    grants = table.grants.filter(user=owner)
    grants.update(role=role) if role else grants.delete()
    response = send()

    assert (status, {"sentences": [sentence]}) == (response.status_code, response.json())
    assert 1 == game.records.count()


def test_the_token_endpoint_returns_the_mark_of_the_signed_in_user(ana, nobody):
    mark = read_page(ana.get("/")).only("main").attrs["data-person"]

    assert (mark, "") == tuple(client.get("/token/").json()["person"] for client in (ana, nobody))


@pytest.mark.parametrize("method", ["get", "put"])
def test_the_address_only_accepts_posts(ana, game, method):
    assert 405 == getattr(ana, method)(reverse("queued", args=[game.code])).status_code


def test_a_queued_entry_with_a_fresh_csrf_token_is_accepted(phone_of, owner, game):
    phone = phone_of(owner, enforce_csrf_checks=True)
    mark = read_page(phone.get("/")).only("main").attrs["data-person"]
    token = phone.get("/token/").json()["token"]
    sent = fields(
        after=1, key="mine", person=mark, closer="ana", closing="out", hand_beto=1, hand_caro=1, hand_dani=1
    )
    response = phone.post(reverse("queued", args=[game.code]), sent, headers={"X-CSRFToken": token})

    assert (200, 2) == (response.status_code, game.records.count())


def test_the_mark_of_a_user_is_unique_and_opaque(ana, nobody, waldo, owner):
    marks = [read_page(client.get("/")).only("main").attrs["data-person"] for client in (ana, nobody, waldo)]

    assert (3, "") == (len(set(marks)), marks[1])
    assert str(owner.pk) != marks[0]


def test_pages_of_a_running_game_have_the_numbers_for_an_offline_phone(ana, game, table, owner):
    other = start(table, owner)
    for name in ("sheet", "play-round"):
        waiting = read_page(ana.get(reverse(name, args=[other.code]))).only(id="waiting")
        assert reverse("queued", args=[other.code]) == waiting.attrs["data-address"]
        assert '"after":1' in waiting.attrs["data-numbers"]
        assert '"ana":"Ana"' in waiting.attrs["data-names"]


def test_a_correction_cannot_be_queued(ana, game, write):
    write(game, a_round("ana", beto=10, caro=5, dani=6))

    assert [] == read_page(ana.get(reverse("correct", args=[game.code, 2]))).every(id="waiting")
