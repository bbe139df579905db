"""Opening a game with scripts: another game is one tap, and nobody who was seated gets lost."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from games.models import Game
from tests.browser.nights import begin, play
from tests.browser.scorer import seated_order
from tests.tables import make_table

PEOPLE = ("Ana", "Beto", "Caro", "Dani", "Mariela")


@pytest.fixture
def opened(page, phone, owner, let_in):
    """The page of a new game at a table that last played Loba de Menos for 500."""
    let_in(phone, owner)
    table = make_table(owner, people=PEOPLE)
    play(begin(table, owner, stake=500), owner, "stop refund")
    page.goto(f"/t/{table.code}/new/")
    return page


def _picks(page, game):
    page.locator("#game summary").tap()
    page.locator(f".opt:has([value={game}])").tap()
    expect(page.locator("#game")).not_to_have_attribute("open", "")


def _seats(page, *names):
    for name in names:
        page.locator(f".chip[title='{name}']").tap()


def test_another_game_keeps_the_people_in_their_seats_and_the_stake(opened):
    _seats(opened, "Caro", "Ana", "Mariela")
    opened.locator("#stake").fill("70")
    _picks(opened, "chinchon")
    expect(opened.locator("#stake")).to_have_value("70")
    expect(opened.locator("#cut_prize")).to_have_value("1")

    opened.locator(".dock .go").tap()
    expect(opened.locator(".score")).to_be_visible()
    assert ["Caro", "Ana", "Mariela"] == seated_order(opened)
    state = Game.objects.order_by("-pk")[0].state()
    assert ("chinchon", 70) == (state.variant.key, state.house["stake"])


def test_the_amount_that_is_asked_for_follows_how_the_game_is_settled(opened):
    _picks(opened, "loba_mas")
    expect(opened.locator("#point_value")).to_be_visible()
    expect(opened.locator("#stake")).to_have_count(0)

    opened.locator("#option-settlement").select_option("pot_and_pairs")
    expect(opened.locator("#stake")).to_be_visible()
    expect(opened.locator("#point_value")).to_be_visible()


def test_two_packs_are_thought_of_with_more_than_four_players(opened):
    _picks(opened, "chinchon")
    hint = opened.locator("[data-over]")
    _seats(opened, "Ana", "Beto", "Caro", "Dani")
    expect(hint).to_be_hidden()
    _seats(opened, "Mariela")
    expect(hint).to_be_visible()

    opened.locator("#house summary").tap()
    opened.locator("#option-packs").select_option("2")
    expect(hint).to_be_hidden()
