"""Noting a payment: what the form asks, what it keeps, and that it counts once."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.accounts import balances_of
from games.models import Payment
from tests.pages.reader import Walker, fields, read_page
from tests.tables import a_key, make_table

pytestmark = pytest.mark.django_db

PAYMENT = {"payer": "beto", "payee": "ana", "amount": "150", "method": "cash", "note": ""}


def address(table):
    return reverse("pay", args=[table.code])


def post(client, table, **changed):
    return client.post(address(table), fields(**{**PAYMENT, "key": a_key(), **changed}))


def test_a_payment_is_noted_from_the_accounts(ana, table, finished):
    walker = Walker(ana)
    walker.open(reverse("accounts", args=[table.code]))
    walker.follow("Record a payment")
    walker.press("Record it", payer="beto", payee="ana", amount="150", method="transfer", note="por la pizza")

    payment = Payment.objects.get()
    assert ("beto", "ana", 150, "transfer", "por la pizza", "ana") == (
        payment.payer.slug,
        payment.payee.slug,
        payment.amount,
        payment.method,
        payment.note,
        payment.recorded_by.username,
    )
    assert ["Recorded: Beto → Ana, $ 150"] == walker.page.notices
    assert -50 == balances_of(table)["beto"]


def test_the_same_form_sent_twice_is_noted_once(ana, table, finished):
    first, second = (post(ana, table, key="tap") for _ in range(2))

    assert first.url == second.url
    assert 1 == Payment.objects.count()


def test_another_payment_under_the_same_key_is_refused_and_what_was_typed_stays(ana, table, finished):
    post(ana, table, key="tap")
    response = post(ana, table, key="tap", amount="151")
    page = read_page(response)

    assert 409 == response.status_code
    assert ["This was recorded already, with something else. Look at the payments."] == page.alerts
    assert "151" == page.typed("amount")
    assert 1 == Payment.objects.count()


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        ("payer", "", "Say who paid."),
        ("payer", "nobody", "Say who paid."),
        ("payee", "", "Say who was paid."),
        ("payee", "beto", "Nobody pays themselves: choose two people."),
        ("amount", "", "Write how much was paid, such as $ 1,500."),
        ("amount", "0", "Write how much was paid, such as $ 1,500."),
        ("amount", "-5", "Write how much was paid, such as $ 1,500."),
        ("amount", "150.50", "Write how much was paid, such as $ 1,500."),
        ("amount", "9" * 16, "A payment is more than nothing, and $ 999,999,999,999,999 at most."),
        ("method", "cheque", "Say how it was paid."),
        ("note", "x" * 201, "At most 200 letters fit here."),
    ],
)
def test_what_makes_no_sense_is_said_where_it_stands_and_the_rest_is_kept(ana, table, field, value, sentence):
    response = post(ana, table, **{field: value})
    page = read_page(response)

    assert 422 == response.status_code
    assert sentence == page.said_at(field)
    for kept in {"payer", "payee", "amount", "note"} - {field}:
        assert PAYMENT[kept] == page.typed(kept)
    assert 0 == Payment.objects.count()


def test_everything_missing_is_said_at_once(ana, table):
    page = read_page(ana.post(address(table), {"key": a_key()}))

    assert all(page.said_at(field) for field in ("payer", "payee", "amount", "method"))


@pytest.mark.parametrize(("typed", "amount"), [("1.500", 150000), ("10,50", 1050), ("7", 700)])
def test_a_table_with_cents_reads_them(phone_of, owner, typed, amount):
    table = make_table(owner, name="Con centavos")
    type(table).objects.filter(pk=table.pk).update(decimals=2)
    post(phone_of(owner, language="es-AR"), table, amount=typed)

    assert amount == Payment.objects.get().amount


def test_an_address_fills_in_the_form_and_writes_nothing(ana, table):
    page = read_page(ana.get(f"{address(table)}?payer=beto&payee=ana&amount=200&method=transfer&key=x"))

    assert ("beto", "ana", "200", "transfer") == tuple(
        page.typed(field) for field in ("payer", "payee", "amount", "method")
    )
    assert "x" != page.typed("key")
    assert 0 == Payment.objects.count()
