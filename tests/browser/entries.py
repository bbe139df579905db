"""Screens of the entry of a round in every kind of game, for the layout and accessibility tests."""

from __future__ import annotations

import re
from collections.abc import Iterator

from django.contrib.auth.models import User
from playwright.sync_api import Page, expect

from games.models import Game, Table
from tests.browser.nights import begin, play
from tests.browser.scorer import GO, Scorer
from tests.browser.screens import Act, Screen
from tests.worlds import make_table

FOUR = ("Ana", "Beto", "Carolina", "Dani")
EIGHT = (*FOUR, "Eva", "Fede", "Gabriela", "Hugo")
LONG_FIVE = tuple(f"Wolfgangwolframwilm{letter}" for letter in "abcde")
LONG_EIGHT = tuple(f"Guadalupemontserrat{letter}" for letter in "abcdefgh")
SEATS, KEYS, DIGITS = ".seat[data-field]", (".k[data-card]", "[data-keys] [data-erase]"), ".k[data-digit]"


def entries(owner: User, *, crowded: bool = False) -> Iterator[Screen]:
    """Yield the screens: with four people, or as many as the game takes with the longest names and totals."""
    table = make_table(owner, people=LONG_FIVE if crowded else FOUR)
    eight = make_table(owner, people=LONG_EIGHT if crowded else EIGHT)
    yield from _melds(table, owner, crowded=crowded)
    yield from _contracts(table, owner, crowded=crowded)
    yield from _chinchon(table, owner)
    yield from _eight(eight, owner, crowded=crowded)
    yield from _any_other(eight, owner, crowded=crowded)


def _melds(table: Table, owner: User, *, crowded: bool) -> Iterator[Screen]:
    first, second, third, *_others = ids = _ids(table)
    game = begin(table, owner, variant="loba_mas", target=1000)
    big = 900 if crowded else 90
    hands = " ".join(f"{player}={-big + place}" for place, player in enumerate(ids[1:]))
    play(game, owner, f"round {first} out {first}={big} {hands}")
    path, pad = _round(game), (SEATS, "[data-mode]", *KEYS, GO)
    yield Screen("entry-mas-closer", path, reachable=(".seat",))
    yield Screen("entry-mas-empty", path, (("went_out", first),), reachable=pad)
    yield Screen("entry-mas-run", path, (("went_out", first), _lays_two), reachable=(*pad, "[data-closing]"))
    yield Screen("entry-mas-begun", path, (("went_out", first), _begins_a_run), reachable=pad)
    yield Screen(
        "entry-mas-hand",
        path,
        (("went_out", first), ("opens", second), _lays_two, ("keeps", "4 A *")),
        reachable=pad,
    )
    yield Screen("entry-mas-many", path, (("went_out", first), ("opens", second), _lays_many), reachable=pad)
    yield Screen("entry-mas-hint", path, (("went_out", first), _lays_too_much), reachable=pad)
    yield Screen(
        "entry-mas-typed",
        path,
        (("went_out", first), ("opens", third), ("counted", 112), ("tap", "[data-minus]")),
        reachable=(SEATS, DIGITS, GO),
    )
    play(game, owner, f"round {first} out {first}={{9 9 9}}{{10 2=J Q *=K A}} {hands}")
    yield Screen(
        "entry-mas-correct", f"/g/{game.code}/correct/3/?hand={first}", (_priced,), reachable=(SEATS, GO)
    )


def _contracts(table: Table, owner: User, *, crowded: bool) -> Iterator[Screen]:
    first, *others = _ids(table)
    game = begin(table, owner, variant="carioca_cl", buy_points=10, in_one_go=-10)
    hands = " ".join(f"{player}={250 if crowded else 25}" for player in others)
    play(game, owner, *[f"round {first} out {hands}"] * 6)
    path = _round(game)
    yield Screen(
        "entry-bought-closer", path, (("went_out", first), ("buys", 2)), reachable=(SEATS, "[data-buy]", GO)
    )
    yield Screen(
        "entry-twelve-cards",
        path,
        (
            ("went_out", first),
            ("opens", others[0]),
            ("holds", "10 10 10 10 10 10 10 10 K K * *"),
            ("buys", 2),
        ),
        reachable=(SEATS, *KEYS, "[data-buy]", GO),
    )


def _chinchon(table: Table, owner: User) -> Iterator[Screen]:
    first, second, *others = ids = _ids(table)
    game = begin(table, owner, variant="chinchon", stake=1000, cut_prize=300)
    hands = " ".join(f"{player}={40 + 9 * place}" for place, player in enumerate(others))
    play(game, owner, f"round {first} cut {first}=3 {second}=95 {hands}")
    path = _round(game)
    cut = (("went_out", first), ("cuts_with", 3))
    yield Screen("entry-chinchon-closer", path, reachable=(".seat",))
    yield Screen(
        "entry-chinchon-rest",
        path,
        (("went_out", first),),
        reachable=(SEATS, "[data-points]", "[data-rest]", GO),
    )
    yield Screen("entry-chinchon-left", path, (*cut, ("holds", "12 7 4")), reachable=(SEATS, *KEYS, GO))
    yield Screen("entry-chinchon-nothing", path, (*cut, ("has_nothing_left",)), reachable=(SEATS, *KEYS, GO))
    yield Screen(
        "entry-chinchon-begun",
        path,
        (*cut, ("holds_seven", "5o 6o 7o 4b")),
        reachable=(SEATS, "[data-suit]", *KEYS, GO),
    )
    yield Screen(
        "entry-chinchon-seven", path, (("went_out", first), _shows_and_places(ids)), reachable=(*KEYS, GO)
    )
    yield Screen("entry-chinchon-typed", path, (*cut, ("counted", 45)), reachable=(SEATS, DIGITS, GO))
    yield Screen(
        "entry-chinchon-wins", path, (("went_out", first), _wins), reachable=(SEATS, "[data-rest]", GO)
    )
    wide = begin(table, owner, variant="chinchon", pack=40, wilds="ace_of_coins", cut_max=20, packs=2)
    yield Screen(
        "entry-chinchon-wide",
        _round(wide),
        (("went_out", first),),
        reachable=("[data-points]", "[data-rest]", GO),
    )
    yield Screen(
        "entry-chinchon-wild",
        _round(wide),
        (("went_out", first), ("cuts_with", 11), ("holds", "12 1o 1")),
        reachable=(SEATS, *KEYS, GO),
    )


def _eight(table: Table, owner: User, *, crowded: bool) -> Iterator[Screen]:
    first, second, *others = _ids(table)
    game = begin(table, owner, variant="chinchon", packs=2, out_at=500)
    hands = " ".join(f"{player}={(390 if crowded else 39) + place}" for place, player in enumerate(others))
    play(game, owner, f"round {first} cut {first}=3 {second}=95 {hands}")
    path = _round(game)
    yield Screen("entry-eight-closer", path, reachable=(".seat",))
    yield Screen(
        "entry-eight-left",
        path,
        (("went_out", first), ("cuts_with", 3), ("holds", "12 7 4")),
        reachable=(SEATS, *KEYS, GO),
    )
    yield Screen(
        "entry-eight-seven",
        path,
        (
            ("went_out", first),
            ("cuts_with", 3),
            ("holds_seven", "5o 6o 7o 4b 1c 3e 10b"),
            _counted(re.compile(r"18\b")),
        ),
        reachable=(SEATS, *KEYS, GO),
    )


def _any_other(table: Table, owner: User, *, crowded: bool) -> Iterator[Screen]:
    game = begin(table, owner, variant="points", name="Generala doble", ending="open")
    hands = " ".join(
        f"{player}={(-90000 if crowded else 9) + place}" for place, player in enumerate(_ids(table))
    )
    play(game, owner, f"round nobody played {hands}")
    yield Screen(
        "entry-points",
        _round(game),
        (("counted", 112), ("tap", "[data-minus]")),
        reachable=(SEATS, DIGITS, GO),
    )


def _ids(table: Table) -> list[str]:
    return [member.slug for member in table.members.all()]


def _round(game: Game) -> str:
    return f"/g/{game.code}/round/"


# --- stages -----------------------------------------------------------------------------------------------------------


def _counted(points: str | re.Pattern[str]) -> Act:
    return lambda page: expect(page.locator("[data-sum] b")).to_have_text(points)


def _priced(page: Page) -> None:
    """Wait until every meld shows its price."""
    expect(page.locator(".meld").first).to_be_visible()
    expect(page.locator(".worth b:visible").filter(has_text="…")).to_have_count(0)


def _lays_two(page: Page) -> None:
    Scorer(page).does((("lays_set", "9"), ("lays_run", "10", "A", {"J": "2", "K": "*"})))
    _priced(page)


def _begins_a_run(page: Page) -> None:
    Scorer(page).does((("lays_set", "9"), ("tap", "[data-mode=run]"), ("tap", "[data-place='4']")))
    _priced(page)


def _lays_many(page: Page) -> None:
    """Lay more melds than a small phone has room for; the open one stays in view."""
    Scorer(page).does(
        (("lays_set", "K", 6), ("lays_set", "7"), ("lays_run", "A", "K"), ("keeps", "4 A * Q Q 5 6"))
    )
    _priced(page)


def _lays_too_much(page: Page) -> None:
    scorer = Scorer(page)
    scorer.lays_set("9", 6)
    page.locator("[data-card='9']").tap()
    expect(page.locator("[data-wrong]")).to_be_visible()


def _wins(page: Page) -> None:
    Scorer(page).cuts("chinchon")
    expect(page.locator("#consequences li").first).to_be_visible()


def _shows_and_places(ids: list[str]) -> Act:
    """Show the cutter's seven cards, place the last player's on them, and count all other hands."""

    def act(page: Page) -> None:
        scorer = Scorer(page)
        scorer.cuts("cards")
        scorer.holds_seven("4o 4c 4e 5o 6o 7o 1b")
        for player in ids[1:-1]:
            scorer.opens(player)
            scorer.counted(30)
        scorer.opens(ids[-1])
        scorer.tap("[data-typed]")
        scorer.holds_seven("4b 8o 1o 2o 3o 12b 11e")
        expect(page.locator("[data-cards] .group")).to_have_count(4)
        expect(page.locator("#consequences li").first).to_be_visible()

    return act
