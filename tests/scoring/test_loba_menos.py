"""Loba de Menos: its options as RULES 2 lists them."""

from __future__ import annotations

import pytest

from games.scoring.errors import RuleError
from games.scoring.kinds import Value
from games.scoring.variants import VARIANTS, find_variant

LOBA = find_variant("loba_menos")


def test_the_defaults_are_those_of_the_rules():
    expected: dict[str, Value] = {
        "out_at": 101,
        "ending": "last_in",
        "ace": 10,
        "joker": 10,
        "in_one_go": -10,
        "floor": "none",
        "packs": 2,
        "reentries": 2,
        "reentry_price": "flat",
        "reentry_fee": 10,
        "late_entry": "off",
        "entry_total": "highest",
        "entry_limit": "none",
        "stock_end": "reshuffle",
        "settlement": "pot",
        "stake": 10,
        "jokers_per_escalera": 1,
        "shortest_escalera": 3,
    }
    assert expected == dict(LOBA.house().options)


@pytest.mark.parametrize(
    ("key", "allowed", "refused"),
    [
        ("out_at", [50, 100, 101, 102, 151, 201, 500], [49, 501, "none", ""]),
        ("ending", ["last_in", "first_out"], ["target", 1]),
        ("ace", [1, 10, 15, 50], [0, 51, -10]),
        ("joker", [1, 10, 25, 50], [0, 51, "*"]),
        ("in_one_go", [-50, -10, 0], [-51, 1, "none"]),
        ("floor", ["none", 0, -100000], [1, -100001, "off"]),
        ("reentries", [0, 2, 9, "unlimited"], [-1, 10, "none"]),
        ("reentry_price", ["flat", "linear", "double"], ["triple", 2]),
        ("reentry_fee", [0, 10**9], [-1, 10**9 + 1]),
        ("late_entry", ["off", "on"], ["yes", 1]),
        ("stock_end", ["reshuffle", "turn_over", "end_round"], ["stop"]),
        ("settlement", ["none", "pot"], ["pairs", "pot_and_pairs", "to_winner"]),
        ("stake", [0, 10**9], [-1, 10**9 + 1, "a lot"]),
        ("jokers_per_escalera", [1, 2], [0, 3]),
        ("shortest_escalera", [3, 4], [2, 5]),
    ],
)
def test_an_option_accepts_exactly_the_values_of_the_rules(
    key: str, allowed: list[Value], refused: list[Value]
):
    assert allowed == [LOBA.house({key: value})[key] for value in allowed]
    assert allowed == [LOBA.house({key: str(value)})[key] for value in allowed]
    for value in refused:
        with pytest.raises(RuleError) as refusal:
            LOBA.house({key: value})
        assert key == refusal.value.field


def test_the_re_entry_fee_defaults_to_the_stake():
    assert [7, 3] == [
        LOBA.house({"stake": 7})["reentry_fee"],
        LOBA.house({"stake": 7, "reentry_fee": 3})["reentry_fee"],
    ]


def test_the_escalating_preset_has_linear_prices_without_a_cap():
    (preset,) = [preset for preset in LOBA.presets if preset.key == "escalating"]
    house = LOBA.house(preset.chosen)
    assert ("unlimited", "linear") == (house["reentries"], house["reentry_price"])


def test_the_number_of_players_depends_on_the_packs_and_the_deal_goes_left():
    most = [LOBA.build(LOBA.house({"packs": packs})).max_players or LOBA.max_players for packs in (2, 3)]
    assert (2, [5, 8], "left") == (LOBA.min_players, most, LOBA.direction)


def test_an_unknown_option_or_variant_is_refused():
    with pytest.raises(RuleError):
        LOBA.house({"tie": "shared"})
    with pytest.raises(RuleError):
        find_variant("poker")


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=list(VARIANTS))
def test_every_option_allows_its_default(variant):
    assert [option.key for option in variant.options] == [key for key, _value in variant.house().options]
