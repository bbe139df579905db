"""The interpretation of each hand while a round is typed, complete or not."""

from __future__ import annotations

import json

import pytest
from django.utils.translation import override

from games.common.names import Person
from games.play.pages.forms import read_round
from games.play.pages.readings import readings_of
from games.scoring.events import GameStarted, Player, RoundPlayed
from games.scoring.replay import apply, replay

NAMES = ("Ana", "Beto", "Caro", "Dani")
PEOPLE = {name.lower(): Person(name.lower(), name, 1) for name in NAMES}
PLAYERS = tuple(Player(person.id, person.name) for person in PEOPLE.values())


@pytest.fixture(autouse=True)
def in_english():
    with override("en"):
        yield


def read(variant, closer="ana", closing="out", *, options=(), **hands):
    """Return, by player, how the pad interprets these hands of a first round."""
    before = replay((GameStarted(variant, tuple(dict(options).items()), PLAYERS),))
    post = {"closer": closer, "closing": closing} | {f"hand-{player}": text for player, text in hands.items()}
    form = read_round(post, before)
    after = None if form.errors else apply(before, 2, RoundPlayed(form.entry))
    return {
        reading.player: json.loads(reading.json) for reading in readings_of(before, form, after, PEOPLE, {})
    }


# --- cards held -------------------------------------------------------------------------------------------------------


def test_an_invalid_hand_shows_a_reason_and_the_others_are_counted():
    read_hands = read("loba_menos", beto="queso", caro="[12o]", dani="7 7")

    assert "“queso” is not a hand. Write points (23) or cards ([K 7 *])." == read_hands["beto"]["wrong"]
    assert ("The pack has no 12o.", None) == (read_hands["caro"]["wrong"], read_hands["caro"]["points"])
    assert ("", 14) == (read_hands["dani"]["wrong"], read_hands["dani"]["points"])


def test_melds_are_refused_in_a_game_that_does_not_count_them():
    read_hands = read("loba_menos", beto="{9 9 9}[4]")["beto"]

    assert ("This game doesn't count melds on the table.", None, []) == (
        read_hands["wrong"],
        read_hands["points"],
        read_hands["melds"],
    )


# --- Loba de Más ------------------------------------------------------------------------------------------------------


def test_every_meld_has_its_value_with_the_wild_cards_in_their_places():
    read_hands = read("loba_mas", beto="{9 9 9}{10 2=J Q *=K A}[4 A]")["beto"]

    assert (15, "", None) == (read_hands["points"], read_hands["wrong"], read_hands["round"])
    assert [
        {
            "text": "{9 9 9}",
            "name": "set",
            "value": 6,
            "cards": ["9", "9", "9"],
            "ranks": ["9", "9", "9"],
            "wilds": [False, False, False],
            "wrong": "",
        },
        {
            "text": "{10 2=J Q *=K A}",
            "name": "run",
            "value": 13,
            "cards": ["10", "2=J", "Q", "*=K", "A"],
            "ranks": ["10", "J", "Q", "K", "A"],
            "wilds": [False, True, False, True, False],
            "wrong": "",
        },
    ] == read_hands["melds"]


def test_an_invalid_meld_hides_neither_the_other_melds_nor_the_hand():
    read_hands = read("loba_mas", beto="{9 9 9}{3 3 3 *}{K Q}[5]")["beto"]

    assert (None, "") == (read_hands["points"], read_hands["wrong"])
    assert [
        (6, ""),
        (None, "A set can't contain wild cards."),
        (None, "A meld has at least three cards."),
    ] == [(meld["value"], meld["wrong"]) for meld in read_hands["melds"]]


def test_an_invalid_hand_hides_no_other_hand():
    read_hands = read("loba_mas", closer="", ana="{K K K}", beto="{3 3 3 *}[5]", caro="-7", dani="{A 2 2}[4]")

    assert {"ana": 6, "beto": None, "caro": -7, "dani": 8} == {
        player: reading["points"] for player, reading in read_hands.items()
    }


def test_the_bonus_counts_in_the_round_but_not_in_the_hand():
    """RULES 3.3: one go with melds 28 among four is 48; 22 less A 2 7 is 15; K K 9 5 * is −10."""
    read_hands = read(
        "loba_mas",
        closing="in_one_go",
        ana="28",
        beto="{A 2 2 J}{A 2 2 J}[A 2 7]",
        caro="[K K 9 5 *]",
        dani="{A 2 2}[4]",
    )

    assert {"ana": (28, 48), "beto": (15, 15), "caro": (-10, -10), "dani": (8, 8)} == {
        player: (reading["points"], reading["round"]) for player, reading in read_hands.items()
    }


# --- Chinchón ---------------------------------------------------------------------------------------------------------

DANI = "5o 6o 7o 4b 1c 3e 10b"
ANA = "4o 4c 4e 10c 11c 12c 2b"


def test_a_hand_of_seven_shows_only_its_own_groups_while_the_round_is_incomplete():
    read_hands = read("chinchon", closing="cut", ana=ANA, dani=DANI)["dani"]

    assert (18, None) == (read_hands["points"], read_hands["round"])
    assert [{"cards": ["5o", "6o", "7o"], "name": "run"}] == read_hands["groups"]
    assert ["4b", "1c", "3e", "10b"] == read_hands["left"]


def test_a_hand_of_seven_shows_its_cards_placed_on_other_groups_once_the_round_is_complete():
    read_hands = read("chinchon", closing="cut", ana=ANA, beto="5", caro="[9]", dani=DANI)

    assert [
        {"cards": ["5o", "6o", "7o"], "name": "run"},
        {"cards": ["4b"], "name": "goes with Ana's 4"},
    ] == read_hands["dani"]["groups"]
    assert (14, 14, ["1c", "3e", "10b"]) == tuple(
        read_hands["dani"][key] for key in ("points", "round", "left")
    )


def test_a_group_does_not_show_the_cards_that_others_placed_on_it():
    read_hands = read("chinchon", closing="cut", ana=ANA, beto="5", caro="9", dani=DANI)["ana"]

    assert [
        {"cards": ["4o", "4c", "4e"], "name": "set"},
        {"cards": ["10c", "11c", "12c"], "name": "run"},
    ] == read_hands["groups"]
    assert (2, ["2b"]) == (read_hands["points"], read_hands["left"])


def test_a_card_is_placed_on_another_players_run():
    """Beto's 9c goes below Ana's 10-11-12, and the 8c below the 9c."""
    read_hands = read("chinchon", closing="cut", ana=ANA, beto="8c 9c 1o 3b 5e 7b 12o", caro="9", dani="4")[
        "beto"
    ]

    assert [{"cards": ["8c", "9c"], "name": "goes on Ana's run"}] == read_hands["groups"]
    assert (28, 28) == (read_hands["points"], read_hands["round"])


def test_wild_cards_are_shown_in_the_groups_that_they_fill():
    options = {"pack": 50, "wilds": "jokers"}
    read_hands = read("chinchon", closing="cut", options=options, beto="5o * 7o 10b 10c 10e 3b")["beto"]

    assert [
        {"cards": ["10c", "10e", "10b"], "name": "set"},
        {"cards": ["5o", "*", "7o"], "name": "run"},
    ] == sorted(read_hands["groups"], key=lambda group: group["name"], reverse=True)
    assert (3, ["3b"]) == (read_hands["points"], read_hands["left"])


def test_a_winning_chinchon_changes_no_total():
    read_hands = read("chinchon", closing="chinchon", ana="1o 2o 3o 4o 5o 6o 7o", beto="23")

    assert (0, 0, [{"cards": ["1o", "2o", "3o", "4o", "5o", "6o", "7o"], "name": "run"}]) == (
        read_hands["ana"]["points"],
        read_hands["ana"]["round"],
        read_hands["ana"]["groups"],
    )
    assert (23, 0) == (read_hands["beto"]["points"], read_hands["beto"]["round"])
