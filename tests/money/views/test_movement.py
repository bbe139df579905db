"""The page of a movement, a payment or an expense: confirming, disputing and voiding."""

from __future__ import annotations

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.urls import reverse

from games.models import Method
from games.money.services import payments
from tests.factories import load_balances, new_key
from tests.reader import Walker, open_page

pytestmark = pytest.mark.django_db


@pytest.fixture
def payment(finished, pay):
    return pay("beto", "ana", 200, note="por la pizza")


def address(payment, name="payment"):
    return reverse(name, args=[payment.table.code, payment.pk])


def payment_page(client, payment):
    return open_page(client, address(payment))


def facts(page):
    """Return the actions on a payment, with their time and user."""
    return {row.only("dt").text: row.only("dd").text for row in page.only("dl").every("div")}


def buttons(page):
    return [button.text for button in page.every("button")]


def test_a_payment_shows_payer_payee_amount_method_note_and_who_recorded_it(
    ana, payment, confirm_as, owner, pay
):
    confirm_as(owner, "beto")
    text = payment_page(ana, payment).only("main").text
    forgiven = pay("caro", "ana", 100, method=Method.FORGIVEN)
    titles = [payment_page(ana, each).only("h1").text.split()[0] for each in (payment, forgiven)]

    assert ["Payment", "Forgiven"] == titles
    for part in ("Beto", "Ana", "$200", "cash", "por la pizza", "Recorded by Beto", "recorded by the payer"):
        assert part in text


@pytest.mark.usefixtures("in_2026")
def test_a_payment_that_arrived_the_next_morning_shows_when_it_was_recorded(
    ana, finished, owner, members_by_slug, time_machine
):
    paid_at = datetime(2026, 3, 5, 23, 40, tzinfo=ZoneInfo(finished.table.timezone))
    time_machine.move_to(paid_at + timedelta(hours=10))
    payment = payments.create(
        finished.table,
        members_by_slug["beto"],
        members_by_slug["ana"],
        200,
        key=new_key(),
        by=owner,
        at=paid_at,
    )

    assert facts(payment_page(ana, payment))["Recorded"].startswith("Fri 6 Mar, 09:40")


# --- confirming and disputing -----------------------------------------------------------------------------------------


def test_the_payee_disputes_a_payment_and_confirms_it_after_all(ana, client_as, table, payment):
    """Each page offers what its user may do. Olga, the owner, recorded the payment tonight."""
    walker, beto = Walker(client_as("ana")), client_as("beto")
    assert ["It didn't arrive"] == buttons(walker.open(address(payment)))
    assert ["Save", "Void it"] == buttons(payment_page(ana, payment))
    walker.press("It didn't arrive", objection="no llegó nada")
    assert "Ana says it didn't arrive" in walker.page.only("main").text
    assert ["Void it", "I received it"] == buttons(walker.page)
    assert ["Save", "Void it", "Yes, it was paid"] == buttons(payment_page(ana, payment))
    assert ["Void it"] == buttons(payment_page(beto, payment))
    assert facts(walker.page)["Didn't arrive"].endswith(", Ana: no llegó nada")
    assert -200 == load_balances(table)["beto"]
    walker.press("I received it")

    assert "confirmed" in walker.page.only("main").text
    assert facts(walker.page)["Confirmed"].endswith(", Ana")
    assert 0 == load_balances(table)["beto"]


# --- taking back ------------------------------------------------------------------------------------------------------


def test_a_payment_taken_back_stays_listed_and_is_recorded_again_from_a_prefilled_form(
    ana, client_as, table, finished, pay
):
    first = pay("beto", "ana", 150, note="por la pizza", method=Method.TRANSFER)
    walker = Walker(ana)
    walker.open(address(first))
    walker.press("Void it")
    assert "It stays visible but no longer counts." in walker.page.only("main").text
    assert ([], -200) == (buttons(walker.page), load_balances(table)["beto"])
    moves = open_page(ana, reverse("accounts", args=[table.code])).only("div", id="moves")
    assert "voided" in moves.text
    assert "Record again" not in payment_page(client_as("ana"), first).only("main").text, (
        "it is a witness's phone"
    )
    walker.follow("Record again")
    walker.press("Record the payment")

    again, _first = table.payments.all()
    assert ("Beto", "Ana", 150, "transfer", "por la pizza", True) == (
        again.payer.name, again.payee.name, again.amount, again.method, again.note, again.counts,
    )  # fmt: skip
