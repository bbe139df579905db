"""The house rules as sentences: each number in the rules appears in one of them."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from games.scoring import rules
from games.scoring.errors import RuleError
from games.scoring.option_values import Line, Words
from games.scoring.options import Option
from games.scoring.rule_types import Value
from games.scoring.text.describe import describe, option_differences
from games.scoring.variants import VARIANTS, get_variant, get_variant_by_title
from tests.scoring.example_files import examples

LOBA = get_variant("loba_menos")


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
    "points settlement=own": {"wins": "most"},
    "points round_prize": {"closes": "one", "settlement": "pot"},
    "points rounds": {"ending": "rounds"},
    "points winner": {"ending": "open"},
    "points ending=last_in": {"wins": "fewest"},
    **{
        f"points {option}": {"wins": "fewest", "ending": "last_in", "settlement": "pot"}
        for option in (
            *("out_at", "reentries", "reentry_price", "reentry_fee"),
            *("late_entry", "entry_total", "entry_limit", "count"),
        )
    },
}


ALIKE = {"wild_value": [1, "face"]}  # the ace, whose number is 1


def option_values(option: Option) -> list[Value]:
    """Return the values of an option to try: its words, common numbers, the bounds and their neighbors.

    A free-text option has none: the game's name is not part of the rules.
    """
    allowed = option.allowed
    if isinstance(allowed, Line):
        return []
    if isinstance(allowed, Words):
        return list(allowed.words)
    near = {allowed.low, allowed.low + 1, allowed.high - 1, allowed.high, *allowed.shortcuts}
    return [*sorted(set(allowed.only) or near), *allowed.words]


def rules_with(game: str, option: str, value: Value) -> tuple[str, ...]:
    besides = {**BESIDES.get(f"{game} {option}", {}), **BESIDES.get(f"{game} {option}={value}", {})}
    return rules(game, **{**besides, option: value})


def test_changed_options_are_those_that_differ_from_the_defaults():
    house = LOBA.house({"stake": 50, "ace": 15, "reentries": "unlimited"})
    assert ["Ace: 15", "Re-entries each: any number"] == [
        str(option) for option in option_differences(LOBA, house, excluded=["stake"])
    ]


def test_the_direction_of_the_deal_is_described():
    chinchon = get_variant("chinchon")
    ways = {"": "right, counterclockwise", "left": "left, clockwise"}
    for direction, way in ways.items():
        sentences = describe(chinchon, chinchon.house({}), direction)
        assert f"The deal passes to the {way}." in map(str, sentences)


@pytest.mark.parametrize("game", VARIANTS)
def test_every_value_of_an_option_has_its_own_description(game: str):
    for option in get_variant(game).options:
        values = {value: rules_with(game, option.key, value) for value in option_values(option)}
        alike = [value for value in values if list(values.values()).count(values[value]) > 1]
        assert (option.key, ALIKE.get(option.key, [])) == (option.key, alike)
        if option.noted:
            for value, sentences in values.items():
                assert f"{option.label}: {option.value_in_words(value)}." in sentences
                assert len(sentences) == len(set(sentences))


@pytest.mark.parametrize("house", examples("house_rules.txt"), ids=lambda house: house.partition("\n")[0])
def test_a_house_rule_has_its_sentence(house):
    """A line that starts with “not” has words that no sentence contains."""
    (game, *options), lines = house.split("\n")[0].split(), house.strip().split("\n")[1:]
    sentences = rules(game, **dict(option.split("=", 1) for option in options))
    missing = [line for line in lines if not line.startswith("not ") and line not in sentences]
    excluded = [line.removeprefix("not ") for line in lines if line.startswith("not ")]
    assert ([], []) == (missing, [text for text in excluded if text in " ".join(sentences)])


@pytest.mark.parametrize("option", ["cut_prize", "chinchon_prize"])
def test_a_prize_of_nothing_has_no_sentence(option):
    with_prize, without = (rules_with("chinchon", option, value) for value in (1, 0))

    assert 1 == len(set(with_prize) - set(without))
    assert set() == set(without) - set(with_prize)


def test_only_a_game_that_takes_a_name_is_found_by_a_title_with_one():
    assert "Truco" == str(get_variant_by_title("points:Truco").name)
    with pytest.raises(RuleError, match="There is no game called “loba_menos:Truco”"):
        get_variant_by_title("loba_menos:Truco")
