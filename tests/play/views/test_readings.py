"""The reading of each hand while a round is typed, complete or not."""

from __future__ import annotations

import json

import pytest
from django.utils.translation import override

from games.common.naming import Person
from games.play.presenters import interpretations, round_form
from games.scoring.events import GameStarted, Player, RoundPlayed
from games.scoring.replay import apply, replay

NAMES = ("Ana", "Beto", "Caro", "Dani")
PEOPLE = {name.lower(): Person(name.lower(), name, 1) for name in NAMES}
PLAYERS = tuple(Player(person.id, person.name) for person in PEOPLE.values())


@pytest.fixture(autouse=True)
def in_english():
    with override("en"):
        yield


def round_readings(variant, closer="ana", closing="out", *, options=(), **hands):
    """Return the pad's readings of these hands of a first round, by player."""
    before = replay((GameStarted(variant, tuple(dict(options).items()), PLAYERS),))
    post = {"closer": closer, "closing": closing} | {f"hand-{player}": text for player, text in hands.items()}
    form = round_form.parse_round(post, before)
    after = None if form.errors else apply(before, 2, RoundPlayed(form.entry))
    return {
        reading.player: json.loads(reading.json)
        for reading in interpretations.interpret_hands(before, form, after, PEOPLE, {})
    }


# --- cards held -------------------------------------------------------------------------------------------------------


def test_an_invalid_hand_shows_a_reason_and_the_others_are_counted():
    read_hands = round_readings("loba_menos", beto="queso", caro="[12o]", dani="7 7")

    assert (
        "“queso” is not a hand. Write points (23) or, in a game with cards, cards ([7 2])."
        == read_hands["beto"]["wrong"]
    )
    assert ("The pack has no 12o.", None) == (read_hands["caro"]["wrong"], read_hands["caro"]["points"])
    assert ("", 14) == (read_hands["dani"]["wrong"], read_hands["dani"]["points"])


# --- Loba de Más ------------------------------------------------------------------------------------------------------


def test_every_meld_has_its_value_with_the_wild_cards_in_their_places():
    read_hands = round_readings("loba_mas", beto="{9 9 9}{10 2=J Q *=K A}[4 A]")["beto"]

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
    read_hands = round_readings("loba_mas", beto="{9 9 9}{3 3 3 *}{K Q}[5]")["beto"]

    assert (None, "") == (read_hands["points"], read_hands["wrong"])
    assert [
        (6, ""),
        (None, "A set can't contain wild cards."),
        (None, "A meld has at least three cards."),
    ] == [(meld["value"], meld["wrong"]) for meld in read_hands["melds"]]


def test_the_bonus_counts_in_the_round_but_not_in_the_hand():
    """RULES 3.3: one go with melds 28 among four is 48; 22 less A 2 7 is 15; K K 9 5 * is −10."""
    read_hands = round_readings(
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


PLACED = {"ana": ANA, "beto": "5", "caro": "[9]", "dani": DANI}
BETO = "8c 9c 1o 3b 5e 7b 12o"  # the 9c goes below Ana's 10-11-12, and the 8c below the 9c
JOKERS = {"pack": 50, "wilds": "jokers"}
WON = {"ana": "1o 2o 3o 4o 5o 6o 7o", "beto": "23"}


@pytest.mark.parametrize(
    ("closing", "options", "hands", "player", "counted", "groups", "leftover"),
    [
        ("cut", {}, {"ana": ANA, "dani": DANI}, "dani", (18, None), {"run": "5o 6o 7o"}, "4b 1c 3e 10b"),
        ("cut", {}, PLACED, "dani", (14, 14), {"run": "5o 6o 7o", "goes with Ana's 4s": "4b"}, "1c 3e 10b"),
        ("cut", {}, PLACED, "ana", (2, 2), {"set": "4o 4c 4e", "run": "10c 11c 12c"}, "2b"),
        (
            "cut",
            {},
            {"ana": ANA, "beto": BETO, "caro": "9", "dani": "4"},
            "beto",
            (28, 28),
            {"goes on Ana's run": "8c 9c"},
            "1o 3b 5e 7b 12o",
        ),
        (
            "cut",
            JOKERS,
            {"beto": "5o * 7o 10b 10c 10e 3b"},
            "beto",
            (3, None),
            {"set": "10c 10e 10b", "run": "5o * 7o"},
            "3b",
        ),
        ("chinchon", {}, WON, "ana", (0, 0), {"run": "1o 2o 3o 4o 5o 6o 7o"}, ""),
        ("chinchon", {}, WON, "beto", (23, 0), {}, ""),
    ],
)
def test_a_hand_of_chinchon_shows_its_groups_and_what_is_left(
    closing, options, hands, player, counted, groups, leftover
):
    reading = round_readings("chinchon", closing=closing, options=options, **hands)[player]

    assert counted == (reading["points"], reading["round"])
    assert groups == {group["name"]: " ".join(group["cards"]) for group in reading["groups"]}
    assert leftover == " ".join(reading["left"])
