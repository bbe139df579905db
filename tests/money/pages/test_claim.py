"""The pages of a claim, a payment that its payer recorded: who is asked about it, and what everybody sees."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.models import Payment, PaymentState
from games.money.balances import balances_of
from tests.reader import Walker, fields, read_page
from tests.tables import a_key
from tests.waiting import an_entry, answers_of, sent

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_english")]


@pytest.fixture
def betos(phone_as):
    return phone_as("beto")


@pytest.fixture
def anas(phone_as):
    return phone_as("ana")


@pytest.fixture
def claim(betos, anas, table, finished):
    """Beto's claim to have paid the whole debt of 200."""
    walker = Walker(betos)
    walker.open(accounts(table))
    walker.follow("I paid")
    walker.press("Record it", method="transfer")
    return Payment.objects.get()


def accounts(table):
    return reverse("accounts", args=[table.code])


def text(client, address):
    response = client.get(address)
    assert 200 == response.status_code
    return read_page(response).only("main").text


def at(payment, name="payment"):
    return reverse(name, args=[payment.table.code, payment.pk])


def test_a_member_claims_a_payment_from_their_line_of_the_plan_and_takes_it_back(betos, table, claim):
    assert ("beto", "ana", 200, "transfer", PaymentState.CLAIMED) == (
        claim.payer.slug,
        claim.payee.slug,
        claim.amount,
        claim.method,
        claim.state,
    )
    walker = Walker(betos)
    walker.open(f"{accounts(table)}?done={claim.pk}")
    assert ["Reported: Beto → Ana, $ 200. It counts when confirmed."] == walker.page.notices
    walker.press("Undo")

    assert "taken back" in walker.page.only("main").text
    assert -200 == balances_of(table)["beto"]
    walker.open(accounts(table))
    assert "I paid" in [link.text for link in walker.page.every("a")]


def test_a_members_payment_form_has_themselves_as_the_payer(betos, table, finished):
    page = read_page(betos.get(reverse("pay", args=[table.code])))

    assert ("beto", "cash") == (page.typed("payer"), page.typed("method"))
    assert "counts once the payee confirms it" in page.only("main").text


def test_a_line_with_a_claim_is_marked_for_everybody_and_offers_no_second_one(betos, ana, table, claim):
    for client in (betos, ana):
        page = read_page(client.get(accounts(table)))
        line = next(box for box in page.every("div", class_="card owes") if "Beto" in box.text)
        assert ("To confirm" if client is ana else "reported as paid") in line.text
        assert [] == [link for link in line.every("a") if "/pay/" in link.attrs["href"]]
    assert "→ Ana: $ 200 · reported as paid" in page.only("textarea").text


@pytest.mark.parametrize("who", ["payee", "keeper"])
def test_the_payee_or_an_owner_reaches_a_claim_from_the_home_page_and_confirms_it(
    ana, anas, table, claim, who
):
    client = anas if who == "payee" else ana
    walker = Walker(client)
    walker.open("/")
    if who == "payee":
        walker.follow("A payment to confirm $ 200")
    else:
        walker.follow("Payments to confirm")
        assert "1 payment to confirm" in walker.page.only("section", id="to-confirm").text
        walker.open(at(claim))
    walker.press("Yes, I received it" if who == "payee" else "Yes, it was paid")

    assert 0 == balances_of(table)["beto"]
    assert "confirmed" in walker.page.only("main").text
    for sentence in ("A payment to confirm", "Payments to confirm"):
        assert sentence not in text(client, "/")


def test_a_claim_answered_with_no_ends_and_the_debt_stays(anas, betos, table, claim):
    walker = Walker(anas)
    walker.open(at(claim))
    walker.press("It didn't arrive", objection="no llegó")

    assert ": no llegó" in walker.page.only("main").text
    assert "didn't arrive" in text(betos, reverse("payments", args=[table.code]))
    assert "reported as paid" not in text(betos, accounts(table))
    assert -200 == balances_of(table)["beto"]


def test_the_settlement_and_its_text_mention_a_claim_until_it_is_confirmed(ana, anas, finished, claim):
    result = reverse("settlement", args=[finished.code])
    page = read_page(ana.get(result))
    words = "Beto reported paying Ana $ 200. It counts when confirmed."

    assert words in page.only("section", id="owed").text
    assert words in page.only("textarea", id="message").text
    assert [] == page.every("button", id="tick-beto-ana")
    anas.post(at(claim, "confirm-payment"))
    page = read_page(ana.get(result))
    assert "Beto → Ana: $ 200" in page.only("textarea", id="message").text.split("Settled with the night:")[1]


def test_a_claim_is_shown_once_on_the_accounts_page(ana, betos, table, claim):
    keepers, watchers = read_page(ana.get(accounts(table))), read_page(betos.get(accounts(table)))

    assert "reported as paid" in keepers.only("section", id="to-confirm").text
    assert [0, 0, 1, 0] == [
        page.only("div", id=part).text.count("reported as paid")
        for page in (keepers, watchers)
        for part in ("plan", "payments")
    ]


# --- queued on a phone -----------------------------------------------------------------------------------------------


def test_a_payment_claimed_offline_is_recorded_once_as_claimed(betos, anas, table, finished):
    paid = {"table": table.code, "payee": "ana", "amount": "200", "method": "cash"}
    claimed = an_entry("payment", payer="beto", **paid)
    of_another = an_entry("payment", payer="caro", **paid)
    answers = answers_of(sent(betos, claimed, claimed, of_another))

    assert ["done", "done", "refused"] == [answer["status"] for answer in answers]
    assert ["You can only record payments that you made or received."] == answers[2]["sentences"]
    assert [PaymentState.CLAIMED] == [payment.state for payment in Payment.objects.all()]


def test_a_payment_can_be_backdated_and_an_invalid_day_is_refused_beside_its_field(ana, table, play):
    play("ana", "beto", days=7)
    night = table.games.get().started_at
    sent = {"payer": "beto", "payee": "ana", "amount": "50", "method": "cash", "key": a_key()}
    where = reverse("pay", args=[table.code])
    page = read_page(response := ana.post(where, fields(**sent, day="ayer")))
    assert (422, "ayer") == (response.status_code, page.only("input", name="day").attrs["value"])
    assert "Write the day like this: 2024-05-31." in page.only("main").text
    ana.post(where, fields(**sent, day=f"{night:%Y-%m-%d}"))
    payment = Payment.objects.get()

    assert payment.paid_on is not None
    assert payment.made_at < payment.recorded_at
    assert "Recorded" in text(ana, at(payment))
