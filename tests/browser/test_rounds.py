"""A first round of every kind of game by taps: counted by the phone, kept over a reload, shown on the sheet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from playwright.sync_api import expect

from games.tables.services import setup

FOUR = ("Ana", "Beto", "Caro", "Dani")
Acts = tuple[tuple[Any, ...], ...]


@dataclass(frozen=True)
class Round:
    """A round: the face to tap, the scorer's acts, and everybody's points in seat order.

    An act is the name of a method of `Scorer` and its arguments. `contract` is the one in the heading. `taps`
    are those of the whole round, under limits that the best scorekeeping apps set; 0 if they are not counted.
    """

    variant: str
    closer: str
    acts: Acts
    points: tuple[str, ...]
    contract: str = ""
    taps: int = 0
    options: dict[str, int | str] | None = None
    people: tuple[str, ...] = FOUR


IN_ONE_GO, MINUS = ("tap", "[data-closing=in_one_go]"), ("tap", "[data-minus]")
NEXT = ("goes_on",)
FIRST = "2 tríos"
BOUGHT: dict[str, int | str] = {"buy_points": 5}
ROUNDS = {
    "cards and points": Round(
        "loba_menos", "dani", (IN_ONE_GO, ("enters", "A 5 6", "K K 10 J", 31)), ("21", "40", "31", "−10")
    ),
    "points": Round("loba_menos", "ana", (("enters", 23, 29, 8),), ("0", "23", "29", "8"), taps=10),
    "nine cards of a contract": Round(
        "carioca_cl",
        "ana",
        (("enters", "K 9 4", "Q A 7 2", "5 *"),),
        ("0", "23", "39", "55"),
        taps=13,
        options={"values": "ar"},
    ),
    "nine cards and three bought": Round(
        "carioca_ar",
        "ana",
        (
            *(("buys", 1), NEXT, ("holds", "K 9 4"), ("buys", 2), NEXT),
            *(("holds", "Q A 7 2"), NEXT, ("holds", "5 *")),
        ),
        ("5", "33", "39", "55"),
        taps=13 + 1 + 3,
        options=BOUGHT,
    ),
    "six melds and seven cards": Round(
        "loba_mas",
        "ana",
        (
            *(("lays_set", "9"), ("lays_run", "10", "A", {"J": "2"}), NEXT),
            *(("lays_set", "K"), ("lays_run", "3", "6"), ("keeps", "4 A"), NEXT),
            *(("lays_set", "7"), ("keeps", "8 2"), NEXT, ("lays_run", "A", "3"), ("keeps", "Q 5 *")),
        ),
        ("23", "6", "−2", "−3"),
        taps=28,
    ),
    "a round without a closer": Round(
        "carioca_cl", "", (("went_out", "nobody"), ("enters", 1, 2, "3", "4")), ("1", "2", "3", "4"), FIRST
    ),
    "points below zero": Round(
        "points", "ana", (("enters", 12, 8), NEXT, MINUS, ("counted", 3)), ("12", "8", "−3"), people=FOUR[:3]
    ),
    "zeros for all others": Round(
        "points", "ana", (("counted", 12), ("tap", "[data-zeros]")), ("12", "0", "0", "0")
    ),
    "a cut": Round(
        "chinchon",
        "ana",
        (("cuts_with", 3), ("enters", "12 7 4", "11 2", "10 5")),
        ("3", "23", "13", "15"),
        taps=12,
    ),
    "nothing left": Round(
        "chinchon",
        "beto",
        (
            *(("tap", "[data-rest=digits]"), ("counted", 9), NEXT, ("has_nothing_left",), NEXT),
            ("enters", 40, "12 11 10"),
        ),
        ("−10", "9", "40", "33"),
    ),
    "a cut by keyboard": Round(
        "chinchon",
        "ana",
        (("types", "3 r74 Enter c2 Enter 05 Backspace 6"),),
        ("3", "23", "13", "16"),
    ),
    "melds by keyboard": Round(
        "loba_mas",
        "ana",
        (
            *(("types", "9 Enter"), ("tap", "[data-way=hand]"), ("types", "4a*"), NEXT),
            *(("tap", "[data-way=run]"), ("types", "a3"), NEXT, ("counted", 8)),
        ),
        ("11", "−7", "3", "8"),
    ),
    "a wild ace": Round(
        "chinchon",
        "ana",
        (("cuts_with", 7), ("holds", "1 1o"), NEXT, ("enters", 1, 2)),
        ("7", "26", "1", "2"),
        options={"wilds": "ace_of_coins", "packs": 2},
    ),
}


def test_a_round_is_counted_kept_over_a_reload_and_shown(start, monkeypatch, subtests):
    monkeypatch.setattr(setup, "TABLES_A_DAY", len(ROUNDS))
    for name, played in ROUNDS.items():
        with subtests.test(name):
            scorer = start(played.variant, people=played.people, **played.options or {})
            scorer.taps = 0
            scorer.begin_round(played.closer)
            expect(scorer.page.locator("h1")).to_contain_text(played.contract)
            scorer.does(played.acts)

            points = scorer.page.locator(".seats button[data-field] b")
            expect(points).to_have_text(list(played.points))
            scorer.page.reload()
            expect(points).to_have_text(list(played.points))
            scorer.saves()
            assert played.taps in (0, scorer.taps)
            scorer.sees_totals(*played.points)
