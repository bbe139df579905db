"""The fields of the entry page: the closer, the closing, and the points that each closing gives."""

from __future__ import annotations

import pytest
from django.utils.translation import override

from games.common.naming import Person
from games.play.presenters import pad
from games.play.presenters.pad import PadValues
from games.scoring.events import GameStarted, Player
from games.scoring.replay import replay

NAMES = ("ana", "beto", "caro", "dani")
PEOPLE = {name: Person(name, name.title(), 1) for name in NAMES}


def state(variant, **options):
    return replay(
        (GameStarted(variant, tuple(options.items()), tuple(Player(name, name) for name in NAMES)),)
    )


NOTHING = PadValues()


def closings(variant, pad_values=NOTHING, **options):
    with override("en"):
        return pad.closing_choices(state(variant, **options), pad_values)


@pytest.mark.parametrize(
    ("variant", "options", "points"),
    [
        ("loba_menos", {"in_one_go": -20}, {"out": "0", "in_one_go": "−20"}),
        ("loba_mas", {"in_one_go": "5(n-1)"}, {"out": "+5", "in_one_go": "+15", "stock_out": "0"}),
        ("carioca_ar", {"in_one_go": -10}, {"out": "0", "in_one_go": "−10", "stock_out": "0"}),
        ("chinchon", {}, {"cut": "0", "closed": "−10", "chinchon": "0", "stock_out": "0"}),
        (
            "chinchon",
            {"chinchon": -50, "minus_ten": -5},
            {"cut": "0", "closed": "−5", "chinchon": "−50", "stock_out": "0"},
        ),
        (
            "chinchon",
            {"wilds": "ace_of_coins", "wild_chinchon": -25},
            {"cut": "0", "closed": "−10", "chinchon": "0", "wild_chinchon": "−25", "stock_out": "0"},
        ),
    ],
)
def test_each_closing_shows_its_points_among_four_players(variant, options, points):
    assert points == {closing["key"]: closing["points"] for closing in closings(variant, **options)}


@pytest.mark.parametrize(
    ("variant", "hands"),
    [
        ("loba_menos", ["nothing", "nothing"]),
        ("loba_mas", ["melds", "melds", "nothing"]),
        ("chinchon", ["rest", "nothing", "nothing", "nothing"]),
    ],
)
def test_each_closing_has_the_fields_that_the_closer_must_fill_in(variant, hands):
    assert hands == [closing["closer_hand"] for closing in closings(variant)]


def test_only_a_winning_chinchon_ends_the_game():
    assert [False, False, True, False] == [closing["wins_game"] for closing in closings("chinchon")]
    assert [False] * 4 == [closing["wins_game"] for closing in closings("chinchon", chinchon=-50)]


@pytest.mark.parametrize(
    ("variant", "pad_values", "chosen"),
    [
        ("chinchon", PadValues(closer="ana"), "cut"),
        ("chinchon", PadValues(closer="nobody"), "stock_out"),
        ("chinchon", PadValues(closer="ana", closing="closed"), "closed"),
        ("loba_menos", PadValues(closer="nobody"), "out"),
    ],
)
def test_the_usual_closing_is_preselected(variant, pad_values, chosen):
    assert [chosen] == [closing["key"] for closing in closings(variant, pad_values) if closing["checked"]]


def test_nobody_is_offered_as_closer_only_where_the_game_allows_it():
    def people(variant):
        return [value for value, _name, _checked in pad.closer_choices(state(variant), PEOPLE, PadValues())]

    assert [*NAMES] == people("loba_menos")
    assert [*NAMES, "nobody"] == people("chinchon") == people("loba_mas")
    assert ["nobody"] == people("points")
