"""One hand: its points, the same as on the command line, and how its text was interpreted."""

from __future__ import annotations

import contextlib
import io

import pytest

from games.scoring.__main__ import main


def points_on_the_command_line(variant, hand):
    with contextlib.redirect_stdout(io.StringIO()) as out:
        assert 0 == main(["hand", variant, hand])
    return int(out.getvalue().splitlines()[0])


@pytest.mark.parametrize(
    ("variant", "hand"),
    [
        ("loba_menos", "23"),
        ("loba_menos", "[K 7 *]"),
        ("loba_menos", "[]"),
        ("loba_mas", "{A 2 Q}{9H 9D 9S}[4 *]"),
        ("loba_mas", "-4"),
        ("carioca_ar", "[K 7 *]"),
        ("chinchon", "[1o 2o 3o 7c 7e 7b 12o]"),
        ("chinchon", "[12 11]"),
    ],
)
def test_a_hand_has_the_same_points_as_on_the_command_line(program, variant, hand):
    answer = program.post("hand/", {"variant": variant, "hand": hand})

    assert (points_on_the_command_line(variant, hand), hand) == (answer.body["points"], answer.body["hand"])


def test_seven_cards_of_chinchon_are_grouped_into_melds_and_the_rest(program_of):
    answer = program_of(language="es-AR").post(
        "hand/", {"variant": "chinchon", "hand": "[1o 2o 3o 7c 7e 7b 12o]"}
    )

    assert (
        [{"name": "pierna", "cards": ["7c", "7e", "7b"]}, {"name": "escalera", "cards": ["1o", "2o", "3o"]}],
        ["12o"],
    ) == (answer.body["groups"], answer.body["left"])


def test_a_meld_shows_the_cards_that_its_wild_cards_stand_for(program):
    (meld,) = program.post("hand/", {"variant": "loba_mas", "hand": "{J * K}[]"}).body["melds"]

    assert [("J", "J", False), ("*", "Q", True), ("K", "K", False)] == [
        (card["card"], card["stands_for"], card["wild"]) for card in meld["cards"]
    ]


def test_options_change_the_points_of_a_card(program):
    sent = {"variant": "loba_menos", "options": {"joker": 25}, "hand": "[* 2]"}

    assert 27 == program.post("hand/", sent).body["points"]


@pytest.mark.parametrize(
    ("variant", "hand", "problem"),
    [
        ("loba_menos", "", (422, "unreadable")),
        ("loba_menos", "K 7", (422, "unreadable")),
        ("loba_menos", 5, (400, "misshapen")),
        ("loba_menos", "[K" + " K" * 5_000 + "]", (400, "misshapen")),
        ("loba_menos", "[K\x00]", (400, "misshapen")),
        ("loba_menos", "\u202e23", (400, "misshapen")),
        ("loba_menos", "9" * 900, (422, "refused")),
        ("loba_menos", "-5", (422, "refused")),
        ("loba_menos", "[1o]", (422, "refused")),
        ("loba_menos", "[" + "K " * 30 + "]", (422, "refused")),
        ("loba_mas", "{A 2 5}[]", (422, "refused")),
        ("chinchon", "[1 2 3 4 5 6 7 8]", (422, "refused")),
    ],
)
def test_an_invalid_hand_is_refused_with_the_name_of_the_field(program, variant, hand, problem):
    answer = program.post("hand/", {"variant": variant, "hand": hand})

    assert (problem, {"field": "hand"}) == (answer.problem[:2], answer.place)
