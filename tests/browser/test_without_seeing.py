"""A night without seeing or touching the screen: roles, names, focus, and what is said."""

from __future__ import annotations

import re
import time

import pytest
from playwright.sync_api import expect

from tests.browser.game_setup import begin, play
from tests.browser.listener import Listener
from tests.factories import grant_access, make_user

TWO_KEYS_AT_ONCE = """() => {
    const press = () =>
        document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
    press();
    press();
}"""
SIX_ROUNDS = [f"round beto out ana={points} caro=9 dani=7" for points in (10, 11, 12, 13, 14, 15)]


@pytest.fixture
def listener(phone, owner, let_in):
    let_in(phone, owner)
    return Listener(phone.new_page())


@pytest.fixture
def watcher(open_phone, table, let_in):
    waldo = make_user("waldo")
    grant_access(waldo, table)
    phone = open_phone()
    let_in(phone, waldo)
    return Listener(phone.new_page())


@pytest.fixture
def open_sheet(listener, table, owner):
    """`open_sheet(*lines)` opens the sheet of a game of four after these lines."""

    def open_it(*lines, **options):
        game = play(begin(table, owner, stake=100, **options), owner, *lines)
        listener.opens(f"/g/{game.code}/")
        return game

    return open_it


def test_a_round_two_busts_their_answers_and_an_undo(listener, watcher, open_sheet):
    game = open_sheet(*SIX_ROUNDS)
    watcher.opens(f"/g/{game.code}/")
    listener.presses("link Saltar las manos")
    listener.presses("link Beto")
    listener.arrives("heading Mano 7 Lo que le quedó a Ana")
    listener.types("K")
    listener.hears("K: 10.")
    listener.types("KK")
    listener.hears("K: 20. K: 30 75 → 105 se pasa.")
    listener.presses("button Sigue Caro")
    listener.arrives("heading Mano 7 Lo que le quedó a Caro")
    listener.types("KKKKK")
    listener.hears("K: 10. K: 20. K: 30. K: 40. K: 50 54 → 104 se pasa.")
    listener.presses("button Sigue Dani")
    listener.arrives("heading Mano 7 Lo que le quedó a Dani")
    listener.types("7")
    listener.hears(
        "7: 7.",
        "Ana se pasa con 105; puede volver con 49 por $ 100. Caro se pasa con 104; puede volver con 49 por $ 100. "
        "Dani reparte la que viene.",
    )
    listener.presses("button Guardar")
    listener.arrives("heading ¿Se reengancha Ana? Se pasó: 105")
    happened = "Mano 7: Beto salió. Se pasan Ana con 105 y Caro con 104. Va ganando Beto con 0."
    listener.hears(happened)
    watcher.hears(f"{happened} ¿Se reengancha Ana?")
    listener.presses("button Ana: Queda afuera")
    listener.arrives("heading ¿Se reengancha Caro? Se pasó: 104")
    listener.hears("Ana queda afuera.")
    watcher.hears("Ana queda afuera. ¿Se reengancha Caro?")
    listener.presses("button Caro: Se reengancha")
    listener.arrives("heading Loba de Menos mano 8")
    listener.hears("Caro se reenganchó por $ 100.")
    watcher.hears("Caro se reenganchó por $ 100.")
    listener.presses("link Saltar las manos")
    listener.presses("button Deshacer")
    listener.hears(
        "Se deshizo: Caro se reenganchó. Se pasa Caro con 104. Va ganando Beto con 0. ¿Se reengancha Caro?"
    )


@pytest.mark.long
def test_nothing_is_said_to_follow_once_the_round_is_being_recorded(listener, open_sheet):
    """Saved right after the last card, and the answer is slow: the server has the round when it is asked."""
    open_sheet(*SIX_ROUNDS)

    def record_slowly(route):
        answer = route.fetch()
        time.sleep(1)
        route.fulfill(response=answer)

    listener.page.route(re.compile("/round/$"), record_slowly)
    listener.presses("link Saltar las manos")
    listener.presses("link Beto")
    listener.arrives("heading Mano 7 Lo que le quedó a Ana")
    listener.types("KKK\nQQ\n")
    listener.arrives("heading Mano 7 Lo que le quedó a Dani")
    listener.hears("K: 10. K: 20. K: 30 75 → 105 se pasa. Q: 10. Q: 20.")
    listener.types("7\n")
    listener.arrives("heading ¿Se reengancha Ana? Se pasó: 105")
    listener.hears("7: 7.", "Mano 7: Beto salió. Se pasa Ana con 105. Va ganando Beto con 0.")


@pytest.mark.long
def test_what_was_said_does_not_stand_on_the_next_page(listener, open_sheet):
    open_sheet(*SIX_ROUNDS[:2])
    said = listener.page.locator("#said")
    listener.presses("button Deshacer")
    expect(said).to_contain_text("Se deshizo")
    listener.presses("link ¿Qué más pasó?")
    listener.arrives("heading ¿Qué más pasó?")
    expect(said).to_be_empty()


@pytest.mark.long
def test_a_corrected_round_is_said(listener, open_sheet):
    open_sheet("round beto out ana=10 caro=9 dani=7")
    listener.presses("link Ana, mano 1")
    listener.arrives("heading Corregir la mano 1 Lo que le quedó a Ana")
    listener.page.keyboard.press("Delete")
    listener.types("5")
    listener.presses("button Ver qué cambia")
    listener.arrives("heading Corregir la mano 1 Todavía no se guardó nada")
    listener.hears("lleva 0 · a 101 de afuera. 5: 5.")
    listener.presses("button Guardar")
    listener.arrives("heading Loba de Menos mano 2")
    listener.hears("Se corrigió la mano 1. Va ganando Beto con 0.")


@pytest.mark.long
def test_what_was_said_before_a_save_is_not_on_the_page_after_it(listener, open_sheet):
    open_sheet("round beto out ana=90 caro=95 dani=95")
    listener.presses("link Saltar las manos")
    listener.presses("link Beto")
    for name, points in (("Ana", "KK"), ("Caro", "KK"), ("Dani", "KK")):
        listener.arrives(f"heading Mano 2 Lo que le quedó a {name}")
        listener.types(points)
        if name != "Dani":
            listener.presses(f"button Sigue {'Caro' if name == 'Ana' else 'Dani'}")
    expect(listener.page.locator("#said")).to_contain_text("Si guardás, termina: gana Beto")
    listener.presses("button Guardar")
    listener.arrives("heading Ganó Beto Loba de Menos · no quedaba nadie más")
    expect(listener.page.locator("#said")).not_to_contain_text("Si guardás")


@pytest.mark.long
def test_seats_change_places_by_the_arrow_keys(listener, table):
    listener.opens(f"/t/{table.code}/new/")
    for name in ("Ana", "Beto", "Caro"):
        listener.presses(f"button {name}: sentar")
    listener.walks_to("button Caro, lugar 3")
    listener.page.keyboard.press("ArrowLeft")
    listener.arrives("button Caro, lugar 2")
    listener.hears("Caro, lugar 2.")
    listener.page.evaluate(TWO_KEYS_AT_ONCE)
    listener.arrives("button Caro, lugar 1")
    listener.hears("Caro, lugar 3. Caro, lugar 1.")


@pytest.mark.long
def test_a_choice_keeps_the_focus_and_its_sheet_gives_it_back(listener, table):
    listener.opens(f"/t/{table.code}/new/")
    listener.presses("button Loba de Menos")
    listener.arrives("heading A qué juegan")
    listener.walks_to("radio Loba de Menos")
    listener.page.keyboard.press("ArrowDown")
    listener.arrives("radio Loba de Más")
    listener.page.wait_for_timeout(1500)
    listener.arrives("radio Loba de Más")
    listener.walks_to("combobox Plata")
    listener.page.keyboard.press("ArrowDown")
    listener.page.wait_for_timeout(1500)
    listener.arrives("combobox Plata")
    listener.page.keyboard.press("Escape")
    listener.arrives("button Loba de Más")
    listener.hears()


@pytest.mark.long
def test_every_figure_and_key_says_whose_and_what(listener, open_sheet, table):
    """Rows and cells of the sheet, the undo, and the tab with what waits for an answer."""
    open_sheet("round beto out ana=101 caro=20 dani=60", "reenter ana")
    page = listener.page
    expect(page.get_by_role("rowheader", name="Total")).to_have_count(1)
    expect(page.get_by_role("link", name="vuelve: 60")).to_have_count(1)
    expect(page.get_by_role("button", name="Deshacer: Ana se reenganchó por $ 100")).to_have_count(1)
    expect(page.get_by_role("button", name="Anotar")).to_have_count(0)
    page.get_by_role("button", name="Ana").first.click()
    expect(page.get_by_role("dialog", name="Ana")).to_be_visible()
    assert [] == page.locator("[tabindex='0']").evaluate_all(
        "boxes => boxes.filter(box => !box.ariaLabel && !box.getAttribute('aria-labelledby')).map(box => box.outerHTML)"
    )


FRAMES = """() => [...document.querySelectorAll(".seat, .seg > *, .total")]
    .filter((one) => one.checkVisibility() && getComputedStyle(one).outlineStyle !== "none")
    .map((one) => one.innerText.split("\\n")[0])"""

TICKED = """() => [...document.querySelectorAll(".seg > *, .tabs > *, .chip")]
    .filter((one) => one.checkVisibility() && getComputedStyle(one, "::after").content.includes("✓"))
    .map((one) => one.innerText.split("\\n").at(-1).trim())"""


@pytest.mark.long
def test_the_systems_own_colours_frame_and_tick_what_is_chosen_and_frame_who_leads(
    open_phone, owner, let_in, table
):
    phone = open_phone(forced_colors="active")
    let_in(phone, owner)
    page = phone.new_page()
    game = play(begin(table, owner, stake=100), owner, *SIX_ROUNDS)
    page.goto(f"/g/{game.code}/")
    assert ["0"] == page.evaluate(FRAMES)
    page.locator(".closers [data-closer=beto]").tap()
    expect(page.locator("#entry[data-ready]")).to_be_visible()
    assert ["A", "Salió", "Cartas"] == page.evaluate(FRAMES)
    assert ["Salió", "Cartas"] == page.evaluate(TICKED)
    page.goto(f"/t/{table.code}/season/")
    assert ["Tabla"] == page.evaluate(TICKED)


@pytest.mark.long
def test_the_names_are_two_stops_from_the_heading_however_many_rounds_there_are(listener, open_sheet):
    for rounds in (1, 6):
        open_sheet(*SIX_ROUNDS[:rounds])
        listener.page.evaluate("document.querySelector('h1').focus()")
        stops = listener.walks_to("link Saltar las manos")
        listener.page.keyboard.press("Enter")
        listener.page.keyboard.press("Tab")
        assert (2, "button Deshacer: Mano") == (stops + 1, listener.focus[:21])


@pytest.mark.long
def test_a_hand_says_when_it_has_too_many_cards_and_when_a_key_has_none_left(listener, open_sheet):
    open_sheet()
    listener.presses("link Saltar las manos")
    listener.presses("link Beto")
    listener.arrives("heading Mano 1 Lo que le quedó a Ana")
    for points in (10, 20, 30, 40, 50, 60, 70, 80):
        listener.types("J")
        listener.hears(f"J: {points}.")
    listener.types("J")
    listener.hears("J: no quedan. J: 80.")
    listener.types("44")
    listener.hears("4: 84. 10 de 9 cartas. 4: 88. Ana tiene más de 9 cartas.")


@pytest.mark.long
def test_the_cards_of_a_cutter_take_the_focus_to_the_heading(listener, open_sheet):
    open_sheet(variant="chinchon")
    listener.presses("link Saltar las manos")
    listener.presses("link Beto")
    listener.presses("button Sus cartas")
    listener.arrives("heading Mano 1")


@pytest.mark.long
def test_at_400_percent_a_focused_column_is_in_view(listener, open_sheet):
    listener.page.set_viewport_size({"width": 320, "height": 256})
    open_sheet(*SIX_ROUNDS)
    listener.walks_to("button Dani")
    box = listener.page.locator(":focus").bounding_box()
    assert box["x"] + box["width"] <= 320


@pytest.mark.long
def test_joining_by_a_link_is_asked_answered_and_watched(listener, open_phone, open_sheet):
    open_sheet()
    listener.presses("button Invitar")
    link = listener.page.locator("#link")
    expect(link).to_have_value(re.compile("/i/"))
    address = link.input_value()
    guest = Listener(open_phone().new_page())
    guest.opens(address[address.index("/i/") :])
    guest.presses("button Beto")
    guest.arrives("heading Loba de Menos mano 1")
    listener.hears("Un celular dice que es Beto.")
    listener.presses("button Sí: Un celular dice que es Beto")
    listener.hears("Dijiste que sí a Beto.")
    guest.hears()


@pytest.mark.long
def test_an_expense_and_a_tick(listener, open_sheet, table):
    open_sheet()
    listener.opens(f"/t/{table.code}/accounts/")
    listener.presses("button Un gasto")
    listener.arrives("heading Un gasto")
    listener.presses("button Anotar el gasto")
    listener.arrives("generic Escribí cuánto se pagó")
    listener.hears()
    listener.walks_to("textbox Cuánto")
    listener.types("1200")
    listener.presses("button Pizza")
    listener.walks_to("radio Ana")
    listener.page.keyboard.press("Space")
    listener.presses("button Ana")
    listener.arrives("heading Cuentas")
    listener.hears("Anotado: Pizza, $ 1.200.")
    listener.presses("button Beto le pagó a Ana")
    listener.hears("Anotado: Beto → Ana, $ 300, en efectivo.")
    listener.presses("button Deshacer: Anotado: Beto → Ana")
    listener.arrives("heading Cuentas")
    listener.hears("Anulado: Beto → Ana, $ 300.")
