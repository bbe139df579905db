"""Queued entries: recorded as if posted from their page, or refused with a reason."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.urls import reverse

from games.models import Record
from games.play.presenters import offline_numbers
from games.play.services import recording
from games.scoring.events import Corrected, PlayerReentered, PlayerStayedOut, Struck
from tests.factories import build_round, confirm_as_member, make_user, start
from tests.queued_entries import build_entry, entry_answers, send_entries
from tests.reader import read_page

pytestmark = pytest.mark.django_db


@pytest.fixture
def send(ana, game):
    """`send(hand_beto=9)` sends a round closed by Ana from Ana's phone, and returns the answer."""

    def post(of=game, form="round", **changes):
        hands = {"closer": "ana", "closing": "out", "hand_ana": "", "hand_beto": "9", "hand_caro": "[K 7]"}
        seen = {"after": len(of.log())}
        fields = {**seen, **hands, "hand_dani": "12", **changes}
        (answer,) = entry_answers(send_entries(ana, build_entry(form, game=of.code, **fields)))
        return answer

    return post


@pytest.fixture
def answer(ana, game):
    """`answer("stay_out")` sends Beto's answer to a re-entry, by default after the first round."""

    def post(chosen, after=2):
        entry = build_entry("reentry", game=game.code, after=after, player="beto", answer=chosen)
        (answered,) = entry_answers(send_entries(ana, entry))
        return answered

    return post


@pytest.fixture
def bust(game, write):
    """A game in which Beto is bust after round 1."""
    write(game, build_round("ana", beto=101, caro=50, dani=60))
    return game


def test_a_queued_round_is_recorded_and_the_response_has_the_present_numbers(send, game):
    answered = send()

    assert "done" == answered["status"]
    assert [0, 9, 17, 12] == [player.total for player in game.state().players]
    assert offline_numbers.build(game.state(), 2) == answered["numbers"]


@pytest.mark.parametrize(
    ("chosen", "other", "event"),
    [
        ("reenter", "stay_out", PlayerReentered("beto")),
        ("stay_out", "reenter", PlayerStayedOut("beto")),
    ],
)
def test_a_queued_re_entry_answer_is_recorded_once_and_another_one_refused(
    answer, bust, chosen, other, event
):
    assert ["done", "done", "refused"] == [answer(choice)["status"] for choice in (chosen, chosen, other)]
    assert (event, 3) == (bust.log()[-1], bust.records.count())


def test_a_queued_round_sent_again_is_recorded_once_even_after_later_rounds(send, game, write):
    assert "done" == send(key="mine", after=1)["status"]
    write(game, build_round("beto", ana=3, caro=3, dani=3))
    again = send(key="mine", after=1)

    assert ("done", 3) == (again["status"], again["numbers"]["after"])
    assert 3 == game.records.count()


def test_a_queued_round_is_refused_with_what_others_recorded_meanwhile(send, game, write):
    write(game, build_round("beto", ana=3, caro=3, dani=3))
    answered = send(after=1)

    assert ("refused", False) == (answered["status"], answered["used"])
    assert (["Recorded in the meantime:"], ["Round 1: Beto went out"]) == (
        answered["sentences"],
        answered["meanwhile"],
    )
    assert 2 == answered["numbers"]["after"]
    assert 2 == game.records.count()


def test_a_queued_round_that_another_phone_recorded_counts_as_recorded(send, game):
    send(after=1, hand_caro="[7 K]")
    answered = send(key="mine", after=1)  # the same cards, typed in another order

    assert ("done", 2) == (answered["status"], answered["numbers"]["after"])
    assert 2 == game.records.count()


def test_a_queued_round_that_differs_from_the_recorded_one_is_refused(send, game, subtests):
    send(after=1)
    for changes in (
        {"hand_beto": "10"},
        {"hand_caro": "17"},
        {"hand_caro": "[K 7]+1"},
        {"hand_caro": "[]"},
        {"closing": "in_one_go"},
        {"closer": "nobody", "hand_ana": "0"},
        {"hand_beto": ""},
    ):
        with subtests.test(changes=changes):
            assert ("refused", 2) == (send(after=1, **changes)["status"], game.records.count())


def test_a_queued_round_equal_to_one_in_another_place_is_refused(send, game, write):
    write(game, build_round("beto", ana=3, caro=3, dani=3))
    send(after=2)

    assert ("refused", 3) == (send(after=1)["status"], game.records.count())


def test_a_queued_round_is_compared_with_the_corrected_round_and_not_with_a_struck_one(send, game, write):
    send(after=1)
    write(game, Corrected(2, build_round("ana", beto=10, caro=17, dani=12)))
    assert "refused" == send(after=1)["status"]
    assert "done" == send(after=1, hand_beto="10", hand_caro="17")["status"]  # equal to the corrected round
    write(game, Struck(2))
    assert "refused" == send(after=1, hand_beto="10", hand_caro="17")["status"]
    assert 4 == game.records.count()


def test_a_queued_round_is_refused_by_the_rules_with_the_reason(subtests, send, game):
    for changes, sentence in [
        ({"hand_beto": ""}, "Beto's hand is missing."),
        ({"closer": ""}, "Choose who went out."),
        ({"hand_dani": "[K K K K K K K K K]"}, "The pack has only 8 × K"),
    ]:
        with subtests.test(changes=changes):
            answered = send(**changes)

            assert "refused" == answered["status"]
            assert sentence in " ".join(answered["sentences"])
            assert 1 == game.records.count()


def test_a_queued_round_with_the_key_of_another_round_is_refused_with_what_was_recorded(send, game):
    send(key="mine", after=1)
    answered = send(key="mine", after=1, hand_beto="10")

    assert ("refused", True, 2) == (answered["status"], answered["used"], game.records.count())
    assert ["This form already recorded another entry. Check the sheet."] == answered["sentences"]
    assert ["Round 1: Ana went out"] == answered["meanwhile"]


def test_a_queued_round_with_the_key_that_began_its_game_is_refused(send, game):
    answered = send(key=game.key, after=1)

    assert ("refused", 1) == (answered["status"], game.records.count())
    assert ["This form already recorded another entry. Check the sheet."] == answered["sentences"]


def test_a_late_entry_is_refused_with_the_reason_if_its_game_does_not_wait_for_it(
    send, answer, game, finished
):
    records = Record.objects.count()
    after_end, early = send(of=finished), answer("reenter", after=1)
    recording.discard_game(game)

    assert [
        ["The game is over."],
        ["Beto has no re-entry to decide on."],
        ["This game was deleted. Restore it first."],
    ] == [result["sentences"] for result in (after_end, early, send())]
    assert records == Record.objects.count()


def test_the_question_to_a_bust_player_isolates_a_name_with_right_to_left_letters(answer, bust, table):
    table.members.filter(slug="beto").update(name="ليلى")

    assert ["Is \u2068ليلى\u2069 coming back?"] == answer("maybe")["sentences"]


def test_later_entries_of_the_game_wait_behind_a_refused_one_and_others_are_recorded(ana, game, table, owner):
    other = start(table, owner)
    hands = {"closer": "ana", "closing": "out", "hand_beto": "1", "hand_caro": "1", "hand_dani": "1"}
    paid: dict[str, Any] = {
        "payer": "beto", "payee": "ana", "amount": "5", "method": "cash", "sure": "beto ana 5"
    }  # fmt: skip
    answers = entry_answers(
        send_entries(
            ana,
            build_entry("round", game=game.code, after=1, **{**hands, "hand_beto": ""}),
            build_entry("round", game=game.code, after=2, **hands),
            build_entry("round", game=other.code, after=1, **hands),
            build_entry("payment", table=table.code, **paid),
        )
    )

    assert ["refused", "waits", "done", "done"] == [outcome["status"] for outcome in answers]
    assert (1, 2) == (game.records.count(), other.records.count())


@pytest.mark.parametrize(
    "changes",
    [{"form": "correction"}, {"fields": []}, {"after": "1"}, {"at": "soon"}, {"key": ""}, {"kind": "x"}],
)
def test_an_unreadable_entry_is_refused_and_the_others_are_recorded(ana, game, table, owner, changes):
    other = start(table, owner)
    hands = {"closer": "ana", "closing": "out", "hand_beto": "1", "hand_caro": "1", "hand_dani": "1"}
    entry = {**build_entry("round", game=game.code, after=1, **hands), **changes}
    answers = entry_answers(send_entries(ana, entry, build_entry("round", game=other.code, after=1, **hands)))

    assert ["refused", "done"] == [outcome["status"] for outcome in answers]
    assert all(answers[0]["sentences"])


def test_a_part_of_another_type_is_refused_without_a_traceback(ana, game, caplog):
    good = build_entry("round", game=game.code, after=1, closer="ana", hand_beto=5, hand_caro=6, hand_dani=7)
    types: list[object] = [{}, [], [[]], {"a": {}}, None, 1.5, True]
    wrong = [{**good, name: value} for name in good for value in types]
    for bad in (*wrong, *({**good, "fields": {"closer": value}} for value in types)):
        assert ["refused"] == [outcome["status"] for outcome in entry_answers(send_entries(ana, bad))], bad
    assert "" == caplog.text


@pytest.mark.parametrize("body", ["", "[]", '{"person": ""}', '{"person": "", "entries": {}}'])
def test_a_body_that_is_no_list_of_entries_gets_422_and_no_post_405(ana, body):
    assert 422 == ana.post(reverse("waiting"), body, content_type="application/json").status_code
    assert [405, 405] == [ask(reverse("waiting")).status_code for ask in (ana.get, ana.put)]


def test_an_entry_queued_by_one_user_is_refused_from_another_and_from_nobody(
    ana, nobody, client_for, game, table
):
    other, entry = make_user("otto"), build_entry("round", game=game.code)
    table.accesses.create(user=other, role="scorer")
    mark = ana.get("/token/").json()["person"]

    assert 403 == send_entries(client_for(other), entry, person=mark).status_code
    assert 403 == send_entries(nobody, entry).status_code
    assert 1 == Record.objects.count()


@pytest.mark.parametrize(
    ("role", "sentence"),
    [
        ("", "This phone can no longer open this game."),
        ("witness", "You can watch this table, but not record"),
    ],
)
def test_a_queued_round_of_a_user_who_lost_access_is_refused_with_a_reason(
    send, game, table, owner, role, sentence
):
    accesses = table.accesses.filter(user=owner)
    accesses.update(role=role) if role else accesses.delete()

    assert [sentence] == send()["sentences"]
    assert 1 == game.records.count()


def test_the_mark_of_a_user_is_unique_opaque_and_that_of_the_token(ana, nobody, waldo, owner):
    clients = (ana, nobody, waldo)
    marks = [read_page(client.get("/")).only("main").attrs["data-person"] for client in clients]

    assert (3, "") == (len(set(marks)), marks[1])
    assert str(owner.pk) != marks[0]
    assert marks == [client.get("/token/").json()["person"] for client in clients]


def test_the_token_comes_with_the_release_in_case_a_proxy_removes_the_header(nobody, settings):
    assert settings.RELEASE == nobody.get("/token/").json()["release"]


def test_the_page_for_a_network_that_asks_for_something_leads_to_the_first_page(nobody):
    response = nobody.get("/network/")

    assert (302, "/", "private, no-store") == (
        response.status_code,
        response["Location"],
        response["Cache-Control"],
    )


def test_a_queued_entry_with_a_fresh_csrf_token_is_accepted(client_for, owner, game):
    phone = client_for(owner, enforce_csrf_checks=True)
    known = phone.get("/token/").json()
    hands = {"closer": "ana", "closing": "out", "hand_beto": "1", "hand_caro": "1", "hand_dani": "1"}
    body = {"person": known["person"], "entries": [build_entry("round", game=game.code, after=1, **hands)]}
    headers = {"X-CSRFToken": known["token"]}
    response = phone.post(reverse("waiting"), json.dumps(body), "application/json", headers=headers)

    assert ["done"] == [outcome["status"] for outcome in entry_answers(response)]


# --- own hands --------------------------------------------------------------------------------------------------------


@pytest.fixture
def beto(table, client_for):
    """The phone of Beto, a viewer."""
    user = make_user("phone-beto")
    confirm_as_member(user, table.members.get(slug="beto"))
    return client_for(user)


def hand_entry(game, after=1, **fields):
    return build_entry("hand", game=game.code, after=after, **{"hand_beto": "K 9", **fields})


def test_a_queued_own_hand_is_sent_to_the_scorer_once_and_a_later_one_takes_its_place(beto, game):
    answers = entry_answers(send_entries(beto, hand_entry(game), hand_entry(game, hand_beto="K 9 4")))
    assert ["done", "done"] == [answer["status"] for answer in answers]
    assert [("beto", "K 9 4")] == [(offer.player, offer.hand) for offer in game.offers.all()]


def test_a_queued_own_hand_whose_round_is_over_or_which_is_invalid_is_refused_with_the_reason(
    beto, waldo, game, write
):
    (invalid,) = entry_answers(send_entries(beto, hand_entry(game, hand_beto="Z")))
    (stranger,) = entry_answers(send_entries(waldo, hand_entry(game)))
    write(game, build_round("ana", beto=5, caro=6, dani=7))
    (late,) = entry_answers(send_entries(beto, hand_entry(game)))
    assert ["refused"] * 3 == [answer["status"] for answer in (invalid, stranger, late)]
    assert ["That round is over: this hand was not counted."] == late["sentences"]
    assert all(answer["sentences"] for answer in (invalid, stranger))
    assert not game.offers.exists()
