"""Checking by taps whether a contract was laid down right, from the rules, on a small phone; as a witness
too.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from games.models import Game, Grant, Role
from tests.browser.nights import begin
from tests.browser.scorer import Scorer, until
from tests.tables import make_table, make_user

CHECK, GROUPS = "#check[data-ready]", "#check .group"


@pytest.fixture
def game(owner) -> Game:
    return begin(make_table(owner), owner, variant="carioca_cl")


def opened(phone, game: Game) -> Page:
    """The sheet on a small phone."""
    page: Page = phone.new_page()
    page.set_viewport_size({"width": 360, "height": 640})
    page.goto(f"/g/{game.code}/")
    return page


def asks(page: Page) -> None:
    """Go from any page of the game through the rules to the check."""
    page.locator("a[data-rules]").first.tap()
    page.locator("dialog a[href$='/contract/']").tap()
    expect(page.locator(CHECK)).to_be_visible()


def lies(page: Page) -> list[str]:
    """Return the cards on the table, group by group."""
    return [
        " ".join(text or "*" for text in group.locator(".c, small").all_inner_texts())
        for group in page.locator(GROUPS).all()
    ]


def test_a_witness_sees_the_verdict_while_tapping_cards(phone, let_in, game):
    waldo = make_user("waldo")
    Grant.objects.create(user=waldo, table=game.table, role=Role.WITNESS)
    let_in(phone, waldo)
    page = opened(phone, game)
    scorer = Scorer(page)
    asks(page)
    expect(page.locator("#check select")).to_have_value("2T")
    expect(page.locator("[data-suit]").first).to_be_hidden()

    scorer.holds("9 9 9 K K")
    expect(page.locator(".verdict")).to_have_text("Todavía no. Falta: 1 trío.")
    until(page, lambda: ["9 9 9 trío", "K K lo que sobra"] == lies(page))
    scorer.holds("*")
    expect(page.locator(".verdict")).to_have_text("Sí, bajó bien.")
    until(page, lambda: ["9 9 9 trío", "K K * trío"] == lies(page))

    page.locator("#check select").select_option("1E1T")
    expect(page.locator(".verdict")).to_contain_text("Falta: 1 escalera.")
    scorer.tap("[data-clear]")
    scorer.lays_down("4S * 6S 7S 9H 9H 9D")
    expect(page.locator(".verdict")).to_have_text("Sí, bajó bien.")
    assert page.url.endswith("/contract/")


def test_no_more_copies_of_a_card_can_be_tapped_than_exist(phone, owner, let_in, game):
    let_in(phone, owner)
    page = opened(phone, game)
    scorer = Scorer(page)
    asks(page)
    page.locator("#check select").select_option("2E")
    scorer.lays_down("9H 9H")
    expect(page.locator("[data-card='9']")).to_have_attribute("aria-disabled", "true")
    page.locator("[data-card='9']").tap(force=True)
    assert 2 == page.locator("#check .c").count()
    scorer.tap("[data-suit=S]")
    expect(page.locator("[data-card='9']")).to_have_attribute("aria-disabled", "false")
    expect(page.locator("[data-card='9'] .i-S")).to_be_visible()
    page.locator("#check select").select_option("2T")
    expect(page.locator("[data-card='9'] small")).to_have_text("9")
    page.locator("#check select").select_option("2E")

    scorer.tap("#check .c >> nth=0")
    scorer.tap("[data-erase]")
    expect(page.locator("#check .c")).to_have_count(0)
    expect(page.locator(".verdict")).to_have_count(0)


def test_a_half_entered_round_survives_a_visit_to_the_contract_check(phone, owner, let_in, game):
    let_in(phone, owner)
    page = opened(phone, game)
    scorer = Scorer(page)
    scorer.begin_round()
    scorer.went_out("ana")
    scorer.holds("K 9")
    page.wait_for_load_state("networkidle")  # the preview has arrived
    held = scorer.hands()
    asks(page)
    scorer.goes_back()
    scorer.goes_back()
    scorer.resumes_round()
    until(page, lambda: held == scorer.hands())
