"""Every form with a text to type, refused once on a small phone: what is refused stands in sight."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, TimeoutError, expect

from games.money.services import payments
from tests.browser.game_setup import begin, play
from tests.factories import new_key
from tests.page_urls import page_url, visible_pages

SMALL = {"viewport": {"width": 360, "height": 640}}
FORMS = "form:not(#entry):has(input:is(:not([type]), [type=text]), textarea:not([readonly]))"
ADDRESSES = {"home": "/", "a new table": "/new/", "bring": "/bring/?what=notebook", "your account": "/you/"}
# The forms, by where they post to, without codes and numbers.
REFUSED = """
/bring/ /g/-/adjust/ /g/-/replace/ /g/-/rules/correct/ /link/ /new/ /t/-/accounts/cost/
/t/-/accounts/of/ana/ /t/-/accounts/pay/ /t/-/accounts/payments/-/ /t/-/erase/ /t/-/me/ /t/-/members/
/t/-/members/ana/ /t/-/new/ /t/-/notebook/ /t/-/opening/ /t/-/seasons/begin/ /t/-/seasons/change/
/t/-/settings/change/name/ /you/password/ /you/tokens/
"""
# Types what no field takes, and scrolls away from the key that sends it.
SPOIL = """(form) => {
  form.noValidate = true;
  form.closest("[popover]")?.showPopover();
  for (let part = form; part; part = part.parentElement) if (part.matches("details")) part.open = true;
  for (const field of form.elements) {
    if (!field.matches("input:is(:not([type]), [type=text]), textarea")) continue;
    field.removeAttribute("maxlength");
    field.value = `${"x".repeat(110)}, ${"y".repeat(110)}`; // two people who wish to start a game
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }
  const keys = [...form.elements].filter((field) => field.type === "submit" && !field.matches(".vh"));
  document.querySelector("main > .body")?.scrollTo(0, 0);
  (keys.find((key) => key.matches(".go")) ?? keys.at(-1)).click();
}"""
# Returns the sentences that refuse, and whether one of them is on the screen with nothing over it.
LOOK = """() => {
  const parts = [...document.querySelectorAll(".errors, .wrong")].filter((one) => one.textContent.trim());
  const isSeen = (part) => {
    const { left, top, right, bottom, width } = part.getBoundingClientRect();
    const front = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    return width > 2 && top >= 0 && bottom <= innerHeight && part.contains(front);
  };
  return [parts.length > 0, parts.some(isSeen)];
}"""


@pytest.fixture
def addresses(client, owner, table):
    """The address of every page with a form, by name."""
    finished = play(begin(table, owner, stake=100), owner, "round ana out beto=101 caro=102 dani=103")
    running = begin(table, owner, stake=100)
    ana, beto, *_others = table.members.all()
    payments.create(table, beto, ana, 30, key=new_key(), by=owner)
    client.force_login(owner)
    pages, games = [], {game.code: game for game in (running, finished)}
    for name, answer in visible_pages(client, table, *games.values()):
        if answer.headers.get("Content-Type", "").startswith("text/html") and "live" not in name:
            page_name, _space, code = name.partition(" ")
            pages.append(page_url(page_name, game=games.get(code, running), table=table))
    return [*ADDRESSES.values(), *pages]


def refuse(page: Page, address: str, number: int) -> list[Any]:
    page.goto(address)
    try:
        with page.expect_response(lambda answer: answer.status == 422, timeout=4000):
            page.locator(FORMS).nth(number).evaluate(SPOIL)
        expect(page.locator(".errors, .wrong", has_text=re.compile(r"\S")).first).to_be_attached()
        page.wait_for_timeout(100)  # for the scroll
    except TimeoutError:
        pass  # the page refuses it without the site
    found: list[Any] = page.evaluate(LOOK)
    return found


def test_no_refused_form_leaves_its_sentence_out_of_sight(open_phone, let_in, owner, addresses, subtests):
    phone = open_phone(**SMALL)
    let_in(phone, owner)
    page, refused = phone.new_page(), set()
    for address in addresses:
        page.goto(address)
        targets = page.locator(FORMS).evaluate_all(
            "forms => forms.map((form) => form.getAttribute('action'))"
        )
        for number, target in enumerate(targets):
            kind = re.sub(r"/[a-z0-9]{11}/|/\d+/", "/-/", target or address)
            if kind in refused:
                continue
            refused.add(kind)
            with subtests.test(kind):
                assert [True, True] == refuse(page, address, number)

    assert set() == set(REFUSED.split()) ^ refused
