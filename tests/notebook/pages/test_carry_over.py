"""The page that carries balances over to a new table: the form, then a preview, then the new table."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.models import Table
from games.money.balances import balances_of
from tests.reader import Walker, read_page

pytestmark = pytest.mark.django_db

TYPED = {"name": "En dólares", "unit": "US$", "decimals": "2", "rate": "1.450,50"}


def address(table):
    return reverse("carry-over", args=[table.code])


def test_balances_are_carried_over_from_the_tables_page_after_a_preview(ana, table, play):
    play("ana", "beto")
    walker = Walker(ana)
    walker.open(reverse("table-settings", args=[table.code]))
    walker.follow("Play for another unit than $")
    page = walker.press("Preview", unit="US$", decimals="2", rate="50", name="En dólares")

    rows = [row.text for row in page.only(id="balances").every("li")]
    assert [
        "Ana +$ 100 → +US$ 2.00",
        "Beto −$ 100 → −US$ 2.00",
        "Caro $ 0 → US$ 0.00",
        "Dani $ 0 → US$ 0.00",
    ] == rows
    assert 1 == Table.objects.count()
    walker.press("Open the new table")
    new = Table.objects.latest("pk")
    assert ("En dólares", "US$", 2) == (new.name, new.unit, new.decimals)
    assert {"ana": 200, "beto": -200, "caro": 0, "dani": 0} == balances_of(new)
    assert "Balance brought forward" in read_page(ana.get(reverse("payments", args=[new.code]))).text


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ({"rate": "mucho"}, "Write a number, such as 1450 or 1450.50."),
        ({"rate": "0"}, "The rate must be more than zero."),
        ({"unit": ""}, "Enter a name."),
    ],
)
def test_an_invalid_field_is_refused_with_a_reason(ana, table, typed, message):
    response = ana.get(address(table), {**TYPED, "rate": "1450", **typed})

    assert 422 == response.status_code
    assert message in read_page(response).text


def test_balances_changed_since_the_preview_get_409_and_nothing_is_carried_over(ana, table, play):
    play("ana", "beto")
    page = read_page(ana.get(address(table), {**TYPED, "rate": "50"}))
    sent = page.only("form", class_="sheetform").fields
    play("ana", "caro")

    assert 409 == ana.post(address(table), sent).status_code
    assert 1 == Table.objects.count()
