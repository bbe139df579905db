"""The page of one payment and the list of all: taking back, confirming and disputing."""

from __future__ import annotations

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.urls import reverse

from games.models import Method
from games.money import payments, ticks
from games.money.balances import balances_of
from games.play.recording import discard_game
from games.scoring.ledger import Transfer
from tests.reader import Walker, open_page, read_page
from tests.tables import a_key, make_table

pytestmark = pytest.mark.django_db


@pytest.fixture
def payment(finished, pay):
    return pay("beto", "ana", 200, note="por la pizza")


@pytest.fixture
def anas(phone_as):
    """Return the phone of a witness who has claimed the member Ana."""
    return phone_as("ana")


def address(payment, name="payment"):
    return reverse(name, args=[payment.table.code, payment.pk])


def shown(client, payment):
    return open_page(client, address(payment))


def buttons(page):
    return [button.text for button in page.every("button")]


def test_a_payment_shows_payer_payee_amount_method_note_and_who_recorded_it(ana, payment, claims, owner):
    claims(owner, "dani")
    text = shown(ana, payment).only("main").text

    for part in ("Beto", "Ana", "$ 200", "cash", "por la pizza", "Recorded by Dani"):
        assert part in text


def test_the_page_of_a_forgiven_debt_is_not_titled_payment(ana, finished, pay):
    page = shown(ana, pay("beto", "ana", 200, method=Method.FORGIVEN))

    assert "Forgiven" == page.only("h1").text.removesuffix("Mesa de los jueves").strip()
    assert "Payment" not in page.only("title").text


@pytest.mark.usefixtures("in_2026")
def test_a_payment_that_arrived_the_next_morning_shows_when_it_was_recorded(ana, finished, owner):
    table = finished.table
    payer, payee = table.members.all()[:2]
    paid_at = datetime(2026, 3, 5, 23, 40, tzinfo=ZoneInfo(table.timezone))
    payment = payments.pay(
        table, payer, payee, 200, method=Method.CASH, key=a_key(), by=owner,
        at=paid_at, arrived_at=paid_at + timedelta(hours=10),
    )  # fmt: skip
    rows = {row.only("dt").text: row.only("dd").text for row in shown(ana, payment).only("dl").every("div")}

    assert "Fri 6 Mar, 09:40" == rows["Recorded"]


def test_a_payment_for_a_game_links_to_the_games_settlement(ana, owner, finished):
    (first, *_others) = ticks.pay_on_the_spot(finished, after=6, key=a_key(), by=owner)
    page = shown(ana, first)

    links = [link.attrs["href"] for link in page.every("a") if "Loba de Menos" in link.text]
    assert [reverse("settlement", args=[finished.code])] == links


def test_a_payment_taken_back_stays_listed_but_does_not_count(ana, table, payment):
    walker = Walker(ana)
    walker.open(address(payment))
    walker.press("Take it back")

    assert "taken back" in walker.page.only("main").text
    assert "It stays visible but no longer counts." in walker.page.only("main").text
    assert -200 == balances_of(table)["beto"]
    assert [] == buttons(walker.page)
    walker.open(reverse("payments", args=[table.code]))
    assert "taken back" in walker.page.only("main").text


def test_a_payment_taken_back_is_recorded_again_from_a_prefilled_form(ana, table, finished, pay):
    first = pay("beto", "ana", 150, note="por la pizza", method=Method.TRANSFER)
    walker = Walker(ana)
    walker.open(address(first))
    walker.press("Take it back")
    walker.follow("Record it again")
    walker.press("Record it")

    again, _first = table.payments.all()
    assert ("Beto", "Ana", 150, "transfer", "por la pizza", True) == (
        again.payer.name, again.payee.name, again.amount, again.method, again.note, again.counts,
    )  # fmt: skip
    assert -50 == balances_of(table)["beto"]


def test_a_payment_of_a_game_taken_back_is_ticked_off_again_at_that_game(ana, owner, finished):
    first = ticks.tick(finished, Transfer("beto", "ana", 200), after=6, key=a_key(), by=owner)
    walker = Walker(ana)
    walker.open(address(first))
    walker.press("Take it back")
    walker.follow("Record it again")
    walker.press("Beto paid Ana")

    assert [200] == list(finished.payments.counting().values_list("amount", flat=True))


def test_a_payment_of_a_discarded_game_taken_back_is_recorded_again_in_the_accounts(
    ana, table, owner, finished
):
    (first, *_others) = ticks.pay_on_the_spot(finished, after=6, key=a_key(), by=owner)
    payments.take_back(first, by=owner)
    discard_game(finished)
    walker = Walker(ana)
    walker.open(address(first))
    walker.follow("Record it again")

    assert ("beto", "ana", "200") == tuple(walker.page.typed(field) for field in ("payer", "payee", "amount"))


def test_only_a_user_who_can_record_is_offered_to_record_an_ended_payment_again(ana, anas, payment, owner):
    again = "Record it again"
    assert again not in shown(ana, payment).only("main").text
    payments.take_back(payment, by=owner)

    assert again in shown(ana, payment).only("main").text
    assert again not in shown(anas, payment).only("main").text


def test_the_payee_disputes_a_payment_and_confirms_it_after_all(anas, table, payment):
    walker = Walker(anas)
    walker.open(address(payment))
    walker.press("It didn't arrive", objection="no llegó nada")
    text = walker.page.only("main").text
    assert "Ana says it didn't arrive" in text
    assert ": no llegó nada" in text
    assert -200 == balances_of(table)["beto"]
    walker.press("Yes, I received it")

    assert "confirmed" in walker.page.only("main").text
    assert 0 == balances_of(table)["beto"]


@pytest.mark.parametrize(
    ("name", "state", "expected"),
    [
        ("ana", "counts", ["It didn't arrive"]),
        ("ana", "disputed", ["Take it back", "Yes, I received it"]),
        ("olga", "counts", ["Take it back"]),
        ("olga", "disputed", ["Take it back", "Yes, it was paid"]),
        ("beto", "counts", []),
        ("beto", "disputed", []),
    ],
)
def test_the_page_offers_what_the_user_may_do(ana, phone_as, payment, name, state, expected):
    """Olga, the owner, recorded the payment tonight."""
    clients = {"ana": phone_as("ana"), "beto": phone_as("beto"), "olga": ana}
    if state == "disputed":
        clients["ana"].post(address(payment, "dispute-payment"))

    assert expected == buttons(shown(clients[name], payment))


def test_taking_back_later_asks_for_a_reason_at_its_field(ana, table, finished, pay):
    payment = pay("beto", "ana", 200, at=finished.ended_at - timedelta(days=2))
    walker = Walker(ana)
    walker.open(address(payment))
    walker.press("Take it back")
    assert "Say why you take it back." == walker.page.said_at("reason")
    walker.press("Take it back", reason="era de otra mesa")

    assert ": era de otra mesa" in walker.page.only("main").text
    assert -200 == balances_of(table)["beto"]


def test_a_payment_that_its_payer_recorded_says_so(ana, phone_as, table, finished, pay):
    phone_as("beto")
    payment = pay("beto", "ana", 200, by=table.members.get(slug="beto").user)

    assert "recorded by the payer" in shown(ana, payment).only("main").text


def test_a_too_long_objection_is_refused_beside_its_field(anas, payment):
    response = anas.post(address(payment, "dispute-payment"), {"objection": "x" * 201})
    page = read_page(response)

    assert 422 == response.status_code
    assert "At most 200 characters fit here." == page.said_at("objection")
    assert 201 == len(page.typed("objection"))


def test_a_payment_of_another_table_is_a_404(ana, owner, table, payment):
    other = make_table(owner, name="Otra")

    assert 404 == ana.get(reverse("payment", args=[other.code, payment.pk])).status_code
    assert 404 == ana.get(reverse("payment", args=[table.code, 10**30])).status_code


def test_the_list_of_payments_is_paginated_newest_first(ana, table, finished, pay):
    for amount in range(1, 33):
        pay("beto", "ana", amount)
    walker = Walker(ana)
    page = walker.open(reverse("payments", args=[table.code]))
    rows = page.every("a", class_="tile")
    assert (30, "$ 32") == (len(rows), rows[0].every("b")[-1].text)
    rows = walker.open(f"{reverse('payments', args=[table.code])}{walker.page.link('Older')}").every(
        "a", class_="tile"
    )

    assert ["$ 2", "$ 1"] == [row.every("b")[-1].text for row in rows]


def test_an_invalid_page_number_still_answers_200(subtests, ana, table, payment):
    for page in ["0", "x", "-1", "9" * 40, "7"]:
        with subtests.test(page=page):
            assert 200 == ana.get(f"{reverse('payments', args=[table.code])}?page={page}").status_code
