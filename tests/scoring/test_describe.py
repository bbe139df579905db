"""The house rules as sentences: each number in the rules appears in one of them."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from games.scoring.kinds import Value
from games.scoring.options import Line, Option, Words
from games.scoring.text.describe import changed_options, describe
from games.scoring.variants import VARIANTS, find_variant

LOBA = find_variant("loba_menos")


# The options that must be chosen for another option to have an effect.
BESIDES: Mapping[str, Mapping[str, Value]] = {
    "loba_menos reentry_price": {"reentries": 3},
    "chinchon wild_value": {"wilds": "ace_of_coins"},
    "chinchon wild_chinchon": {"wilds": "ace_of_coins"},
    "chinchon point_value": {"settlement": "to_winner"},
    "chinchon figures=8-9-10": {"pack": 40},
    "chinchon wilds=jokers": {"pack": 50},
    "chinchon pack=50": {"wilds": "jokers"},
    **{
        f"{game} {option}": {"settlement": settlement}
        for game in ("loba_ca", "carioca_ar", "carioca_cl")
        for option, settlement in (("stake", "pot"), ("point_value", "pairs"))
    },
    "loba_mas stake": {"settlement": "pot"},
    "points stake": {"settlement": "pot"},
    "points point_value": {"settlement": "pairs"},
    "points settlement": {"wins": "fewest"},
    "points rounds": {"ending": "rounds"},
    "points ending=last_in": {"wins": "fewest"},
    **{
        f"points {option}": {"wins": "fewest", "ending": "last_in", "settlement": "pot"}
        for option in (
            *("out_at", "reentries", "reentry_price", "reentry_fee"),
            *("late_entry", "entry_total", "entry_limit"),
        )
    },
}


LAST_CONTRACT = (
    "In the last contract, a player who goes down has no cards left: they go out, and the round ends."
)
ALIKE = {"wild_value": [1, "face"]}  # the ace, whose number is 1


def sentences(**chosen: Value) -> list[str]:
    return rules_of("loba_menos", chosen)


def rules_of(game: str, chosen: Mapping[str, Value]) -> list[str]:
    variant = find_variant(game)
    return [str(sentence) for sentence in describe(variant, variant.house(chosen))]


def values_of(option: Option) -> list[Value]:
    """Return the values of an option to try: its words, common numbers, the bounds and their neighbours.

    A free-text option has none: the game's name is not part of the rules.
    """
    allowed = option.allowed
    if isinstance(allowed, Line):
        return []
    if isinstance(allowed, Words):
        return list(allowed.words)
    near = {allowed.low, allowed.low + 1, allowed.high - 1, allowed.high, *allowed.shortcuts}
    return [*sorted(set(allowed.only) or near), *allowed.words]


def with_value(game: str, option: str, value: Value) -> list[str]:
    besides = {**BESIDES.get(f"{game} {option}", {}), **BESIDES.get(f"{game} {option}={value}", {})}
    return rules_of(game, {**besides, option: value})


def test_the_default_rules_are_described():
    assert [
        "2 to 5 players, 108 cards with 4 jokers (*), 9 each.",
        "Fewest points wins.",
        "Going out scores 0; everyone else adds up the cards in their hand.",
        "2 to 10: their number.",
        "A J Q K *: 10.",
        "In one go: -10.",
        "A player with 101 or more is eliminated; the last one in wins.",
        "If everyone goes bust in the same round, the lowest total wins.",
        "2 re-entries each, while two or more are left in.",
        "A player who re-enters returns with the highest total of those still in.",
        "A re-entry costs 10, into the pot.",
        "Everyone puts 10 into the pot; the winner takes it all.",
    ] == sentences()[:12]


@pytest.mark.parametrize(
    ("chosen", "sentence"),
    [
        ({"packs": 3}, "2 to 8 players, 162 cards with 6 jokers (*), 9 each."),
        ({"out_at": 151}, "A player with 151 or more is eliminated; the last one in wins."),
        ({"ending": "first_out"}, "The game ends when a player has 101 or more; the lowest total wins."),
        ({"ace": 15}, "A: 15."),
        ({"joker": 25}, "*: 25."),
        ({"in_one_go": -25}, "In one go: -25."),
        ({"floor": -20}, "A total never falls below -20."),
        ({"reentries": 0}, "No re-entries."),
        ({"reentries": 1}, "1 re-entry each, while two or more are left in."),
        ({"reentries": "unlimited"}, "Any number of re-entries, while two or more are left in."),
        ({"reentry_price": "linear"}, "Each player's re-entries cost 10, 20, into the pot."),
        (
            {"reentry_price": "double", "reentries": "unlimited"},
            "Each player's re-entries cost 10, 20, 40, 80, into the pot.",
        ),
        (
            {"reentry_price": "linear", "reentries": 3},
            "Each player's re-entries cost 10, 20, 30, into the pot.",
        ),
        ({"reentry_fee": 3}, "A re-entry costs 3, into the pot."),
        ({"late_entry": "on"}, "A newcomer pays the stake and starts with the highest total."),
        ({"stock_end": "end_round"}, "When the stock runs out, nobody goes out and everyone counts."),
        ({"stock_end": "turn_over"}, "When the stock runs out: the discards are turned over."),
        ({"settlement": "none"}, "No money, only points."),
        ({"stake": 500}, "Everyone puts 500 into the pot; the winner takes it all."),
        ({"jokers_per_escalera": 2}, "Jokers in a run: 2."),
        ({"shortest_escalera": 4}, "Shortest run: 4."),
    ],
)
def test_a_house_rule_of_loba_de_menos_has_its_sentence(chosen: dict[str, Value], sentence: str):
    assert sentence in sentences(**chosen)


def test_changed_options_are_those_that_differ_from_the_defaults():
    house = LOBA.house({"stake": 50, "ace": 15, "reentries": "unlimited"})
    assert ["Ace: 15", "Re-entries each: any number"] == [
        str(changed) for changed in changed_options(LOBA, house, but=["stake"])
    ]


def test_a_value_is_described_in_words():
    assert ["10", "double each time"] == [
        str(LOBA.option("ace").value_in_words(10)),
        str(LOBA.option("reentry_price").value_in_words("double")),
    ]


@pytest.mark.parametrize(
    ("game", "chosen", "sentence"),
    [
        ("carioca_cl", {"values": "bands"}, "2–7: 5."),
        ("carioca_cl", {"values": "bands"}, "8–K: 10."),
        ("carioca_cl", {"contracts": "cl9"}, "For 3 runs, 4 trios, royal run, deal 12 cards each."),
        ("carioca_cl", {"contracts": "cl10"}, "sucia is a dirty run: ace to king, of any suits."),
        *((game, {}, LAST_CONTRACT) for game in ("loba_ca", "carioca_ar", "carioca_cl")),
        ("loba_ca", {}, "Replacing and moving a joker inside a run: no."),
        ("carioca_ar", {}, "Replacing and moving a joker inside a run: yes."),
        ("carioca_cl", {"jokers_per_meld": "any"}, "Jokers in a meld when going down: any number."),
        ("loba_ca", {"values": "ca_tens_joker50"}, "*: 50."),
        ("loba_mas", {}, "3–7: 1 on the table, -1 in hand."),
        (
            "loba_mas",
            {},
            "A joker, or a 2, standing for another card: 3 for 8 and higher, 1 for lower ones.",
        ),
        ("loba_mas", {"in_one_go": "5(n-1)"}, "In one go: 5 more for each other player in the round."),
        (
            "loba_mas",
            {"in_one_go": "5+5n"},
            "In one go: 5 more, and 5 for each player in the round, yourself included.",
        ),
        ("chinchon", {}, "1 to 9: their number; jack 10, knight 11, king 12."),
        (
            "chinchon",
            {"pack": 40, "figures": "8-9-10"},
            "1 to 7: their number; jack 8, knight 9, king 10.",
        ),
        ("chinchon", {"chinchon": 0}, "Chinchón: 0."),
        ("chinchon", {}, "Each further one costs double the one before."),
        ("chinchon", {"late_entry": "on", "settlement": "none"}, "A newcomer starts with the highest total."),
    ],
)
def test_a_house_rule_of_another_variant_has_its_sentence(game: str, chosen: dict[str, Value], sentence: str):
    assert sentence in rules_of(game, chosen)


@pytest.mark.parametrize(
    ("game", "chosen", "word"),
    [
        ("loba_ca", {}, "12"),
        *(
            ("carioca_cl", {"contracts": longer}, LAST_CONTRACT)
            for longer in ("cl8", "cl8b", "cl9", "cl10", "cl12")
        ),
        ("chinchon", {"chinchon": -50}, "wins by a chinchón"),
        ("loba_menos", {"stock_end": "end_round"}, "When the stock runs out:"),
        ("loba_menos", {"reentry_price": "linear", "reentries": 4}, "Each further one"),
    ],
)
def test_a_rule_not_in_force_has_no_sentence(game: str, chosen: dict[str, Value], word: str):
    assert [] == [sentence for sentence in rules_of(game, chosen) if word in sentence.replace("Q: 12.", "")]


@pytest.mark.parametrize(
    ("game", "direction", "way"),
    [
        ("loba_menos", "", "left, clockwise"),
        ("carioca_ar", "", "right, anticlockwise"),
        ("chinchon", "", "right, anticlockwise"),
        ("chinchon", "left", "left, clockwise"),
    ],
)
def test_the_direction_of_the_deal_is_described(game, direction, way):
    variant = find_variant(game)

    assert f"The deal passes to the {way}." in map(str, describe(variant, variant.house({}), direction))


@pytest.mark.parametrize("game", VARIANTS)
def test_every_value_of_an_option_has_its_own_description(game: str):
    for option in find_variant(game).options:
        values = {value: with_value(game, option.key, value) for value in values_of(option)}
        alike = [value for value in values if list(values.values()).count(values[value]) > 1]
        assert (option.key, ALIKE.get(option.key, [])) == (option.key, alike)
        if option.noted:
            for value, sentences in values.items():
                assert f"{option.label}: {option.value_in_words(value)}." in sentences
                assert len(sentences) == len(set(sentences))
