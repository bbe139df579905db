"""The second tap of a double tap does nothing, whatever page it hits."""

from __future__ import annotations

import re
import time

import pytest
from playwright.sync_api import Page, expect

from games.models import Game
from tests.browser.game_setup import begin, play
from tests.factories import grant_access, make_user

SOON = 250  # milliseconds
GAP = 0.6  # seconds between two taps; the answer to the first arrives in between


def tap_element_twice(page: Page, selector: str, *, across: float = 0.5) -> None:
    """Tap this element, and the same place again after a moment. `across` is a share of its width."""
    box = page.locator(selector).first.bounding_box()
    assert box is not None
    place = box["x"] + box["width"] * across, box["y"] + box["height"] / 2
    began = time.monotonic()
    page.touchscreen.tap(*place)
    time.sleep(max(0.0, began + GAP - time.monotonic()))
    page.touchscreen.tap(*place)
    page.wait_for_timeout(900)


# Stores how the next player's key looks as soon as the answer has arrived.
AT_REST = """() => {
  window.seen = [];
  document.addEventListener("htmx:afterSettle", () => {
    const { pointerEvents, opacity } = getComputedStyle(document.querySelector(".says button.yes"));
    window.seen.push([pointerEvents, opacity]);
  }, { once: true });
}"""


def test_a_double_tap_saves_undoes_and_pays_once(scorer, owner, table):
    page, game = scorer.page, begin(table, owner, stake=100)
    play(game, owner, *(f"round ana out beto={beto} caro=9 dani=8" for beto in (3, 4, 5)))
    page.goto(f"/g/{game.code}/")
    scorer.begin_round("ana")
    scorer.enters(7, 12, 40)
    tap_element_twice(page, "[data-go]", across=0.4)  # where a face is on the next page
    expect(page.locator(".closers")).to_be_visible()  # and no next round was opened
    assert 4 == len(game.state().rounds)

    expect(page.locator("body.rests")).to_have_count(0)
    tap_element_twice(page, "form[action$='/undo/'] button")
    assert 3 == len(game.state().rounds)

    play(game, owner, "stop lowest_wins")
    page.goto(f"/t/{table.code}/accounts/")
    tap_element_twice(page, "#tick-beto-ana")
    expect(page.locator("#debts .pay.done")).to_have_count(1)
    assert [("beto", "ana", 100)] == [
        (payment.payer.slug, payment.payee.slug, payment.amount)
        for payment in table.payments.filter(ended_at=None)
    ]


@pytest.mark.long
def test_a_link_takes_the_tap_that_comes_soon_after_its_page(scorer, started_game):
    page, sheet = scorer.page, re.compile(f"/g/{started_game.code}/$")
    page.goto(f"/g/{started_game.code}/")
    page.locator("a.icon[href$='/more/']").tap()
    back = page.locator("main > .bar a.icon").first
    expect(page).to_have_url(re.compile("/more/$"))
    page.wait_for_timeout(SOON)
    back.tap(timeout=1000)
    expect(page).to_have_url(sheet)
    page.wait_for_timeout(SOON)
    page.touchscreen.tap(24, 24)
    expect(page).not_to_have_url(sheet)


@pytest.mark.long
def test_in_the_lobby_the_next_person_is_let_in_after_400_milliseconds(scorer, table):
    phones = [grant_access(make_user(slug), table, face=slug) for slug in ("beto", "caro", "dani")]
    page = scorer.page
    page.goto(f"/t/{table.code}/people/")
    page.evaluate(AT_REST)
    yes = page.locator(".claims .says button.yes")
    for waiting in (3, 2):
        expect(yes).to_have_count(waiting)
        if waiting == 2:
            page.wait_for_timeout(400)
            assert [["none", "0.5"]] == page.evaluate("window.seen")  # the keys were inactive, visibly
        box = yes.first.bounding_box()
        page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(yes).to_have_count(1)
    assert 2 == table.accesses.lasting().filter(pk__in=[phone.pk for phone in phones]).count()


@pytest.mark.long
def test_a_refused_round_of_chinchon_lets_its_keys_rest_as_long_as_any_other(start, owner):
    scorer = start("chinchon")
    page = scorer.page
    scorer.begin_round("ana")
    scorer.cuts_with(3)
    for player in ("beto", "caro", "dani"):
        scorer.opens(player)
        scorer.counted(30)
    play(Game.objects.get(), owner, "round beto cut ana=9 beto=3 caro=9 dani=9")  # by another phone
    page.evaluate("""() => document.addEventListener("htmx:afterSettle", () => setTimeout(() => {
      window.seen = document.body.classList.contains("rests");
    }, 400), { once: true })""")
    with page.expect_response(lambda response: 409 == response.status):
        page.locator("[data-go]").tap()
    expect(page.locator("[data-rest]").first).to_be_attached()
    page.wait_for_timeout(600)

    assert page.evaluate("window.seen") is True
