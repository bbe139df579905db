"""A whole game of Chinchón by taps: cuts, leftovers, cards placed on melds, re-entries, a chinchón."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from games.models import Game
from tests.browser.nights import begin
from tests.browser.scorer import Scorer, plain, seat
from tests.browser.settled import pages_match_their_text
from tests.worlds import make_table


@pytest.fixture
def start(page, phone, owner, let_in):
    """`start(people=4, **options)` is the owner at the sheet of a game that has just begun."""
    let_in(phone, owner)

    def begin_game(people=("Ana", "Beto", "Caro", "Dani"), **options):
        table = make_table(owner, people=people)
        game = begin(table, owner, variant="chinchon", stake=1000, cut_prize=300, **options)
        page.goto(f"/g/{game.code}/")
        return Scorer(page)

    return begin_game


def groups(scorer: Scorer) -> list[str]:
    """Return the groups into which the server divided the open hand of seven cards."""
    return [plain(text) for text in scorer.page.locator("[data-cards] .group").all_inner_texts()]


def test_a_game_of_chinchon_is_played_to_its_end(start, tmp_path):
    scorer = start()
    page = scorer.page
    scorer.begin_round("ana")
    scorer.cuts_with(3)
    scorer.enters("12 7 4", "11 2", "10 5")
    assert ["3", "23", "13", "15"] == scorer.hands()
    scorer.saves()
    scorer.sees_totals("3", "23", "13", "15")

    a_closed_cut_with_cards_to_place(scorer)
    scorer.sees_totals("−7", "13", "71", "29")

    scorer.begin_round("beto")
    scorer.tap("[data-rest=digits]")
    scorer.counted(9)
    scorer.goes_on()
    scorer.has_nothing_left()
    scorer.goes_on()
    scorer.enters(40, "12 11 10")
    assert ["−10", "9", "40", "33"] == scorer.hands()
    expect(page.locator("#consequences")).to_contain_text("Beto")
    scorer.saves()
    expect(page.locator("h2.ask:visible")).to_have_text("¿Se reengancha Caro?")
    scorer.answers("reenter")
    scorer.sees_totals("−17", "22", "62", "62")

    scorer.begin_round()
    scorer.went_out("nobody")
    scorer.enters(10, 12, "3 2 1", 50)
    scorer.saves()
    expect(page.locator("h2.ask:visible")).to_have_text("¿Se reengancha Dani?")
    scorer.answers("stay_out")
    scorer.sees_totals("−7", "34", "68", "112")

    scorer.begin_round("caro")
    scorer.cuts("chinchon")
    expect(page.locator("#consequences")).to_contain_text("Caro")
    scorer.opens("beto")  # Ana's hand stays in the form, but does not count: somebody else may have cut.
    expect(page.locator("#entry[data-step=closer]")).to_be_visible()
    scorer.went_out("caro")
    scorer.saves()
    expect(page.locator("h1")).to_contain_text("Caro")
    seen = pages_match_their_text(scorer, tmp_path)
    scorer.page.goto(f"/g/{Game.objects.get().code}/")
    expect(page.locator(".score .cut").last).to_contain_text("chinchón")
    assert {"Ana": -7, "Beto": 34, "Caro": 68, "Dani": 112} == seen.totals
    assert {"Dani"} == seen.gone
    assert 0 == sum(seen.nets.values())
    assert seen.nets["Caro"] == max(seen.nets.values())


def a_closed_cut_with_cards_to_place(scorer: Scorer) -> None:
    """Enter a closed cut: Beto places a card on Ana's seven, Caro's are typed, Dani's declared."""
    page = scorer.page
    scorer.begin_round("ana")
    scorer.cuts("cards")
    scorer.holds_seven("4o 4c 4e 5o 6o 7o 8o")
    expect(page.locator("[data-sum] b")).to_have_text("−10")
    scorer.goes_on()
    scorer.holds_seven("1o 2o 3o 4b 10c 11c 12c")
    scorer.goes_on()
    scorer.counted(58)
    scorer.goes_on()
    scorer.tap("[data-way=left]")
    scorer.holds("12 2")
    expect(page.locator(seat("beto")).locator("b")).to_have_text("−10")
    scorer.opens("beto")
    assert ["1 2 3 escalera", "10 11 12 escalera", "4 va con los 4 de Ana"] == sorted(groups(scorer))
    assert ["−10", "−10", "58", "14"] == scorer.hands()
    scorer.saves()


def test_a_half_entered_hand_of_seven_survives_a_reload(start):
    scorer = start()
    page = scorer.page
    scorer.begin_round("ana")
    scorer.cuts_with(5)
    scorer.holds_seven("5o 6o 7o 4b")
    page.reload()
    expect(page.locator("[data-held]")).to_have_count(4)
    expect(page.locator("[data-suit=b]")).to_have_attribute("aria-pressed", "true")
    assert ["5", "·", "·", "·"] == scorer.hands()
    scorer.holds_seven("1c 3e 10b")
    expect(page.locator("[data-sum] b")).to_have_text("hasta 18")
    assert ["5 6 7 escalera", "4 1 3 10 lo que sobra"] == groups(scorer)


def test_switching_between_seven_cards_and_leftovers_keeps_both_entries(start):
    scorer = start()
    scorer.begin_round("ana")
    scorer.cuts_with(5)
    scorer.holds("12 4")
    scorer.holds_seven("5o 6o")
    assert "·" == scorer.hands()[1]
    scorer.tap("[data-way=left]")
    assert "16" == scorer.hands()[1]
    scorer.tap("[data-way=seven]")
    expect(scorer.page.locator("[data-held]")).to_have_count(2)


def test_an_eighth_or_repeated_card_of_a_hand_is_refused(start):
    scorer = start()
    scorer.begin_round("ana")
    scorer.cuts_with(5)
    held, five, nine = (
        scorer.page.locator(f"[{name}]") for name in ("data-held", "data-card='5'", "data-card='9'")
    )
    scorer.holds_seven("5o")
    five.tap(force=True)
    expect(scorer.page.locator("[data-wrong]")).to_have_text("5 de oros: no quedan")
    expect(held).to_have_count(1)
    scorer.holds_seven("5c 5e 5b 6b 7b 8b")
    nine.tap(force=True)
    expect(scorer.page.locator("[data-wrong]")).to_have_text("Ya están las 7 cartas")
    expect(held).to_have_count(7)


def test_an_eighth_leftover_card_is_refused(start):
    scorer = start()
    scorer.begin_round("ana")
    scorer.cuts_with(5)
    scorer.holds("1 1 2 2 3 3 4")
    scorer.page.locator("[data-card='4']").tap(force=True)
    expect(scorer.page.locator("[data-held]")).to_have_count(7)
    scorer.takes_back()
    scorer.holds("12")
    assert "24" == scorer.hands()[1]


def test_a_wild_ace_of_coins_has_its_own_key(start):
    scorer = start(wilds="ace_of_coins", packs=2)
    scorer.begin_round("ana")
    scorer.cuts_with(7)
    scorer.holds("1 1o")
    assert "26" == scorer.hands()[1]
    scorer.holds_seven("1o 4c 5c")
    assert ["[1 1o]", ""] == [
        scorer.page.evaluate("JSON.parse(localStorage[Object.keys(localStorage).find(key => key.startsWith('draft:'))]).state.aside.beto"),
        scorer.page.locator("[name=hand-beto]").input_value(),
    ]  # fmt: skip


def test_the_cards_of_the_other_entry_mode_are_kept(start):
    scorer = start()
    scorer.begin_round("ana")
    scorer.cuts_with(3)
    sum_row, field = scorer.page.locator("[data-sum]"), scorer.page.locator("[name=hand-beto]")
    scorer.holds_seven("5o 6o")
    expect(sum_row).to_have_text("lleva 0 · faltan 5 cartas")
    scorer.tap("[data-way=left]")
    expect(field).to_have_value("[5 6]")
    scorer.tap("[data-way=seven]")
    scorer.holds_seven("7o 4b 1c 3e")
    expect(sum_row).to_have_text("lleva 0 · falta 1 carta")
    scorer.holds_seven("10b")
    expect(scorer.page.locator(".group.left")).to_be_visible()
    scorer.tap("[data-way=left]")
    expect(field).to_have_value("[5 6]")  # unchanged since it was left


def test_switching_from_seven_cards_to_leftovers_keeps_the_cards_left_over(start):
    scorer = start()
    scorer.begin_round("ana")
    scorer.cuts_with(3)
    scorer.holds_seven("5o 6o 7o 4b 1c 3e 10b")
    expect(scorer.page.locator(".group.left")).to_be_visible()
    scorer.tap("[data-way=left]")
    assert "18" == scorer.hands()[1]
    expect(scorer.page.locator("[data-cards] .c")).to_have_text(["4", "1", "3", "10"])


def test_the_keys_show_the_suit_that_they_enter(start):
    scorer = start()
    scorer.begin_round("ana")
    scorer.cuts_with(3)
    king = scorer.page.locator("[data-card='12']")
    expect(king.locator("small")).to_have_text("12")
    scorer.holds_seven("12e")
    expect(king.locator("small .i-e")).to_be_visible()
    scorer.tap("[data-way=left]")
    expect(king.locator("small")).to_have_text("12")


def test_the_back_button_returns_to_the_cut_with_its_points(start):
    scorer = start()
    scorer.begin_round("ana")
    scorer.cuts_with(3)
    scorer.tap("[data-previous]")
    expect(scorer.page.locator("[data-points='3']")).to_have_attribute("aria-pressed", "true")
    expect(scorer.page.locator("[data-whose] > .name")).to_have_text("Ana")


def test_a_round_of_eight_people_is_entered_by_taps(start):
    people = ("Ana", "Beto", "Caro", "Dani", "Eva", "Fede", "Gaby", "Hugo")
    scorer = start(people, packs=2)
    scorer.begin_round("gaby")
    scorer.cuts_with(7)
    scorer.enters("1", "2", "3", "4", "5", "6", "7")
    scorer.saves()
    scorer.sees_totals("1", "2", "3", "4", "5", "6", "7", "7")
    assert 1 + 1 + 7 + 6 + 1 == scorer.taps


def test_the_margins_of_eight_people_are_on_the_line_of_their_caption(start):
    scorer = start(people=("Ana", "Beto", "Caro", "Dani", "Eva", "Fede", "Gabi", "Hugo"), packs=2)
    line = "bottom => bottom.getBoundingClientRect().bottom"
    word = scorer.page.get_by_text("y afuera", exact=True).evaluate(line)
    figures = scorer.page.locator(".score .margin > [aria-hidden]").evaluate_all(f"all => all.map({line})")
    assert 8 == len(figures)
    assert all(abs(word - figure) < 4 for figure in figures)


def test_leftovers_show_no_final_points_while_cards_may_still_be_placed(start):
    scorer = start()
    scorer.begin_round("ana")
    scorer.cuts("cards")
    scorer.holds_seven("3o 4o 5o 10c 11c 12c 2b")
    scorer.goes_on()
    scorer.holds_seven("6o 12b 9e 7c 1c 3e 10b")
    total = scorer.page.locator("[data-sum]")
    expect(total).to_contain_text("hasta 48")
    assert ["≤2", "≤48"] == scorer.hands()[:2]
    scorer.goes_on()
    scorer.enters(3, 5)
    expect(scorer.page.locator("#consequences li").first).to_be_visible()
    until_final = scorer.page.locator(seat("beto")).locator("b")
    expect(until_final).to_have_text("42")
