"""Scripts that take over a form in which a user has begun to type, to tick and to choose."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

import pytest
from playwright.sync_api import Locator, Page, expect

from games.money.services import expenses, payments
from tests.browser.game_setup import begin, play
from tests.browser.late_scripts import HeldScripts, hold_back, let_come, posted_by
from tests.browser.scorer import player_order
from tests.factories import build_expense, find_last_night, make_table, new_key
from tests.page_urls import address_kind, read_pages
from tests.reader import Node

ADDRESSES = ("/", "/new/", "/bring/?what=notebook", "/bring/?what=balances", "/you/")
# The forms that a script changes when it comes, by where they post to, without codes and numbers.
TAKEN_OVER = """
/bring/ /g/-/adjust/ /new/ /t/-/accounts/cost/ /t/-/accounts/costs/-/correct/ /t/-/accounts/pay/ /t/-/new/ /t/-/opening/
"""
OPENED = "a payment whose sheet is open"
# Fields whose script is tested apart, those of the plain roster, and one that only a script fills in.
APART = re.compile(r"(seat|new)-\d+|timezone")

TEXT = "input:is(:not([type]), [type=text]), textarea:not([readonly])"
# Opens what is around a form and in it, and returns the numbers of the controls that can be used.
OPEN = """(form) => {
  form.closest("[popover]")?.showPopover();
  for (let part = form; part; part = part.parentElement) if (part.matches("details")) part.open = true;
  for (const fold of form.querySelectorAll("details")) fold.open = true;
  return [...form.elements].flatMap((one, number) =>
    one.checkVisibility() && !one.matches(":disabled, button, fieldset, [type=file]") ? [[number, one.name]] : []);
}"""
# Fills in the whole form, and ticks whoever gets an amount.
FILL = f"""(form) => {{
  for (const one of [...form.elements].filter((one) => one.checkVisibility() && !one.disabled)) {{
    if (one.matches("[type=checkbox]")) one.checked = one.name.startsWith("for-") || !one.checked;
    else if (one.matches("[type=radio]")) one.checked = true;
    else if (one.matches("select")) one.selectedIndex = one.options.length - 1;
    else if (one.matches("{TEXT}")) one.value = one.inputMode ? "1" : "Mar";
  }}
}}"""
# Puts the focus on a control, the caret at its end, and returns whether it takes text.
FOCUS = f"""([form, number]) => {{
  const one = form.elements[number];
  one.focus();
  const isText = one.matches("{TEXT}");
  if (isText) one.setSelectionRange(one.value.length, one.value.length);
  return isText;
}}"""
FOCUSED = """() => {
  const { name, id, localName, value, selectionStart = null } = document.activeElement;
  return [name || id || localName, value ?? "", selectionStart];
}"""


class Form(NamedTuple):
    """A form of a page: its address, its place among the forms there, and the name of its kind."""

    address: str
    number: int
    kind: str


@pytest.fixture
def forms(client, owner, table) -> list[Form]:
    """One form of each kind: on the pages of the table, of a running and of a finished game, and some others."""
    finished = play(begin(table, owner, stake=100), owner, "round ana out beto=101 caro=102 dani=103")
    running = play(begin(table, owner, stake=100), owner, "round ana out beto=1 caro=2 dani=3")
    ana, beto, *_others = table.members.all()
    payments.create(table, beto, ana, 30, key=new_key(), by=owner)
    night = find_last_night(table)
    assert night is not None
    expenses.create(table, night, build_expense(ana, 90, [ana, beto]), key=new_key(), by=owner)
    client.force_login(owner)
    pages = read_pages(client, table, running, finished, others=ADDRESSES)
    opened = f"/t/{table.code}/accounts/?payer=beto&payee=ana&amount=5"
    return [*{form.kind: form for form in all_forms(pages)}.values(), Form(opened, 0, OPENED)]


def all_forms(pages: dict[str, Node]) -> Iterator[Form]:
    for address, content in pages.items():
        for number, form in enumerate(content.every("form")):
            if form.attrs.get("id") != "entry":
                action = form.attrs.get("action") or address.partition("?")[0]
                yield Form(address, number, address_kind(action))


def open_held(page: Page, form: Form) -> tuple[Locator, list[tuple[int, str]]]:
    """Open the page of a form whose scripts are held back, and return its controls: their numbers and names."""
    page.goto("about:blank")
    page.goto(form.address, wait_until="commit")
    page.evaluate("localStorage.clear()")
    element = page.locator("form").nth(form.number)
    element.wait_for(state="attached")
    expect(page.locator("main > :is(.body, form:not([hidden]))").first).to_be_visible()
    found = element.evaluate(OPEN)
    return element, [(number, name) for number, name in found if not APART.fullmatch(name)]


def check_control(page: Page, form: Form, number: int, name: str, *, is_filled: bool) -> None:
    """Put the focus on this control, let the scripts come, and type on."""
    held = hold_back(page)
    element, _controls = open_held(page, form)
    if is_filled:
        element.evaluate(FILL)
    is_text = page.evaluate(FOCUS, [element.element_handle(), number])
    left_out = {field for field, _value in posted_by(element) if APART.fullmatch(field)}
    if not is_filled and name != "amount":
        left_out.add("amount")  # the form of a payment proposes the debt
    expected, focused = posted_by(element, but=left_out), page.evaluate(FOCUSED)
    let_come(page, held)
    page.unroute_all()

    assert expected == posted_by(element, but=left_out)
    assert focused == page.evaluate(FOCUSED) or (name in ("payer", "payee") and "body" != focused[0])
    if is_text:
        page.keyboard.type("5")
        if name.startswith("share-"):
            left_out.add(name.replace("share-", "for-"))  # an amount ticks its person
        typed = [(field, value + "5" * (field == name)) for field, value in expected if field not in left_out]
        assert typed == posted_by(element, but=left_out)


def last_of_each_kind(controls: list[tuple[int, str]]) -> list[tuple[int, str]]:
    """Return the last control of each kind: `amount-dani` for all rows, the last of several choices."""
    return list({name.partition("-")[0]: (number, name) for number, name in controls}.values())


@pytest.mark.parametrize("is_filled", [True, False], ids=["filled in", "as printed"])
@pytest.mark.parametrize(
    "is_every", [False, pytest.param(True, marks=pytest.mark.long)], ids=["some", "every"]
)
def test_a_form_keeps_what_is_entered_while_its_scripts_come(
    page, signed_in, forms, is_filled, is_every, subtests
):
    kinds = {*TAKEN_OVER.split(), OPENED}
    taken_over = [form for form in forms if is_every or form.kind in kinds]
    assert is_every or len(kinds) == len(taken_over)
    tries = 0
    for form in taken_over:
        held = hold_back(page)
        _element, controls = open_held(page, form)
        let_come(page, held)
        page.unroute_all()
        for number, name in controls if is_every else last_of_each_kind(controls):
            tries += 1
            with subtests.test(f"{form.kind} {name}"):
                check_control(page, form, number, name, is_filled=is_filled)
    assert tries > len(taken_over)


def open_roster(page: Page, address: str) -> HeldScripts:
    """Open the page of a new game while its scripts are held back."""
    page.goto("about:blank")
    held = hold_back(page)
    page.goto(address, wait_until="commit")
    expect(page.locator("[name=new-1]")).to_be_visible()
    return held


def seated(page: Page) -> list[str]:
    """Return the names of the players around the table."""
    names: list[str] = page.locator(".around [data-index]").evaluate_all(
        "seats => seats.map(({ title }) => title)"
    )
    return names


def starts_with(page: Page) -> list[str]:
    """Start the game, and return its players in the order of their seats."""
    page.locator(".dock [data-starts]").tap()
    expect(page.locator(".score")).to_be_visible()
    return list(player_order(page))


@pytest.mark.long
def test_a_name_that_is_being_typed_goes_on_in_the_field_for_names(page):
    for first, rest, names in (
        ("Mar", "ta", ["Marta"]),
        ("Beto, Ca", "ro", ["Beto", "Caro"]),
        ("María ", "Inés", ["María Inés"]),
    ):
        held = open_roster(page, "/new/")
        page.evaluate("localStorage.clear()")
        page.locator("[name=new-1]").fill("Ana")
        page.locator("[name=new-2]").fill(first)
        let_come(page, held)
        assert ["Ana"] == seated(page)
        expect(page.locator("#new-name")).to_be_focused()
        expect(page.locator("#new-name")).to_have_value(first)
        page.keyboard.type(rest)
        page.keyboard.press("Enter")
        assert ["Ana", *names] == seated(page)
    assert ["Ana", "María Inés"] == starts_with(page)


@pytest.mark.long
def test_the_caret_in_a_name_is_where_it_was(page):
    held = open_roster(page, "/new/")
    page.locator("[name=new-1]").fill("Mta")
    for key in ("Home", "ArrowRight"):
        page.keyboard.press(key)
    let_come(page, held)
    page.keyboard.type("ar")
    expect(page.locator("#new-name")).to_have_value("Marta")


@pytest.mark.long
def test_finished_names_are_seated_one_by_one(page):
    held = open_roster(page, "/new/")
    page.locator("[name=new-1]").fill("Ana")
    page.locator("[name=new-2]").fill("Beto, Caro")
    page.locator("[name=new-3]").fill("ana")
    page.locator("h1").click()
    let_come(page, held)
    assert ["Ana", "Beto", "Caro"] == seated(page)
    expect(page.locator("#new-name")).to_have_value("ana")  # already seated
    expect(page.locator("#new-name-said")).to_have_text("Ana ya está en la mesa.")


def test_the_seats_of_the_plain_form_count_and_nobody_who_came_in_before_is_lost(page, signed_in, owner):
    table = make_table(owner, people=("Ana", "Beto", "Caro", "Dani"))
    play(begin(table, owner, 3), owner, "stop refund")  # Ana, Beto and Caro
    address = f"/t/{table.code}/new/"
    page.goto(address)
    page.locator("#new-name").fill("Zulma")
    page.locator("[data-add] button").tap()
    assert ["Ana", "Beto", "Caro", "Zulma"] == seated(page)

    held = open_roster(page, address)
    page.locator("[name=seat-2]").select_option("dani")
    page.locator("[name=new-4]").fill("Vera")
    page.locator("[name=seat-3]").focus()
    let_come(page, held)
    assert ["Ana", "Dani", "Caro", "Vera", "Zulma"] == seated(page)
    expect(page.locator(".around [title=Caro]")).to_be_focused()
    page.reload()
    expect(page.locator("[data-plain][hidden]")).to_have_count(1)
    assert ["Ana", "Dani", "Caro", "Vera", "Zulma"] == seated(page)


@pytest.mark.long
def test_a_refused_name_and_one_that_is_being_typed_stay_in_the_field(page):
    held = open_roster(page, "/new/")
    page.locator("[name=new-1]").fill("María de los Ángeles Fernández")
    page.locator("[name=new-2]").fill("Beto")
    held.clear()  # the next page asks for its own
    page.locator(".dock [data-starts]").click(no_wait_after=True)
    expect(page.locator("[name=new-1][aria-invalid]")).to_be_visible()
    page.locator("[name=new-3]").fill("Car")
    let_come(page, held)
    page.keyboard.type("o")
    expect(page.locator("#new-name")).to_have_value("María de los Ángeles Fernández, Caro")
    assert ["Beto"] == seated(page)


@pytest.mark.long
def test_no_script_takes_the_focus_from_the_name_of_the_table(page):
    held = open_roster(page, "/new/")
    page.locator("#naming > summary").click()
    page.locator("[name=table-name]").fill("Los ")
    let_come(page, held)
    page.keyboard.type("jueves")
    expect(page.locator("[name=table-name]")).to_have_value("Los jueves")


@pytest.mark.long
def test_an_amount_that_is_emptied_is_not_filled_in_under_the_finger(page, signed_in, owner):
    table = make_table(owner, people=("Ana", "Beto"))
    play(begin(table, owner, stake=5000), owner, "round ana out beto=101")
    page.goto(f"/t/{table.code}/accounts/?payer=beto&payee=ana")
    amount = page.locator("#pay [name=amount]")
    expect(amount).to_have_value("5.000")
    amount.focus()
    page.keyboard.press("End")
    for _letter in "5.000":
        page.keyboard.press("Backspace")
    page.keyboard.type("3")
    expect(amount).to_have_value("3")
