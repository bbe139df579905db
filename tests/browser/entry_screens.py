"""Screens of entering a round in every kind of game, for the layout and accessibility tests."""

from __future__ import annotations

from collections.abc import Iterator

from django.contrib.auth.models import User
from playwright.sync_api import Page, expect

from games.models import Game, Table
from tests.browser.game_setup import begin, hands, ids, play
from tests.browser.scorer import GO
from tests.browser.screens import Screen, taps, waits_for
from tests.browser.watch_screens import EIGHT, LONG_EIGHT
from tests.factories import make_table

FOLLOWS = waits_for("#consequences li")
NINES = ("lays_set", "9")
SEATS, KEYS, DIGITS = ".seat[data-field]", (".k[data-card]", "[data-erase]"), ".k[data-digit]"


def entry_screens(owner: User, *, crowded: bool = False) -> Iterator[Screen]:
    """Yield the screens with four people or, if crowded, as many as possible with the longest texts."""
    table = make_table(owner, people=LONG_EIGHT[:5] if crowded else EIGHT[:4])
    eight = make_table(owner, people=LONG_EIGHT if crowded else EIGHT)
    yield from _melds(table, owner, crowded=crowded)
    yield from _contracts(table, owner, crowded=crowded)
    yield from _chinchon(table, owner)
    yield from _eight(eight, owner, crowded=crowded)
    yield from _points(eight, owner, crowded=crowded)


def _melds(table: Table, owner: User, *, crowded: bool) -> Iterator[Screen]:
    first, second, third, *others = ids(table)
    game = begin(table, owner, variant="loba_mas", target=1000)
    big = 900 if crowded else 90
    hands_text = hands((second, third, *others), -big, 1)
    play(game, owner, f"round {first} out {first}={big} {hands_text}")
    path, pad = _round(game), (SEATS, "[data-way]", *KEYS, GO)
    out, two = ("went_out", first), (NINES, ("lays_run", "10", "A", {"J": "2", "K": "*"}), _wait_for_prices)
    # More melds than a small phone has room for; the open one stays in view.
    many = (
        ("lays_set", "K", 6),
        ("lays_set", "7"),
        ("lays_run", "A", "K"),
        ("keeps", "4 A * Q Q 5 6"),
        _wait_for_prices,
    )
    ten = (("lays_set", "9", 6), taps("[data-card='9']", sees="[data-wrong]"))
    yield Screen("entry-mas-run", path, (out, *two), reachable=(*pad, "[data-closing]"))
    yield Screen("entry-mas-many", path, (out, ("opens", second), *many), reachable=pad)
    yield Screen("entry-mas-hint", path, (out, *ten), reachable=pad)
    yield Screen(
        "entry-mas-typed",
        path,
        (out, ("opens", third), ("counted", 112), ("tap", "[data-minus]")),
        reachable=(SEATS, DIGITS, GO),
    )
    play(game, owner, f"round {first} out {first}={{9 9 9}}{{10 2=J Q *=K A}} {hands_text}")
    yield Screen(
        "entry-mas-correct",
        f"/g/{game.code}/correct/3/?hand={first}",
        (_wait_for_prices,),
        reachable=(SEATS, GO),
    )


def _contracts(table: Table, owner: User, *, crowded: bool) -> Iterator[Screen]:
    first, *others = ids(table)
    game = begin(table, owner, variant="carioca_cl", buy_points=10, in_one_go=-10)
    play(game, owner, *[f"round {first} out {hands(others, 250 if crowded else 25)}"] * 6)
    path = _round(game)
    yield Screen(
        "entry-bought-closer", path, (("went_out", first), ("buys", 2)), reachable=(SEATS, "[data-buy]", GO)
    )
    yield Screen(
        "entry-twelve-cards",
        path,
        (("went_out", first), ("opens", others[0]), ("holds", f"{'10 ' * 8} K K * *"), ("buys", 2)),
        reachable=(SEATS, *KEYS, "[data-buy]", GO),
    )


def _chinchon(table: Table, owner: User) -> Iterator[Screen]:
    first, second, *others = ids(table)
    game = begin(table, owner, variant="chinchon", stake=1000, cut_prize=300)
    play(game, owner, f"round {first} cut {first}=3 {second}=95 {hands(others, 40, 9)}")
    path = _round(game)
    out = ("went_out", first)
    cut = (out, ("cuts_with", 3))
    # The cutter shows seven cards, the last player's cards are placed on them, and all other hands are
    # counted.
    seven = (out, ("cuts", "cards"), ("holds_seven", "4o 4c 4e 5o 6o 7o 1b"))
    counted = [act for player in (second, *others[:-1]) for act in (("opens", player), ("counted", 30))]
    placements = (
        *(("opens", others[-1]), ("holds_seven", "4b 8o 1o 2o 3o 12b 11e")),
        *(waits_for("[data-cards] .group >> nth=3"), FOLLOWS),
    )
    yield Screen("entry-chinchon-rest", path, (out,), reachable=(SEATS, "[data-points]", "[data-rest]", GO))
    yield Screen("entry-chinchon-nothing", path, (*cut, ("has_nothing_left",)), reachable=(SEATS, *KEYS, GO))
    yield Screen("entry-chinchon-seven", path, (*seven, *counted, *placements), reachable=(*KEYS, GO))
    wins = (out, ("cuts", "chinchon"), FOLLOWS)
    yield Screen("entry-chinchon-wins", path, wins, reachable=(SEATS, "[data-rest]", GO))
    wide = begin(table, owner, variant="chinchon", pack=40, wilds="ace_of_coins", cut_max=20, packs=2)
    path, wild = _round(wide), (out, ("cuts_with", 11), ("holds", "12 1o 1"))
    yield Screen("entry-chinchon-wide", path, (out,), reachable=("[data-points]", "[data-rest]", GO))
    yield Screen("entry-chinchon-wild", path, wild, reachable=(SEATS, *KEYS, GO))
    yield from _missing_hands(table, owner)


def _missing_hands(table: Table, owner: User) -> Iterator[Screen]:
    """Yield the pages of a correction of a player who came back after all, and is bust again on the way."""
    first, second, *others = ids(table)
    round_text = f"round {first} cut {first}=3 {hands(others, 20)}"
    game = begin(table, owner, variant="chinchon", packs=2, stake=1000)
    play(game, owner, f"{round_text} {second}=101", f"stay_out {second}", round_text, round_text)
    path = f"/g/{game.code}/correct/3/"
    hand = taps("button[value=reenter]", sees="#entry[data-ready]")
    answer = taps(GO, sees=".deskpage .bust")
    yield Screen("entry-missing-hand", path, (hand,), reachable=(SEATS, *KEYS, ".instead", GO))
    yield Screen(
        "entry-missing-answer", path, (hand, ("counted", 90), answer), reachable=("button[value=reenter]",)
    )


def _eight(table: Table, owner: User, *, crowded: bool) -> Iterator[Screen]:
    first, second, *others = ids(table)
    game = begin(table, owner, variant="chinchon", packs=2, out_at=500)
    hands_text = hands(others, 390 if crowded else 39, 1)
    play(game, owner, f"round {first} cut {first}=3 {second}=95 {hands_text}")
    path = _round(game)
    yield Screen("entry-eight-closer", path, reachable=(".seat",))
    cut, pad = (("went_out", first), ("cuts_with", 3)), (SEATS, *KEYS, GO)
    seven = (("holds_seven", "5o 6o 7o 4b 1c 3e 10b"), waits_for("[data-sum] b:text('18')"))
    yield Screen("entry-eight-left", path, (*cut, ("holds", "12 7 4")), reachable=pad)
    yield Screen("entry-eight-seven", path, (*cut, *seven), reachable=pad)


def _points(table: Table, owner: User, *, crowded: bool) -> Iterator[Screen]:
    game = begin(table, owner, variant="points", name="Generala doble", ending="open")
    play(game, owner, f"round nobody played {hands(ids(table), -90000 if crowded else 9, 1)}")
    acts = (("counted", 112), ("tap", "[data-minus]"))
    yield Screen("entry-points", _round(game), acts, reachable=(SEATS, DIGITS, GO))


def _round(game: Game) -> str:
    return f"/g/{game.code}/round/"


def _wait_for_prices(page: Page) -> None:
    expect(page.locator(".meld").first).to_be_visible()
    expect(page.locator(".worth b:visible").filter(has_text="…")).to_have_count(0)
