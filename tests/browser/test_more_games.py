"""Whole nights of games that are not from here, from the list of games to who pays whom."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from games.models import Game
from games.scoring.ledger import nets
from tests.browser.scorer import Scorer, plain
from tests.worlds import become, make_table, make_user

MINUS = "[data-minus]"


@pytest.fixture
def night(scorer, owner):
    """`night("points:pontinho", people)` begins that game from the list, and returns the finger and the game."""

    def begin_night(key, people):
        table = make_table(owner, people=people)
        scorer.page.goto(f"/t/{table.code}/new/")
        for name in people:
            scorer.tap(f".chip[data-index][title='{name}']")
        scorer.tap("#says")
        scorer.tap(scorer.page.locator(".games summary").first)
        scorer.tap(f".games .chip:has([value='{key}'])")
        expect(scorer.page.locator("[name=shown]")).to_have_value(key)
        scorer.tap("#game > .go")
        scorer.tap(".dock .go")
        expect(scorer.page.locator("#sheet")).to_be_visible()
        return scorer, Game.objects.get()

    return begin_night


def test_a_night_of_pontinho_with_four_phones(night, open_phone, let_in):
    scorer, game = night("points:pontinho", ("Ana", "Beto", "Caro", "Dani"))
    expect(scorer.page.locator("main")).to_contain_text("Desde 100 hacia atrás")
    watching = []
    for slug in ("beto", "caro", "dani"):
        user = make_user(f"phone-{slug}")
        become(user, game.table.members.get(slug=slug))
        phone = open_phone()
        let_in(phone, user)
        watching.append(Scorer(phone.new_page()))
    beto, caro, dani = watching
    for finger in watching:
        finger.page.goto(f"/g/{game.code}/")

    scorer.page.reload()
    scorer.begin_round("ana")
    for finger, points in ((beto, 45), (caro, 60), (dani, 30)):  # each from their own phone
        finger.tap("a[href$='/hand/']")
        finger.counted(points)
        finger.tap("[data-go]")
        expect(finger.page.locator("#sheet")).to_be_visible()
    expect(scorer.page.locator("[name='hand-dani']")).to_have_value("30")
    scorer.saves()
    scorer.sees_totals("100", "55", "40", "70")
    for finger in watching:
        finger.sees_totals("100", "55", "40", "70")

    taps = scorer.taps
    scorer.begin_round("beto")
    scorer.enters(25, 40, 20)
    scorer.saves()
    assert 1 + 6 + 2 + 1 == scorer.taps - taps  # a face, six digits, twice on, save
    expect(scorer.page.locator(".deskpage:visible")).to_contain_text("50")
    scorer.answers("reenter")
    scorer.sees_totals("75", "55", "50", "50")

    scorer.begin_round("dani")
    scorer.enters(30, 55, 50)
    scorer.saves()
    scorer.answers("reenter")
    scorer.answers("stay_out")
    scorer.sees_totals("45", "45", "0", "50")

    scorer.begin_round("ana")
    scorer.enters(45, 50)
    scorer.saves()
    shown = plain(scorer.page.locator("main").inner_text())
    assert all(words in shown for words in ("Ana", "45 puntos"))
    assert {"ana": 50, "beto": -20, "caro": -20, "dani": -10} == nets_of(game)


def test_a_night_of_rummikub(night):
    scorer, game = night("points:rummikub", ("Ana", "Beto", "Caro", "Dani"))
    taps = scorer.taps
    scorer.begin_round("ana")
    for place, points in enumerate((24, 31, 17)):
        if place:
            scorer.goes_on()
        scorer.tap(MINUS)
        scorer.counted(points)
    assert ["72", "−24", "−31", "−17"] == scorer.hands()
    scorer.saves()
    assert 1 + 3 + 6 + 2 + 1 == scorer.taps - taps
    scorer.sees_totals("72", "−24", "−31", "−17")

    # an empty pool: a round that does not add up to 0 is refused, and nothing typed is lost
    scorer.begin_round("nobody")
    for place, points in enumerate((-7, 32, -14, -10)):
        if place:
            scorer.goes_on()
        if points < 0:
            scorer.tap(MINUS)
        scorer.counted(abs(points))
    expect(scorer.page.locator("#consequences")).to_contain_text("suma 0; estos puntos suman 1")
    scorer.takes_back()
    scorer.tap("[data-digit='1']")
    expect(scorer.page.locator("#consequences")).not_to_contain_text("suma 0")
    scorer.saves()
    scorer.sees_totals("65", "8", "−45", "−28")

    scorer.page.goto(f"/g/{game.code}/more/")
    expect(scorer.page.locator("a[href$='/adjust/']")).to_have_count(0)
    scorer.tap("a[href$='/stop/']")
    scorer.tap(".opt:has([value=highest_wins])")
    scorer.tap(".dock .go")
    expect(scorer.page.locator("main")).to_contain_text("Puntos propios")
    assert {"ana": 65, "beto": 8, "caro": -45, "dani": -28} == nets_of(game)


def nets_of(game: Game) -> dict[str, int]:
    """Return what everybody won or lost, once the game is over."""
    return dict(nets(Game.objects.get(pk=game.pk).state()))
