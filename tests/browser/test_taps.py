"""The exact number of taps that each task takes, under limits set by the best scorekeeping apps."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from games.models import Game
from tests.browser.game_setup import RISING, begin, play
from tests.browser.scorer import Scorer, player_order
from tests.factories import load_balances, make_table

REFERENCE_ROUND = "round ana out beto=[K 9 4] caro=[Q J 7 2] dani=[5 3]"
MOST_FOR_A_REMATCH, MOST_FOR_A_NEW_GAME, MOST_FOR_A_CORRECTION = 1, 4, 6
MOST_FOR_A_NEWCOMER, MOST_LETTERS_OF_A_NEWCOMER = 18, 40


def report_taps(scorer: Scorer, what: str) -> int:
    """Return the number of taps, and print it for a run with -s."""
    print(f"\n{what}: {scorer.taps}")
    return scorer.taps


def test_a_rematch_takes_one_tap(page, signed_in, table, owner):
    game = begin(table, owner, stake=500, **RISING)
    for address in ("/g/{code}/settlement/", "/"):
        finished, scorer = play(game, owner, REFERENCE_ROUND, "stop lowest_wins"), Scorer(page)
        page.goto(address.format(code=finished.code))
        scorer.tap("form[action$='/rematch/'] button")
        expect(page.locator(".closers")).to_be_visible()
        game = Game.objects.latest("pk")
        assert game != finished
        assert game.code in page.url
        assert finished.state().house == game.state().house
        assert ["Ana", "Beto", "Caro", "Dani"] == player_order(page)
        assert 1 == report_taps(scorer, f"rematch from {address}") == MOST_FOR_A_REMATCH


def test_a_newcomer_starts_a_game_of_four_and_saves_a_round_in_eighteen_taps(page):
    names, table = "Ana, Beto, Caro, Dani", "Los jueves"
    scorer, refusals = Scorer(page), []
    page.on("response", lambda answer: refusals.extend([answer.url] if answer.status >= 400 else []))
    page.goto("/")
    scorer.tap(".dock .go")
    scorer.tap("[data-add] input")
    page.keyboard.type(names)
    expect(page.locator(".around .coming .name")).to_have_text(["Ana", "Beto", "Caro", "Dani"])
    scorer.tap("#naming summary")
    scorer.tap("#table-name")
    page.keyboard.type(table)
    scorer.tap(".dock .go")
    scorer.begin_round("ana")
    scorer.enters("K 9 4", "Q J 7 2", "5 3")
    scorer.saves()
    scorer.sees_totals("0", "23", "29", "8")
    assert table == Game.objects.get().table.name
    assert [] == refusals
    assert 18 == report_taps(scorer, "a newcomer's first round") <= MOST_FOR_A_NEWCOMER
    assert 31 == len(names + table) <= MOST_LETTERS_OF_A_NEWCOMER


def test_replacing_one_of_four_players_for_a_new_game_takes_four_taps(scorer, owner):
    table = make_table(owner, people=("Ana", "Beto", "Caro", "Dani", "Mariela", "Raúl"))
    last = begin(table, owner, 4, stake=500, **RISING)
    play(last, owner, "stop refund")
    scorer.page.goto("/")
    scorer.tap(f"a[href='/t/{table.code}/new/']")
    for name in ("Beto", "Raúl"):
        scorer.tap(f".chip[title='{name}']")
    scorer.tap(".dock .go")
    expect(scorer.page.locator(".score")).to_be_visible()
    assert ["Ana", "Caro", "Dani", "Raúl"] == sorted(player_order(scorer.page))
    assert last.state().house == Game.objects.order_by("-pk")[0].state().house
    assert 4 == report_taps(scorer, "new game from home") == MOST_FOR_A_NEW_GAME


def test_a_chinchon_takes_three_taps(start):
    scorer = start("chinchon")
    scorer.begin_round("ana")
    scorer.cuts("chinchon")
    scorer.saves()
    expect(scorer.page.locator("h1")).to_contain_text("Ana")
    assert 3 == report_taps(scorer, "a chinchón")


def test_a_penalty_takes_four_taps_and_other_points_can_be_typed(start):
    scorer = start()
    page, adjust = scorer.page, "a[href$='/adjust/']"
    ana, dani = (f".chip:has([value={player}])" for player in ("ana", "dani"))
    scorer.tap("a.icon[href$='/more/']")
    for target in (adjust, ana, "[data-to='10']", ".dock .go"):
        scorer.tap(target)
    expect(page.locator("#last")).to_contain_text("Ana +10: multa")
    assert 4 == report_taps(scorer, "a penalty") - 1

    scorer.tap("a.icon[href$='/more/']")
    for target in (adjust, dani, "[data-to='no respetó una regla']"):
        scorer.tap(target)
    page.locator("#points").fill("-12")
    scorer.tap(".dock .go")
    expect(page.locator("#last")).to_contain_text("Dani −12: no respetó una regla")


# The recorded line, the player whose hand of the first round is corrected, the correction, and the totals
# after it.
CORRECTIONS = {
    "a card": (
        "loba_menos",
        (REFERENCE_ROUND, "round beto out ana=12 caro=4 dani=31", "round caro out ana=5 beto=6 dani=7"),
        "beto",
        (("tap", "[data-held='0']"), ("holds", "3")),
        ("17", "22", "33", "46"),
    ),
    "the size of a set": (
        "loba_mas",
        ("round ana out ana={9 9 9} beto={K K K}[4] caro=8 dani=9",),
        "beto",
        (("tap", "[data-meld='0']"), ("holds", "K")),
        ("11", "7", "8", "9"),
    ),
}


def test_a_correction_takes_five_taps(page, signed_in, table, owner):
    for name, (variant, lines, player, acts, totals) in CORRECTIONS.items():
        game, scorer = play(begin(table, owner, variant=variant), owner, *lines), Scorer(page)
        page.goto(f"/g/{game.code}/")
        scorer.opens_cell(player, 2)
        scorer.does(acts)
        scorer.sees_what_changes()
        scorer.confirms()
        scorer.sees_totals(*totals)
        assert 5 == report_taps(scorer, f"{name} corrected") < MOST_FOR_A_CORRECTION


def test_paying_what_one_owes_takes_one_tap(page, signed_in, owner, table, pay, confirm_as):
    confirm_as(owner, "ana")
    for address in ("accounts/", "accounts/of/ana/", ""):
        pay("beto", "ana", 5000)
        scorer = Scorer(page)
        page.goto(f"/t/{table.code}/{address}")
        scorer.tap(page.get_by_role("button", name=re.compile("Ya (le )?pagué")))
        expect(page.get_by_text("Deshacer").first).to_be_visible()
        assert 1 == report_taps(scorer, f"paying from /{address}")
        assert {0} == {*load_balances(table).values()}
