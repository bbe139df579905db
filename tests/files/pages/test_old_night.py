"""The page of an old notebook's night; every other page of that game redirects to it or gets 404."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.urls import URLPattern, reverse

from games.files.audit import check_table
from games.tables.people import mark_of
from games.urls import urlpatterns
from tests.files.pages.test_import_nights import take
from tests.reader import read_page
from tests.worlds import balances_of, start

pytestmark = pytest.mark.django_db

MONEY = "fecha;Ana;Beto\n31/5/24;300;-300\n"


@pytest.fixture
def night(ana, table):
    """A night in which Ana won 300 from Beto."""
    take(ana, table, MONEY, variant="loba_menos")
    return table.games.get()


def test_the_page_shows_the_noted_results(ana, night):
    page = read_page(ana.get(reverse("old-night", args=[night.code])))
    assert "Ana wins Loba de Menos · 31/05/2024" == page.only("h1").text
    assert ["A 1. Ana +$ 300", "B 2. Beto −$ 300"] == [row.text for row in page.only(id="placed").every("li")]
    assert "The money was paid then." in page.only("main").text


def test_a_night_of_points_shows_no_money(ana, table):
    take(ana, table, "fecha;Ana;Beto\n31/5/24;12;104\n", figures="fewest")
    page = read_page(ana.get(reverse("old-night", args=[table.games.get().code])))
    assert ["A 1. Ana 12 points", "B 2. Beto 104 points"] == [
        row.text for row in page.only(id="placed").every("li")
    ]


@pytest.mark.parametrize("name", ["sheet", "settlement"])
def test_the_sheet_and_the_result_redirect_to_the_page_of_the_night(ana, night, name):
    response = ana.get(reverse(name, args=[night.code]))
    assert reverse("old-night", args=[night.code]) == response["Location"]


def test_a_new_game_is_not_prefilled_with_the_rules_of_an_old_night(ana, table, owner, night):
    start(table, owner, variant="chinchon", stake=300)
    table.games.exclude(pk=night.pk).update(started_at=night.started_at - timedelta(days=1))
    page = read_page(ana.get(reverse("new-game", args=[table.code])))

    assert ["chinchon"] == [
        field.attrs["value"] for field in page.every("input", name="variant") if "checked" in field.attrs
    ]


def test_every_page_of_an_old_night_works_redirects_or_gets_404(ana, owner, night):
    sent = {"after": "1", "key": "k", "change": "strike 1", "person": mark_of(owner)}
    pages = [
        page for page in urlpatterns if isinstance(page, URLPattern) and "code" in page.pattern.converters
    ]
    kept = {"sheet", "settlement", "old-night", "discard", "restore", "export"}
    for page in pages:
        known = {"code": night.code, "number": 1, "version": 0, "after": 1}
        where = reverse(page.name, kwargs={key: known[key] for key in page.pattern.converters})
        answers = {
            ana.get(where).status_code,
            ana.post(where, sent).status_code,
        }
        assert answers <= ({200, 302, 405} if page.name in kept else {404, 405, 302}), page.name
        assert 1 == night.records.count()


def test_the_text_of_a_night_is_the_imported_night(ana, night):
    page = read_page(ana.get(reverse("old-night", args=[night.code])))
    assert ana.get(page.link("The game as text")).content.decode().startswith("night loba_menos\n")


def test_a_night_paid_on_the_spot_is_discarded_and_restored_without_debts(ana, table, night):
    for name in ("discard", "discard", "restore", "restore", "discard"):
        ana.post(reverse(name, args=[night.code]))
        assert {0} == set(balances_of(table).values())
        assert [] == check_table(table).differences
