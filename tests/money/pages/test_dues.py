"""The page of one game's dues: paid line by line with a tick, or all at once."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.models import Payment
from games.money.balances import balances_of
from games.scoring.events import Struck
from tests.reader import Walker, read_page
from tests.tables import a_key

pytestmark = pytest.mark.django_db


def address(game, name="dues"):
    return reverse(name, args=[game.code])


def lines(page):
    return [row.only("summary").text for row in page.only("div", id="payments").every("div", class_="pay")]


def test_what_is_due_for_a_game_is_listed(ana, finished):
    page = read_page(ana.get(address(finished)))

    assert ["Beto → Ana $ 200", "Caro → Ana $ 100", "Dani → Ana $ 100"] == lines(page)


def test_all_of_it_is_paid_in_cash_with_one_tap(ana, table, finished):
    walker = Walker(ana)
    walker.open(address(finished))
    walker.press("Record all as paid: $ 400")

    assert {0} == set(balances_of(table).values())
    assert "This game has nothing left to pay." in walker.page.only("main").text
    assert 3 == len(walker.page.every("div", class_="pay done"))


def test_two_lines_of_one_page_may_both_be_ticked(ana, finished):
    forms = read_page(ana.get(address(finished))).only("div", id="payments").every("form")
    for form in forms[:2]:
        ana.post(address(finished, "pay-dues"), form.fields)

    assert ["beto", "caro"] == [payment.payer.slug for payment in Payment.objects.order_by("pk")]


def test_a_tap_too_many_pays_once(ana, finished):
    page = read_page(ana.get(address(finished)))
    form, _button = page.form_with("Record all as paid: $ 400")
    for _ in range(2):
        assert address(finished) == ana.post(address(finished, "pay-dues"), form.fields).url

    assert 3 == Payment.objects.count()


def test_the_rest_of_a_game_is_paid_in_cash_although_somebody_owes_from_another(ana, table, finished, play):
    play("caro", "dani", days=7)
    walker = Walker(ana)
    walker.open(address(finished))
    walker.press("Record all as paid: $ 400")

    assert {"ana": 0, "beto": 0, "caro": 100, "dani": -100} == balances_of(table)
    assert "This game has nothing left to pay." in walker.page.only("section", id="owed").text


def test_a_tick_on_the_dues_stays_on_the_dues(ana, finished):
    form, _button = read_page(ana.get(address(finished))).form_with("Beto paid Ana")
    response = ana.post(address(finished, "pay-dues"), form.fields)

    assert response.url.startswith(f"{address(finished)}?done=")


def test_a_game_reopened_leads_back_to_its_sheet(ana, finished, write):
    write(finished, Struck(6))

    assert reverse("sheet", args=[finished.code]) == ana.get(address(finished)).url
    response = ana.post(address(finished, "pay-dues"), {"after": "7", "key": a_key()})
    assert reverse("sheet", args=[finished.code]) == response.url
    assert 0 == Payment.objects.count()


def test_who_is_out_by_now_reads_so_instead_of_a_page_without_its_payments(ana, finished):
    form, _button = read_page(ana.get(address(finished))).form_with("Beto paid Ana")
    finished.table.grants.all().delete()
    part = {"hx-request": "true", "hx-target": "owed"}
    response = ana.post(address(finished, "pay-dues"), form.fields, headers=part)

    assert (404, "#main") == (response.status_code, response["HX-Retarget"])


def test_a_tick_sent_again_after_it_was_taken_back_says_that_it_was(ana, finished):
    form, _button = read_page(ana.get(address(finished))).form_with("Beto paid Ana")
    walker = Walker(ana)
    walker.open(ana.post(address(finished, "pay-dues"), form.fields).url)
    walker.press("Undo")
    response = ana.post(address(finished, "pay-dues"), form.fields)
    page = read_page(response)

    assert 422 == response.status_code
    assert ["This payment was recorded and then cancelled. If it was paid, record it again."] == page.alerts
    assert "Beto → Ana $ 200" in lines(page)
    assert 0 == Payment.objects.counting().count()
