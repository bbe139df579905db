"""Paid at the table: the payments of one game ticked off line by line, or all of them at once."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.accounts import balances_of
from games.models import Payment
from games.scoring.events import Corrected, Struck
from tests.pages.reader import Walker, read_page
from tests.tables import a_key, a_round

pytestmark = pytest.mark.django_db


def address(game, name="dues"):
    return reverse(name, args=[game.code])


def lines(page):
    return [
        " ".join(span.text for span in row.every("span", class_="name")) + " " + row.every("b")[-1].text
        for row in page.only("div", id="dues").every("div", class_="tile")
    ]


def test_what_is_due_for_a_game_is_listed(ana, finished):
    page = read_page(ana.get(address(finished)))

    assert ["Beto → Ana $ 200", "Caro → Ana $ 100", "Dani → Ana $ 100"] == lines(page)


def test_all_of_it_is_paid_in_cash_with_one_tap(ana, table, finished):
    walker = Walker(ana)
    walker.open(address(finished))
    walker.press("All paid in cash: $ 400")

    assert {0} == set(balances_of(table).values())
    assert "Nothing is left to be paid for this game." in walker.page.only("main").text
    assert 3 == len(walker.page.every("a", class_="tile"))


def test_one_line_is_ticked_off(ana, table, finished):
    walker = Walker(ana)
    walker.open(address(finished))
    walker.press("Caro paid Ana")

    assert ["Beto → Ana $ 200", "Dani → Ana $ 100"] == lines(walker.page)
    assert {"ana": 300, "beto": -200, "caro": 0, "dani": -100} == balances_of(table)


def test_two_lines_of_one_page_may_both_be_ticked(ana, finished):
    forms = read_page(ana.get(address(finished))).only("div", id="dues").every("form")
    for form in forms[:2]:
        ana.post(address(finished, "pay-dues"), form.fields)

    assert ["beto", "caro"] == [payment.payer.slug for payment in Payment.objects.order_by("pk")]


def test_a_tap_too_many_pays_once(ana, finished):
    page = read_page(ana.get(address(finished)))
    form, _button = page.form_with("All paid in cash: $ 400")
    for _ in range(2):
        assert address(finished) == ana.post(address(finished, "pay-dues"), form.fields).url

    assert 3 == Payment.objects.count()


def test_what_was_corrected_meanwhile_is_shown_and_nothing_paid(ana, finished, write):
    page = read_page(ana.get(address(finished)))
    form, _button = page.form_with("All paid in cash: $ 400")
    write(finished, Corrected(6, a_round("ana", beto=50, dani=60)))
    response = ana.post(address(finished, "pay-dues"), form.fields)

    assert 409 == response.status_code
    assert "Corrected: round 3" in read_page(response).notices
    assert 0 == Payment.objects.count()


def test_who_paid_in_the_accounts_since_is_not_ticked_off(ana, finished, pay):
    pay("beto", "ana", 200)
    page = read_page(ana.get(address(finished)))

    assert "Beto has paid in the accounts since" in page.only("main").text
    assert 2 == len(page.only("div", id="dues").every("form"))
    payload = {"after": "6", "key": a_key(), "payer": "beto", "payee": "ana"}
    response = ana.post(address(finished, "pay-dues"), payload)
    assert 422 == response.status_code
    assert ["Nothing is left to be paid for this game."] == read_page(response).alerts


def test_a_game_reopened_leads_back_to_its_sheet(ana, finished, write):
    write(finished, Struck(6))

    assert reverse("sheet", args=[finished.code]) == ana.get(address(finished)).url
    response = ana.post(address(finished, "pay-dues"), {"after": "7", "key": a_key()})
    assert reverse("sheet", args=[finished.code]) == response.url
    assert 0 == Payment.objects.count()
