"""The sentences why a debt goes to this payee: each is true of the entries that it names."""

from __future__ import annotations

import json

import pytest
from django.urls import reverse

from games.money.presenters import account_messages
from games.money.presenters.money_history import MoneyHistory
from games.money.services import accounting, payments
from games.play.services import recording
from tests.factories import new_key
from tests.money.story import bare
from tests.reader import open_page

pytestmark = pytest.mark.django_db

THROUGH_BETO = "Se lo pagás a Caro porque le debías a Beto, y Beto a Caro."


def test_a_debt_that_came_through_somebody_says_so_to_each(petrol):
    assert {("ana", "beto", 800), ("ana", "caro", 1100)} == petrol.debts

    assert {"ana>caro": THROUGH_BETO} == petrol.why("ana", "ana")
    assert {"ana>caro": "Te lo paga Ana porque le debía a Beto, y Beto a vos."} == petrol.why("caro", "caro")
    told = "Ana se lo paga a Caro porque le debía a Beto, y Beto a Caro."
    assert {"ana>caro": told} == petrol.why("ana")
    between = "Ana se lo paga a Caro porque te debía a vos, y vos a Caro."
    assert {"ana>caro": between} == petrol.why("ana", "beto")


def test_page_first_page_text_and_api_say_why(petrol, client_for):
    petrol.give_phones("ana")
    phone = client_for(petrol.users["ana"], language="es-AR")
    page = open_page(phone, reverse("account", args=[petrol.table.code, "ana"]))
    why = page.only("p", class_="why")
    expense_url = reverse("cost", args=[petrol.table.code, petrol.petrol.pk])

    assert (THROUGH_BETO, expense_url) == (why.text, why.only("a").attrs["href"])
    assert "Ana se lo paga a Caro porque le debía a Beto" in page.only("textarea", id="message").text
    assert THROUGH_BETO in open_page(phone, reverse("home")).only("main").text
    debts = phone.get(reverse("api-accounts", args=[petrol.table.code])).json()["debts"]
    assert {"beto": "", "caro": "Ana se lo paga a Caro porque le debía a Beto, y Beto a Caro."} == {
        debt["payee"]: bare(debt["why"]) for debt in debts
    }


def test_one_payment_instead_of_two_is_told_and_gone_when_the_game_is_undone(story):
    story = story("Ana", "Beto", "Caro", "Dani")
    story.game("Loba", ana=-500, beto=500, caro=0, dani=0)
    story.go_to_day(12)
    chinchon = story.game("Chinchón", ana=0, beto=-500, caro=500)
    story.go_to_day(19)
    story.game("Carioca", caro=300, dani=-300)
    assert {("ana", "caro", 500), ("dani", "caro", 300)} == story.debts
    assert {"ana>caro": f"{THROUGH_BETO} Es un pago en vez de 2."} == story.why("ana", "ana")

    recording.undo(chinchon, after=2, key=new_key(), by=story.owner)
    assert {("ana", "beto", 500), ("dani", "caro", 300)} == story.debts
    assert {} == story.why("ana", "ana") == story.why("dani", "dani")


def test_part_of_a_debt_came_through_somebody(story):
    story = story("Ana", "Beto", "Caro", "Dani")
    story.game("Loba", ana=-300, beto=900, caro=-300, dani=-300)
    story.go_to_day(12)
    story.game("Chinchón", ana=200, beto=-100, caro=-100)
    assert {("ana", "beto", 100), ("caro", "beto", 400), ("dani", "beto", 300)} == story.debts

    part = "En parte: se lo pagás a Beto porque le debías a Ana, y Ana a Beto. Son 2 pagos en vez de 3."
    assert {"caro>beto": part} == story.why("caro", "caro")
    assert {} == story.why("dani", "dani")


def test_the_setting_says_why_through_chains_and_joined_accounts(six):
    six.turn(is_on=True)

    through = "En parte: se lo pagás a Eva porque le debías a Ana, y Ana a Eva. Son 4 pagos en vez de 7."
    chain = "Se lo pagás a Dani porque le debías a Caro, Caro a Ana y Ana a Dani. Son 4 pagos en vez de 7."
    assert {"beto>eva": through} == six.why("beto", "beto")
    assert {"fede>dani": chain} == six.why("fede", "fede")
    six.go_to_day(33)
    six.game("Loba", beto=200, dani=-200)
    assert {"beto>caro": "Sale de juntar las cuentas de 5: 3 pagos en vez de 5."} == six.why("beto", "beto")
    assert {
        "dani>eva": "Se lo pagás a Eva porque le debías a Beto, y Beto a Eva. Son 3 pagos en vez de 5."
    } == six.why("dani", "dani")
    assert six.why("fede", "fede")["fede>eva"].startswith(
        "En parte: se lo pagás a Eva porque le debías a Dani, Dani a Beto y Beto a Eva."
    )


def test_a_picture_says_whose_debt_it_is_where_the_reason_does_not(six):
    six.turn(is_on=True)
    six.go_to_day(33)
    six.game("Loba", beto=200, dani=-200)
    accounts = accounting.load_accounts(six.table)
    history = MoneyHistory.load(accounts.people.by_slug["beto"], accounts, six.table)
    picture = account_messages.member_message_and_picture(history, accounts, six.table, at=six.at)["drawn"]
    reasons = {bare(row["why"]) for row in json.loads(picture)["debts"]["rows"]}

    assert "Beto → Caro: Sale de juntar las cuentas de 5: 3 pagos en vez de 5." in reasons


def test_a_denied_claim_says_why(claimed):
    payments.dispute(claimed.claim, by=claimed.users["beto"])

    assert {"ana>caro": f"{THROUGH_BETO} Es un pago en vez de 2."} == claimed.why("ana", "ana")


def test_a_debt_of_a_visitor_came_through_a_member(story):
    story = story("Ana", "Beto", "Caro", "Primo")
    story.turn(is_on=True)
    story.game("Loba", ana=-400, beto=400, caro=0)
    story.go_to_day(12)
    story.game("Chinchón", ana=300, caro=-150, primo=-150)
    story.go_to_day(19)
    story.game("Carioca", beto=-200, caro=200)

    assert {"primo>beto": "Se lo pagás a Beto porque le debías a Ana, y Ana a Beto."} == story.why(
        "primo", "primo"
    )
