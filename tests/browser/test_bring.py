"""A notebook is read while one types, and the last key creates its table."""

from __future__ import annotations

from django.contrib.auth.models import User
from playwright.sync_api import expect

from games.models import Game, Table


def test_a_notebook_is_read_while_it_is_typed_and_its_key_wakes(page):
    page.goto("/")
    page.locator("a[href='/bring/']").tap()
    page.locator("a[href='/bring/?what=notebook']").tap()
    page.locator("#text").fill("fecha;Ana;Beto\n12/11/2025;-2000;2000\n19/11/2025;3000;-2000")
    expect(page.locator("#reads .errors")).to_contain_text("Línea 3")
    expect(page.locator("#text")).to_be_focused()
    expect(page.locator("#read-people .av")).to_have_text(["A", "B"])
    assert (0, 0) == (Table.objects.count(), User.objects.count())

    page.locator("#text").press_sequentially("0")
    page.locator("#text").fill("fecha;Ana;Beto\n12/11/2025;-2000;2000\n19/11/2025;3000;-3000")
    expect(page.locator("#nights li")).to_have_count(2)
    expect(page.locator("h1")).to_contain_text("2 noches · 2 personas")
    page.locator("#read-people a").tap()
    expect(page.locator("#totals")).to_be_in_viewport()
    expect(page.locator(".dock .go")).to_have_text("Abrir la mesa")
    assert 0 == Table.objects.count()
    page.locator(".dock .go").tap()
    expect(page.locator("h1")).to_contain_text("Ana, Beto")
    assert (1, 2) == (Table.objects.count(), Game.objects.count())
