"""The page to amend a payment: the earlier version stays readable, and one tap restores it."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.models import Payment
from games.money.balances import balances_of
from tests.reader import Walker, read_page

pytestmark = pytest.mark.django_db


@pytest.fixture
def payment(finished, pay, claims, owner):
    claims(owner, "dani")
    return pay("beto", "ana", 200, note="por la pizza")


def address(payment, name="amend-payment"):
    return reverse(name, args=[payment.table.code, payment.pk])


def test_an_amended_payment_shows_its_previous_version_and_undo_restores_it(ana, table, payment):
    walker = Walker(ana)
    walker.open(address(payment, "payment"))
    walker.follow("Correct it")
    walker.press("Save this version", amount="150", method="transfer", note="", text="contamos mal")

    text = walker.page.only("main").text
    for part in ("$ 150", "Amended : contamos mal", "previously: $ 200, cash, por la pizza, by Dani"):
        assert part in text
    assert ["Amended. The earlier version stays visible."] == walker.page.notices
    assert -50 == balances_of(table)["beto"]
    walker.press("Undo")

    assert (200, "cash", "por la pizza") == Payment.objects.values_list("amount", "method", "note").get()
    assert 0 == balances_of(table)["beto"]
    assert "previously: $ 150, transfer, by Dani" in walker.page.only("main").text


def test_an_invalid_amendment_is_refused_beside_its_field_and_keeps_the_typed_values(ana, payment):
    sent = {
        "after": "0",
        "amount": "nada",
        "method": "cash",
        "note": "x",
        "day": "2020-01-01",
        "text": "porque",
    }
    page = read_page(response := ana.post(address(payment), sent))
    assert 422 == response.status_code
    assert ("nada", "x", "2020-01-01", "porque") == tuple(
        page.only("input", name=name).attrs["value"] for name in ("amount", "note", "day", "text")
    )
    page = read_page(ana.post(address(payment), {**sent, "amount": "100"}))

    assert "That day is before this table was opened." in page.only("span", id="day-error").text
    assert 200 == Payment.objects.get().amount


def test_the_second_of_two_concurrent_amendments_gets_409(ana, payment):
    first, second = (
        {"after": "0", "amount": amount, "method": "cash", "note": ""} for amount in ("90", "80")
    )
    assert 302 == ana.post(address(payment), first).status_code
    response = ana.post(address(payment), second)

    assert 409 == response.status_code
    assert "80" == read_page(response).only("input", name="amount").attrs["value"]
    assert 90 == Payment.objects.get().amount


def test_an_amendment_of_a_payment_ticked_off_in_a_game_cannot_change_its_date(ana, payment, finished):
    Payment.objects.update(game=finished)
    page = read_page(ana.get(address(payment)))
    assert [] == page.every("input", name="day")
    sent = {"after": "0", "amount": "90", "method": "cash", "day": "2020-01-01"}

    assert 302 == ana.post(address(payment), sent).status_code
    assert payment.made_at == Payment.objects.get().made_at
