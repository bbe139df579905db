"""The form of a payment over the accounts: initial values, repeated taps, and a question before overpaying."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.models import Payment
from tests.factories import load_balances, new_key
from tests.reader import Walker, fields, read_page

pytestmark = pytest.mark.django_db


def address(table):
    return reverse("pay", args=[table.code])


PAYMENT = {"payer": "beto", "payee": "ana", "amount": "150", "method": "cash", "note": ""}


def post(client, table, **changes):
    return client.post(address(table), fields(**{**PAYMENT, "key": new_key(), **changes}))


def field_value(page, field):
    form, _button = page.form_with("Record the payment")
    return form.fields.get(field, "")


def accounts_address(table):
    return reverse("accounts", args=[table.code])


def test_the_row_of_a_debt_leads_to_a_form_filled_in_with_it_which_records_another_amount(
    ana, table, finished
):
    walker = Walker(ana)
    walker.open(accounts_address(table))
    walker.follow("Different amount")
    assert ("beto", "ana", "200", "cash") == tuple(
        field_value(walker.page, field) for field in ("payer", "payee", "amount", "method")
    )
    assert "popover" not in walker.page.only("div", id="pay").attrs
    walker.press("Record the payment", amount="150", method="transfer", note="por la pizza")

    payment = Payment.objects.get()
    assert ("beto", "ana", 150, "transfer", "por la pizza", "ana") == (
        payment.payer.slug, payment.payee.slug, payment.amount, payment.method, payment.note,
        payment.recorded_by.username,
    )  # fmt: skip
    assert ["Recorded: Beto → Ana, $150, transfer"] == walker.page.notices


def test_the_same_key_records_once_and_another_payment_under_it_gets_409(ana, table, finished):
    first, again = (post(ana, table, key="tap") for _tap in range(2))
    page = read_page(other := post(ana, table, key="tap", amount="151"))

    assert (302, 302, 409, 1) == (
        first.status_code, again.status_code, other.status_code, Payment.objects.count(),
    )  # fmt: skip
    assert ["This form already recorded another payment. Check the payments."] == page.alerts
    assert "151" == field_value(page, "amount")


def test_a_payment_is_dated_back_to_a_night(ana, table, play):
    night = play("ana", "beto", days=7).started_at
    post(ana, table, amount="50", day=f"{night:%Y-%m-%d}")
    payment = Payment.objects.get()

    assert f"{night:%Y-%m-%d}" == str(payment.paid_on)
    assert payment.made_at < payment.recorded_at


# --- more than is owed ------------------------------------------------------------------------------------------------


def test_the_question_is_answered_once_and_then_the_payment_counts(ana, table, finished):
    walker = Walker(ana)
    walker.open(accounts_address(table))
    walker.press("Record the payment", payer="caro", payee="beto", amount="30")
    assert "Caro owes Beto nothing. Was $30 really paid?" == walker.page.only(id="asked").only("p").text
    assert accounts_address(table) == walker.page.link("No")
    walker.press("Yes, Caro paid Beto $30")

    assert ["Recorded: Caro → Beto, $30, cash"] == walker.page.notices
    assert -70 == load_balances(table)["caro"]


def test_the_answer_for_one_payment_does_not_count_for_another(ana, table, finished):
    page = read_page(post(ana, table, amount="500"))
    form, button = page.form_with("Yes, Beto paid Ana $500")
    yes = {**form.fields, button.attrs["name"]: button.attrs["value"]}
    response = ana.post(address(table), {**yes, "amount": "5000"})

    assert "Was $5,000 really paid?" in read_page(response).only(id="asked").text
    assert 0 == Payment.objects.count()
