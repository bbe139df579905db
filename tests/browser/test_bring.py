"""A notebook is read while one types, what may be a sum has a box, and the last key creates its table.

`files/views/test_bring.py` has the pages and what they store.
"""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import expect

from games.models import Game, Result, Table

DOUBLE_OR_NOTHING = "fecha;Ana;Beto\n12/11/2025;300;-300\n;-100;100\n;200;-200\n"


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


def nets():
    totals: dict[str, int] = {}
    for name, net in Result.objects.values_list("member__name", "net"):
        totals[name] = totals.get(name, 0) + net
    return totals


@pytest.mark.long
def test_a_tick_counts_at_once_keeps_the_focus_and_is_lost_with_a_word_if_its_line_changes(page):
    page.goto("/bring/?what=notebook")
    page.locator("#text").fill(DOUBLE_OR_NOTHING)
    expect(page.locator("#nights li")).to_have_count(2)
    box = page.get_by_label("Contar la línea 4: “200 · -200”")
    assert page.locator("label.opt:has([type=checkbox])").bounding_box()["height"] >= 44
    box.tap()
    expect(page.locator("#nights li")).to_have_count(3)
    expect(box).to_be_checked()
    expect(box).to_be_focused()

    page.locator("#text").fill(f"{DOUBLE_OR_NOTHING}19/11/2025;5;-5")  # another line changes
    expect(page.locator("#nights li")).to_have_count(4)
    expect(box).to_be_checked()

    page.locator("#text").fill(DOUBLE_OR_NOTHING.replace(";200", "Total;200"))
    expect(page.locator("#lost-ticks")).to_have_text("La línea 4 ya no es la que marcaste: mirala de nuevo.")
    box = page.get_by_label("Contar la línea 4: “Total · 200 · -200”")
    expect(box).not_to_be_checked()
    box.tap()
    expect(page.locator("#lost-ticks")).to_have_count(0)
    expect(page.locator("#nights li")).to_have_count(3)
    page.locator(".dock .go").tap()
    expect(page.locator("#arrivals #report")).to_have_text("Líneas leídas: 3 · contadas: 3 · sin contar: 0")
    assert {"Ana": 400, "Beto": -400} == nets()


@pytest.mark.long
@pytest.mark.usefixtures("signed_in")
def test_at_a_table_a_tick_reads_the_notebook_again_in_its_place(page, table):
    page.goto(f"/t/{table.code}/notebook/")
    page.locator("#text").fill(DOUBLE_OR_NOTHING)
    page.locator(".dock .go").tap()
    box = page.get_by_label("Contar la línea 4: “200 · -200”")
    box.tap()
    expect(page.locator("#report")).to_have_text("Líneas leídas: 3 · contadas: 3 · sin contar: 0")
    expect(box).to_be_checked()
    expect(box).to_be_focused()
    expect(page.locator(".rests")).to_have_count(0)
    page.locator(".dock .go").tap()
    expect(page.locator("#arrivals #report")).to_have_text("Líneas leídas: 3 · contadas: 3 · sin contar: 0")
    assert {"Ana": 400, "Beto": -400} == nets()
