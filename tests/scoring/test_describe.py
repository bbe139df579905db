"""The rules in force, in words: each number of a table shows up in a sentence."""

from __future__ import annotations

import pytest

from games.scoring.describe import changed_options, describe, value_in_words
from games.scoring.rules import Value
from games.scoring.variants import find_variant

LOBA = find_variant("loba_menos")


def sentences(**chosen: Value) -> list[str]:
    return [str(sentence) for sentence in describe(LOBA, LOBA.house(chosen))]


def test_the_rules_of_a_table_that_changed_nothing():
    assert [
        "2 to 5 players, 108 cards with 4 jokers, 9 each.",
        "Fewest points wins.",
        "Whoever did not go out counts the cards in hand: 2 to 10 their number.",
        "A J Q K ★: 10.",
        "Whoever goes out scores 0.",
        "In one go: -10.",
        "Out with 101 or more; the last one in wins.",
        "If all are out in the same round, the lowest total wins.",
        "2 re-entries each, while two or more are left in.",
        "Whoever re-enters comes back with the highest total of those still in.",
        "A re-entry costs 10, into the pot.",
        "Everybody puts 10 into the pot; the winner takes it all.",
    ] == sentences()[:12]


@pytest.mark.parametrize(
    ("chosen", "sentence"),
    [
        ({"out_at": 151}, "Out with 151 or more; the last one in wins."),
        ({"ending": "first_out"}, "Over as soon as somebody has 101 or more; the lowest total wins."),
        ({"ace": 15}, "A: 15."),
        ({"joker": 25}, "★: 25."),
        ({"in_one_go": -25}, "In one go: -25."),
        ({"floor": -20}, "A round never takes a total below -20."),
        ({"reentries": 0}, "No re-entries."),
        ({"reentries": 1}, "1 re-entry each, while two or more are left in."),
        ({"reentries": "unlimited"}, "Any number of re-entries, while two or more are left in."),
        ({"reentry_price": "linear"}, "Re-entry number 2 costs 20, into the pot."),
        (
            {"reentry_price": "double", "reentries": "unlimited"},
            "Re-entry number 4 costs 80, into the pot.",
        ),
        ({"reentry_fee": 3}, "A re-entry costs 3, into the pot."),
        ({"late_entry": "on"}, "A newcomer pays the stake and enters with the highest total."),
        ({"stock_end": "end_round"}, "When the stock runs out, nobody goes out and everybody counts."),
        ({"stock_end": "turn_over"}, "When the stock runs out: the discards are turned over."),
        ({"settlement": "none"}, "No money, points only."),
        ({"stake": 500}, "Everybody puts 500 into the pot; the winner takes it all."),
        ({"jokers_per_escalera": 2}, "Jokers in a run: 2."),
        ({"shortest_escalera": 4}, "Shortest run: 4."),
    ],
)
def test_a_house_rule_has_its_sentence(chosen: dict[str, Value], sentence: str):
    assert sentence in sentences(**chosen)


def test_a_price_that_grows_is_not_told_beyond_the_cap():
    shown = [sentence for sentence in sentences(reentry_price="linear", reentries=3) if "number" in sentence]
    assert ["1 costs 10", "2 costs 20", "3 costs 30"] == [
        sentence.removeprefix("Re-entry number ").removesuffix(", into the pot.") for sentence in shown[-3:]
    ]


def test_only_what_differs_from_the_usual_is_told_in_short():
    house = LOBA.house({"stake": 50, "ace": 15, "reentries": "unlimited"})
    assert ["Ace: 15", "Re-entries each: any number"] == [
        str(changed) for changed in changed_options(LOBA, house)
    ]


def test_a_value_is_told_as_players_say_it():
    assert ["10", "double each time"] == [
        str(value_in_words(LOBA, "ace", 10)),
        str(value_in_words(LOBA, "reentry_price", "double")),
    ]
