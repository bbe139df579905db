"""A night each of Phase 10, Gin, 500 Rum and a game with a play-off, by the pages, counted again by hand."""

from __future__ import annotations

from collections import Counter

import pytest
from django.urls import reverse

from games.models import Game, Result
from games.scoring.ledger import nets
from tests.factories import load_balances
from tests.form_scorer import FormScorer
from tests.reader import Walker

pytestmark = pytest.mark.django_db

FOUR = ("ana", "beto", "caro", "dani")


@pytest.fixture
def begin(ana, table):
    """`begin("points:gin", "ana", "beto", point_value="10")` starts a game on its page, with these options.

    Some options are shown only once others are chosen.
    """

    def start_on_the_page(variant: str, *players: str, **options: str) -> tuple[FormScorer, Game]:
        walker = Walker(ana)
        walker.open(reverse("new-game", args=[table.code]))
        walker.press("Show the rules of this game", variant=variant)
        seats = {f"seat-{number}": player for number, player in enumerate(players, start=1)}
        chosen = {f"option-{key}": value for key, value in options.items()}
        choices = {name: value for name, value in chosen.items() if not value.isdigit()}
        walker.send("Show the rules of this game", choices)
        walker.send("Start", {**seats, **chosen})
        game = Game.objects.get()
        return FormScorer(walker, game.code), game

    return start_on_the_page


class Tally:
    """The totals of a night, added up by hand from what is entered on the pages."""

    def __init__(self, keeper: FormScorer, closing: str = "out") -> None:
        self.keeper, self.closing = keeper, closing
        self.totals: Counter[str] = Counter()

    def plays(self, closer: str, **points: int) -> None:
        self.totals.update(points)
        closing = "played" if closer == "nobody" else self.closing
        hands = {player: str(count) for player, count in points.items()}
        self.keeper.record_round(closer, closing, hands)

    def adds(self, player: str, points: int, reason: str) -> None:
        self.totals.update({player: points})
        self.keeper.open("adjust")
        self.keeper.submit("Record it", {"penalty-player": player, "points": str(points), "reason": reason})

    def pairs(self, point_value: int = 1) -> dict[str, int]:
        """Return what each player wins if every two of them settle the difference of their totals."""
        return {
            player: point_value * sum(total - other for other in self.totals.values())
            for player, total in self.totals.items()
        }


def places() -> dict[str, int | None]:
    return dict(Result.objects.values_list("member__slug", "place"))


def test_a_night_of_phase_10(begin):
    keeper, game = begin("points:phase_10", *FOUR)
    night = Tally(keeper)
    for closer, hands in [
        ("ana", {"beto": 45, "caro": 60, "dani": 25}),
        ("dani", {"ana": 80, "beto": 5, "caro": 30}),
        ("beto", {"ana": 15, "caro": 50, "dani": 100}),
        ("caro", {"ana": 35, "beto": 70, "dani": 10}),
    ]:
        night.plays(closer, **hands)
    assert not game.state().is_over
    keeper.open("won")
    keeper.submit("See changes", {"winners": ["caro"]})
    keeper.submit("Save", {})

    assert {"ana": 130, "beto": 120, "caro": 140, "dani": 135} == dict(night.totals)
    assert dict(night.totals) == {player.id: player.total for player in game.state().players}
    assert {"caro": 1, "beto": 2, "ana": 3, "dani": 4} == places()


def test_a_night_of_gin(begin, table):
    keeper, game = begin("points:gin", "ana", "beto", point_value="10")
    night = Tally(keeper)
    for closer, winner, points in [
        ("ana", "ana", 33),
        ("beto", "beto", 18),
        ("beto", "beto", 41),
        ("ana", "ana", 29),
        ("ana", "ana", 47),
    ]:
        night.plays(closer, **{"ana": 0, "beto": 0, winner: points})
    assert game.state().is_over
    assert {"ana": 109, "beto": 59} == dict(night.totals)
    for player, points, reason in [
        ("ana", 75, "three boxes"),
        ("beto", 50, "two boxes"),
        ("ana", 100, "game"),
    ]:
        night.adds(player, points, reason)

    assert {"ana": 284, "beto": 109} == dict(night.totals)
    assert {"ana": 1750, "beto": -1750} == night.pairs(10) == nets(game.state())
    assert {"ana": 1750, "beto": -1750, "caro": 0, "dani": 0} == load_balances(table)
    assert {"ana": 1, "beto": 2} == places()


def test_a_night_of_500_rum(begin, table):
    keeper, game = begin("points:rummy_500", *FOUR, point_value="5")
    night = Tally(keeper)
    for closer, *hands in [
        ("ana", 120, 85, -40, 15),
        ("beto", 65, 140, 110, -25),
        ("caro", 90, -15, 150, 60),
        ("dani", 45, 95, 70, 185),
        ("ana", 175, 60, 80, 35),
    ]:
        assert not game.state().is_over
        night.plays(closer, **dict(zip(FOUR, hands, strict=True)))
    if not game.state().is_over:
        night.plays("ana", ana=30, beto=20, caro=10, dani=5)

    assert {"ana": 525, "beto": 385, "caro": 380, "dani": 275} == dict(night.totals)
    assert {"ana": 2675, "beto": -125, "caro": -225, "dani": -2325} == night.pairs(5)
    assert night.pairs(5) == nets(game.state()) == load_balances(table)
    assert {"ana": 1, "beto": 2, "caro": 3, "dani": 4} == places()


def test_a_night_with_a_play_off(begin, table):
    keeper, game = begin(
        "points", *FOUR, name="Generala", ending="rounds", rounds="3",
        tie="play_off", settlement="pot", stake="500",
    )  # fmt: skip
    night = Tally(keeper)
    night.plays("nobody", ana=210, beto=180, caro=190, dani=150)
    night.plays("nobody", ana=100, beto=170, caro=90, dani=120)
    night.plays("nobody", ana=140, beto=100, caro=170, dani=60)
    assert {"ana": 450, "beto": 450, "caro": 450, "dani": 330} == dict(night.totals)
    assert not game.state().is_over
    night.plays("nobody", ana=60, beto=80, caro=80)
    night.plays("nobody", beto=55, caro=75)

    assert {"ana": 510, "beto": 585, "caro": 605, "dani": 330} == dict(night.totals)
    assert dict(night.totals) == {player.id: player.total for player in game.state().players}
    assert {"ana": -500, "beto": -500, "caro": 1500, "dani": -500} == nets(game.state())
    assert nets(game.state()) == load_balances(table)
    assert {"caro": 1, "beto": 2, "ana": 3, "dani": 4} == places()
