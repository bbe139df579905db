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


def test_one_tap_records_all_dues_of_a_game_as_paid_in_cash(ana, table, finished):
    walker = Walker(ana)
    walker.open(address(finished))
    walker.press("Record all as paid: $ 400")

    assert {0} == set(balances_of(table).values())
    assert "This game has nothing left to pay." in walker.page.only("main").text
    assert 3 == len(walker.page.every("div", class_="pay done"))


def test_two_lines_of_the_same_page_can_both_be_ticked(ana, finished):
    forms = read_page(ana.get(address(finished))).only("div", id="payments").every("form")
    for form in forms[:2]:
        ana.post(address(finished, "pay-dues"), form.fields)

    assert ["beto", "caro"] == [payment.payer.slug for payment in Payment.objects.order_by("pk")]


def test_ticking_a_line_of_the_dues_returns_to_the_dues(ana, finished):
    form, _button = read_page(ana.get(address(finished))).form_with("Beto paid Ana")
    response = ana.post(address(finished, "pay-dues"), form.fields)

    assert response.url.startswith(f"{address(finished)}?done=")


def test_the_dues_of_a_reopened_game_redirect_to_its_sheet_and_record_nothing(ana, finished, write):
    write(finished, Struck(6))

    assert reverse("sheet", args=[finished.code]) == ana.get(address(finished)).url
    response = ana.post(address(finished, "pay-dues"), {"after": "7", "key": a_key()})
    assert reverse("sheet", args=[finished.code]) == response.url
    assert 0 == Payment.objects.count()


def test_a_user_whose_grant_has_ended_gets_a_404_that_replaces_the_whole_page(ana, finished):
    form, _button = read_page(ana.get(address(finished))).form_with("Beto paid Ana")
    finished.table.grants.all().delete()
    part = {"hx-request": "true", "hx-target": "owed"}
    response = ana.post(address(finished, "pay-dues"), form.fields, headers=part)

    assert (404, "#main") == (response.status_code, response["HX-Retarget"])


def test_a_tick_sent_again_after_its_cancellation_is_refused_with_the_reason(ana, finished):
    form, _button = read_page(ana.get(address(finished))).form_with("Beto paid Ana")
    walker = Walker(ana)
    walker.open(ana.post(address(finished, "pay-dues"), form.fields).url)
    walker.press("Undo")
    response = ana.post(address(finished, "pay-dues"), form.fields)
    page = read_page(response)

    assert 422 == response.status_code
    assert ["This payment was recorded and then taken back. If it was paid, record it again."] == page.alerts
    assert "Beto → Ana $ 200" in lines(page)
    assert 0 == Payment.objects.counting().count()
