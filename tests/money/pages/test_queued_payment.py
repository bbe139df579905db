"""A payment that a phone queued and sends late: recorded once, as entered, without asking for confirmation."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.models import Payment
from games.money.payments import cancel
from tests.reader import read_page
from tests.tables import a_key

pytestmark = pytest.mark.django_db


@pytest.fixture
def send(ana, table):
    """`send(amount="500")` sends a payment from Beto to Ana, as Ana's phone does."""
    mark = read_page(ana.get("/")).only("main").attrs["data-person"]
    paid = {"payer": "beto", "payee": "ana", "amount": "150", "method": "transfer", "note": "por la pizza"}

    def post(client=ana, **changes):
        where = reverse("queued-payment", args=[table.code])
        return client.post(where, {"after": "0", "person": mark, **paid, "key": a_key(), **changes})

    return post


def recorded():
    return [
        (paid.payer.slug, paid.payee.slug, paid.amount, paid.method, paid.note)
        for paid in Payment.objects.order_by("pk")
    ]


PAID = ("beto", "ana", 150, "transfer", "por la pizza")


def test_a_queued_payment_is_recorded_once_under_its_idempotency_key(send):
    answers = [send(key="mine") for _ in range(2)]

    assert [(200, {"key": "mine"})] * 2 == [(answer.status_code, answer.json()) for answer in answers]
    assert [PAID] == recorded()


def test_queued_payments_that_are_equal_or_above_every_debt_need_no_confirmation(send):
    assert [200] * 3 == [send(amount=amount).status_code for amount in ("150", "150", "99999")]
    assert [150, 150, 99999] == [paid[2] for paid in recorded()]


def test_a_line_of_the_plan_ticked_by_two_phones_is_paid_once(send, finished):
    answers = [send(amount="200", game=finished.code, key=key) for key in ("theirs", "mine", "mine")]

    assert ["theirs", "mine", "mine"] == [answer.json()["key"] for answer in answers]
    assert [200] == [paid[2] for paid in recorded()]


def test_a_line_of_the_plan_is_ticked_again_after_a_cancellation_or_a_new_debt(send, finished, owner, play):
    send(amount="200", game=finished.code)
    cancel(Payment.objects.get(), by=owner)
    send(amount="200", game=finished.code)
    assert 1 == Payment.objects.counting().count()

    for _ in range(2):
        play("ana", "beto")
    send(amount="200", game=finished.code)
    assert 2 == Payment.objects.counting().count()


def test_a_payment_made_before_a_game_does_not_cover_a_tick_at_that_game(send, finished, play):
    send(amount="200")
    later = play("ana", "beto")
    send(amount="200", game=later.code)

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
    response = send(**changes)

    assert (422, [sentence]) == (response.status_code, response.json()["sentences"])
    assert [] == recorded()


@pytest.mark.parametrize(
    ("role", "status", "sentence"),
    [
        ("", 404, "This phone no longer has access to this table."),
        ("witness", 403, "You can watch this table, but not record"),
    ],
)
def test_a_queued_payment_of_a_user_who_lost_the_permission_is_refused_with_a_sentence(
    send, table, owner, role, status, sentence
):
    grants = table.grants.filter(user=owner)
    grants.update(role=role) if role else grants.delete()
    response = send()

    assert (status, {"sentences": [sentence]}) == (response.status_code, response.json())
    assert [] == recorded()
