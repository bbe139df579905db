"""How many taps things take: the best scorekeepers around set the ceilings, the figures here are exact."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from games.models import Game
from tests.browser.nights import begin, play
from tests.browser.scorer import ERASE, Scorer, seated_order
from tests.tables import make_table

RISING: dict[str, int | str] = {"stake": 500, "reentry_price": "linear", "reentries": "unlimited"}
REFERENCE_ROUND = "round ana out beto=[K 9 4] caro=[Q J 7 2] dani=[5 3]"
MOST_FOR_A_REMATCH, MOST_FOR_A_NEW_GAME, MOST_FOR_A_ROUND, MOST_FOR_A_CORRECTION = 1, 6, 14, 6


@pytest.fixture
def scorer(page, phone, owner, let_in):
    """The owner's finger."""
    let_in(phone, owner)
    return Scorer(page)


@pytest.fixture
def finished(owner):
    """A game of four on the rising ladder that is over."""
    game = begin(make_table(owner), owner, **RISING)
    return play(game, owner, REFERENCE_ROUND, "stop lowest_wins")


def taps_of(scorer: Scorer, what: str) -> int:
    """The count, printed for whoever runs this with -s."""
    print(f"\n{what}: {scorer.taps}")
    return scorer.taps


def is_played_again(game: Game, scorer: Scorer) -> bool:
    """Whether the sheet shown is that of a new game with the people, rules and stake of this one."""
    expect(scorer.page.locator("a.go[href$='/round/']")).to_be_visible()
    newest = Game.objects.order_by("-pk")[0]
    return (
        newest != game
        and newest.code in scorer.page.url
        and newest.state().house == game.state().house
        and seated_order(scorer.page) == ["Ana", "Beto", "Caro", "Dani"]
    )


@pytest.mark.parametrize("address", ["/g/{code}/settlement/", "/"], ids=["settlement", "home"])
def test_a_rematch_takes_one_tap(scorer, finished, address):
    scorer.page.goto(address.format(code=finished.code))
    scorer.tap("form[action$='/rematch/'] button")
    assert is_played_again(finished, scorer)
    assert 1 == taps_of(scorer, f"rematch from {address}") == MOST_FOR_A_REMATCH


def test_a_new_game_of_four_people_out_of_six_takes_six_taps(scorer, owner):
    table = make_table(owner, people=("Ana", "Beto", "Caro", "Dani", "Mariela", "Raúl"))
    last = begin(table, owner, 5, **RISING)
    play(last, owner, "stop refund")
    scorer.page.goto("/")
    scorer.tap(f"a[href='/t/{table.code}/new/']")
    for name in ("Raúl", "Caro", "Ana", "Mariela"):
        scorer.tap(f".chip[title='{name}']")
    scorer.tap(".dock .go")
    expect(scorer.page.locator(".score")).to_be_visible()
    assert ["Raúl", "Caro", "Ana", "Mariela"] == seated_order(scorer.page)
    assert last.state().house == Game.objects.order_by("-pk")[0].state().house
    assert 6 == taps_of(scorer, "new game from home") == MOST_FOR_A_NEW_GAME


def test_the_reference_round_takes_fourteen_taps_and_no_sums(scorer, owner):
    game = begin(make_table(owner), owner)
    scorer.page.goto(f"/g/{game.code}/")
    scorer.begin_round()
    scorer.went_out("ana")
    scorer.holds("K 9 4")
    scorer.goes_on()
    scorer.holds("Q J 7 2")
    scorer.goes_on()
    scorer.holds("5 3")
    scorer.saves()
    scorer.sees_totals("0", "23", "29", "8")
    assert 14 == taps_of(scorer, "reference round, card by card") == MOST_FOR_A_ROUND


def test_the_reference_round_as_totals_takes_eleven_taps(scorer, owner):
    game = begin(make_table(owner), owner)
    scorer.page.goto(f"/g/{game.code}/")
    scorer.begin_round()
    scorer.went_out("ana")
    scorer.counted(23)
    scorer.goes_on()
    scorer.counted(29)
    scorer.goes_on()
    scorer.counted(8)
    scorer.saves()
    scorer.sees_totals("0", "23", "29", "8")
    assert 11 == taps_of(scorer, "reference round, typed")


def test_a_typed_total_two_rounds_back_takes_six_taps_to_correct(scorer, owner):
    game = begin(make_table(owner), owner)
    play(
        game,
        owner,
        "round beto out ana=12 caro=4 dani=31",
        "round ana out beto=5 caro=6 dani=7",
        REFERENCE_ROUND,
    )
    scorer.page.goto(f"/g/{game.code}/")
    scorer.sees_totals("12", "28", "39", "46")
    scorer.opens_cell("dani", 2)
    scorer.hold(ERASE)
    scorer.counted(13)
    scorer.sees_what_changes()
    assert "46 → 28" == scorer.changes()["Dani"]
    scorer.confirms()
    scorer.sees_totals("12", "28", "39", "28")
    assert 6 == taps_of(scorer, "typed total corrected") == MOST_FOR_A_CORRECTION


@pytest.mark.parametrize("place", [0, 1, 2], ids=["first", "middle", "last"])
def test_a_wrong_card_two_rounds_back_takes_five_taps_to_correct(scorer, owner, place):
    game = begin(make_table(owner), owner)
    play(
        game,
        owner,
        REFERENCE_ROUND,
        "round beto out ana=12 caro=4 dani=31",
        "round caro out ana=5 beto=6 dani=7",
    )
    scorer.page.goto(f"/g/{game.code}/")
    scorer.sees_totals("17", "29", "33", "46")
    scorer.opens_cell("beto", 2)
    wrong = (10, 9, 4)[place]
    scorer.tap(f"[data-held='{place}']")
    scorer.holds("3")
    scorer.sees_what_changes()
    scorer.confirms()
    scorer.sees_totals("17", str(29 - wrong + 3), "33", "46")
    assert 5 == taps_of(scorer, f"card {place + 1} of three corrected") < MOST_FOR_A_CORRECTION
