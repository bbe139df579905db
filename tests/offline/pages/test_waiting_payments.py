"""A payment that waited on a phone and is sent late: recorded once, as entered, without asking for confirmation."""

from __future__ import annotations

import pytest

from games.models import Payment
from games.money.payments import take_back
from tests.waiting import an_entry, answers_of, sent

pytestmark = pytest.mark.django_db


@pytest.fixture
def send(ana, table):
    """`send(amount="500")` sends a payment from Beto to Ana, as Ana's phone does, and returns the answer."""
    paid = {"payer": "beto", "payee": "ana", "amount": "150", "method": "transfer", "note": "por la pizza"}

    def post(**changes):
        (answer,) = answers_of(sent(ana, an_entry("payment", table=table.code, **{**paid, **changes})))
        return answer

    return post


@pytest.fixture
def send_for(ana, table):
    """`send_for(game)` sends a payment of 200 from Beto to Ana, ticked at the result of this game."""

    def post(game, key=""):
        entry = an_entry("payment", table=table.code, key=key)
        entry["fields"] = {
            "payer": "beto",
            "payee": "ana",
            "amount": "200",
            "method": "cash",
            "game": game.code,
        }
        (answer,) = answers_of(sent(ana, entry))
        return answer

    return post


def recorded():
    return [
        (paid.payer.slug, paid.payee.slug, paid.amount, paid.method, paid.note)
        for paid in Payment.objects.order_by("pk")
    ]


PAID = ("beto", "ana", 150, "transfer", "por la pizza")


def test_a_queued_payment_is_recorded_once_under_its_idempotency_key(send):
    assert ["done", "done"] == [send(key="mine")["status"] for _ in range(2)]
    assert [PAID] == recorded()


def test_queued_payments_that_are_equal_or_above_every_debt_need_no_confirmation(send):
    assert ["done"] * 3 == [send(amount=amount)["status"] for amount in ("150", "150", "99999")]
    assert [150, 150, 99999] == [paid[2] for paid in recorded()]


def test_a_line_of_the_plan_ticked_by_two_phones_is_paid_once(send_for, finished):
    answers = [send_for(finished, key=key) for key in ("theirs", "mine", "mine")]

    assert ["done"] * 3 == [answer["status"] for answer in answers]
    assert [200] == [paid[2] for paid in recorded()]


def test_a_line_of_the_plan_is_ticked_again_after_a_cancellation_or_a_new_debt(
    send_for, finished, owner, play
):
    send_for(finished)
    take_back(Payment.objects.get(), by=owner)
    send_for(finished)
    assert 1 == Payment.objects.counting().count()

    for _ in range(2):
        play("ana", "beto")
    send_for(finished)
    assert 2 == Payment.objects.counting().count()


def test_a_payment_made_before_a_game_does_not_cover_a_tick_at_that_game(send, send_for, finished, play):
    send(amount="200")
    later = play("ana", "beto")
    send_for(later)

    assert [200, 200] == [paid[2] for paid in recorded()]


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"payer": ""}, "Choose who paid."),
        ({"payee": "beto"}, "Payer and payee are the same: choose two people."),
        ({"method": "cheque"}, "Choose how it was paid."),
        ({"amount": "much"}, "Enter the amount paid, such as $\N{NO-BREAK SPACE}1,500."),
    ],
)
def test_an_invalid_queued_payment_is_refused_with_the_sentence_of_its_form(send, changes, sentence):
    answer = send(**changes)

    assert ("refused", [sentence]) == (answer["status"], answer["sentences"])
    assert [] == recorded()


@pytest.mark.parametrize(
    ("role", "sentence"),
    [
        ("", "This phone no longer has access to this table."),
        ("witness", "You can watch this table, but not record"),
    ],
)
def test_a_queued_payment_of_a_user_who_lost_the_permission_is_refused_with_a_sentence(
    send, table, owner, role, sentence
):
    grants = table.grants.filter(user=owner)
    grants.update(role=role) if role else grants.delete()
    answer = send()

    assert ("refused", [sentence]) == (answer["status"], answer["sentences"])
    assert [] == recorded()
