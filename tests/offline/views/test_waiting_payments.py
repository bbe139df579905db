"""Queued payments and settlements that are sent late: recorded once, or refused with a sentence."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils.timezone import now

from games.common import days
from games.models import COUNTING, Payment, PaymentState
from games.money.services import accounting, payments
from tests.factories import confirm_as_member, make_user
from tests.queued_entries import build_entry, entry_answers, send_entries

pytestmark = pytest.mark.django_db


@pytest.fixture
def send(ana, table):
    """`send(amount="500")` sends a payment from Beto to Ana from Ana's phone, and returns the answer."""
    paid = {"payer": "beto", "payee": "ana", "amount": "150", "method": "transfer", "note": "por la pizza"}

    def post(**changes):
        (answer,) = entry_answers(
            send_entries(ana, build_entry("payment", table=table.code, **{**paid, **changes}))
        )
        return answer

    return post


@pytest.fixture
def build_tick(table, finished):
    """`build_tick()` returns the entry that settles Beto's debt of 200 to Ana, as a page shows it now."""

    def entry(**changes):
        debt = next(debt for debt in accounting.load_accounts(table).debts if debt.payer.slug == "beto")
        seen = {"payer": "beto", "payee": "ana", "version": debt.version, "claims": debt.claims, "page": "/"}
        return build_entry("tick", table=table.code, **{**seen, **changes})

    return entry


def answer_to(phone, entry):
    (answer,) = entry_answers(send_entries(phone, entry))
    return answer


def recorded_payments():
    return [
        (paid.payer.slug, paid.payee.slug, paid.amount, paid.method, paid.note)
        for paid in Payment.objects.order_by("pk")
    ]


PAID = ("beto", "ana", 150, "transfer", "por la pizza")
TICK = ("beto", "ana", 200, "cash", "")


# --- payments ---------------------------------------------------------------------------------------------------------


def test_a_queued_payment_is_recorded_once_under_its_idempotency_key(send, finished):
    assert ["done", "done"] == [send(key="mine")["status"] for _ in range(2)]
    assert [PAID] == recorded_payments()


def test_what_waited_is_of_the_night_on_which_it_was_entered(ana, table, build_tick, time_machine):
    entry_time = now()
    payment = build_entry("payment", table=table.code, payer="caro", payee="ana", amount="50", method="cash")
    entries = [{**entry, "at": entry_time.isoformat()} for entry in (payment, build_tick())]
    time_machine.move_to(entry_time + timedelta(days=2))
    for entry in entries:
        answer_to(ana, entry)
        made = Payment.objects.latest("pk")
        assert (entry_time, days.night_for(entry_time, table)) == (made.made_at, table.entries.last().night)


def test_a_queued_payment_of_more_than_is_owed_comes_back_with_the_question(send, finished):
    answer = send(amount="5000")

    sentence = "Beto owes Ana $200. Was $5,000 really paid?"
    assert ("refused", [sentence], "beto ana 5000") == (
        answer["status"],
        answer["sentences"],
        answer["sure"],
    )
    assert [] == recorded_payments()
    assert "refused" == send(amount="6000", sure=answer["sure"])["status"]
    assert "done" == send(amount="5000", sure=answer["sure"])["status"]
    assert [5000] == [paid[2] for paid in recorded_payments()]


def test_a_queued_payment_that_was_taken_back_is_refused_until_it_has_a_new_key(send, finished, owner):
    send(key="mine")
    payments.void(Payment.objects.get(), by=owner)
    answer = send(key="mine")

    sentences = ["This payment was recorded and then voided. If it was paid, record it again."]
    assert {"status": "refused", "sentences": sentences, "meanwhile": [], "used": True} == answer
    assert "done" == send(key="mine+")["status"]
    assert 1 == Payment.objects.filter(COUNTING).count()


def test_an_invalid_queued_payment_is_refused_with_the_sentence_of_its_form(send):
    answer = send(payee="beto")

    sentence = "Payer and payee are the same: choose two people."
    assert ("refused", [sentence], []) == (answer["status"], answer["sentences"], recorded_payments())


# --- ticks ------------------------------------------------------------------------------------------------------------


def test_a_queued_tick_is_recorded_once_whoever_sends_it(ana, build_tick):
    entries = [build_tick(), build_tick()]

    assert [{"status": "done"}] * 3 == [answer_to(ana, entry) for entry in (*entries, entries[0])]
    assert [TICK] == recorded_payments()


@pytest.mark.parametrize(
    ("paid", "sentence"),
    [(200, "Beto owes Ana nothing."), (120, "Beto owes Ana $80."), (500, "Ana owes Beto $300.")],
)
def test_a_queued_tick_of_a_debt_that_has_changed_is_refused_with_what_is_owed_now(
    ana, build_tick, pay, paid, sentence
):
    entry = build_tick()
    pay("beto", "ana", paid)
    answer = answer_to(ana, entry)

    assert ("refused", ["Not recorded: this debt has changed in the meantime.", sentence]) == (
        answer["status"],
        answer["sentences"],
    )
    assert [paid] == [payment[2] for payment in recorded_payments()]


def test_a_queued_tick_that_was_taken_back_meanwhile_is_not_recorded_again(ana, build_tick, owner):
    entry = build_tick()
    answer_to(ana, entry)
    payments.void(Payment.objects.get(), by=owner)

    assert "refused" == answer_to(ana, entry)["status"]
    assert not Payment.objects.filter(COUNTING).exists()


def test_a_queued_tick_that_would_confirm_a_claim_of_more_than_is_owed_comes_back_with_the_question(
    ana, owner, members_by_slug, pay, build_tick
):
    confirm_as_member(owner, members_by_slug["ana"])
    beto = confirm_as_member(make_user("user_of_beto"), members_by_slug["beto"])
    pay("beto", "ana", 500, by=beto.user)
    answer = answer_to(ana, build_tick())

    assert ("refused", "beto ana 500") == (answer["status"], answer["sure"])
    assert "done" == answer_to(ana, build_tick(sure=answer["sure"]))["status"]
    assert PaymentState.COUNTS == Payment.objects.get().state


@pytest.mark.parametrize("changes", [{"payer": "nobody"}, {"payee": ""}, {"payee": "beto"}, {"version": "x"}])
def test_an_invalid_queued_tick_is_refused_with_a_sentence(ana, build_tick, changes):
    answer = answer_to(ana, build_tick(**changes))

    assert "refused" == answer["status"]
    assert all(answer["sentences"])
    assert answer["sentences"]
    assert [] == recorded_payments()


def test_a_queued_tick_of_someone_who_only_watches_is_refused(waldo, build_tick):
    answer = answer_to(waldo, build_tick())

    assert ("refused", ["You can watch this table, but not record"]) == (
        answer["status"],
        answer["sentences"],
    )
    assert [] == recorded_payments()
