"""Every form with a text to type, refused once on a small phone: what is refused stands in sight.

`money/views/test_refusals.py` has the refusals about money; `tables/views/test_refusals.py` has the refusals about
tables.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from games.money.services import payments
from tests.browser.game_setup import begin, play
from tests.factories import new_key
from tests.page_urls import address_kind, read_pages
from tests.reader import Node

SMALL = {"viewport": {"width": 360, "height": 640}}
FORMS = "form:not(#entry):has(input:is(:not([type]), [type=text]), textarea:not([readonly]))"
ADDRESSES = ("/", "/new/", "/bring/?what=notebook", "/you/")
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
# Returns whether a sentence that refuses is on the screen with nothing over it.
IS_SEEN = """() => {
  const parts = [...document.querySelectorAll(".errors, .wrong")].filter((one) => one.textContent.trim());
  const isSeen = (part) => {
    const { left, top, right, bottom, width } = part.getBoundingClientRect();
    const front = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    return width > 2 && top >= 0 && bottom <= innerHeight && part.contains(front);
  };
  return parts.some(isSeen);
}"""
SCROLLED = 100  # milliseconds


@pytest.fixture
def pages(client, owner, table):
    """Every page of the table, of a running and of a finished game, and some others, by address."""
    finished = play(begin(table, owner, stake=100), owner, "round ana out beto=101 caro=102 dani=103")
    running = begin(table, owner, stake=100)
    ana, beto, *_others = table.members.all()
    payments.create(table, beto, ana, 30, key=new_key(), by=owner)
    client.force_login(owner)
    return read_pages(client, table, running, finished, others=ADDRESSES)


def has_text_field(form: Node) -> bool:
    """Return whether FORMS selects this form."""
    is_typed = any(field.attrs.get("type", "text") == "text" for field in form.every("input"))
    return is_typed or any("readonly" not in field.attrs for field in form.every("textarea"))


def refuse(page: Page, address: str, number: int) -> bool:
    """Spoil and send this form of the page. Return whether it is refused in sight, by the site or the page."""
    page.goto(address)
    page.locator(FORMS).nth(number).evaluate(SPOIL)
    page.wait_for_function(IS_SEEN)
    page.wait_for_timeout(SCROLLED)
    is_still_seen: bool = page.evaluate(IS_SEEN)
    return is_still_seen


def test_no_refused_form_leaves_its_sentence_out_of_sight(open_phone, let_in, owner, pages, subtests):
    phone = open_phone(**SMALL)
    let_in(phone, owner)
    page, refused = phone.new_page(), set()
    for address, content in pages.items():
        forms = [form for form in content.every("form") if form.attrs.get("id") != "entry"]
        for number, form in enumerate(filter(has_text_field, forms)):
            kind = address_kind(form.attrs.get("action") or address)
            if kind in refused:
                continue
            refused.add(kind)
            with subtests.test(kind):
                assert refuse(page, address, number)

    assert set() == set(REFUSED.split()) ^ refused


def test_a_form_sent_before_its_script_came_is_refused_in_sight(open_phone, let_in, owner, table, subtests):
    phone, late = open_phone(**SMALL), []
    let_in(phone, owner)
    phone.route("**/app.js", lambda request: late.append(request))
    for address in ("/new/", f"/t/{table.code}/new/"):
        page = phone.new_page()
        page.goto(address, wait_until="commit")
        page.locator(FORMS).first.evaluate(SPOIL)
        page.locator("main :is(.errors, .wrong:not(:empty))").first.wait_for(state="attached")
        late.pop().continue_()
        page.wait_for_selector("[data-roster][data-ready]")
        page.wait_for_timeout(SCROLLED)
        with subtests.test(address):
            assert page.evaluate(IS_SEEN)
        page.close()
