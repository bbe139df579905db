"""House rules as form fields: the values written into the fields are parsed back unchanged."""

from __future__ import annotations

import pytest

from games.common import regions
from games.models import Table
from games.play.presenters import house_rules
from games.scoring.variants import VARIANTS

VARIANT = VARIANTS["loba_menos"]
TABLE = Table(unit="$", decimals=0)


def form_values(fields):
    data = {}
    for option_field in fields:
        chosen = [choice.value for choice in option_field.choices if choice.chosen]
        data[option_field.name] = (
            chosen or [choice.value for choice in option_field.choices[:1]] or [option_field.value]
        )[0]
        if option_field.other_name:
            data[option_field.other_name] = option_field.other
    return data


@pytest.mark.parametrize(
    ("key", "chosen"),
    [
        *((key, {}) for key in VARIANTS),
        ("loba_menos", {"stake": 300, "reentry_fee": 20}),
        ("loba_menos", {"reentries": "unlimited", "reentry_price": "double"}),
        ("loba_menos", {"floor": -20, "in_one_go": 0, "late_entry": "on"}),
        ("loba_menos", {"floor": 0, "ending": "first_out", "settlement": "none"}),
        *(("loba_mas", {"in_one_go": bonus}) for bonus in ("5n", "5(n-1)", "5+5n", 0, 40)),
        ("carioca_cl", {"contracts": "cl12", "values": "bands", "buy_points": 5, "in_one_go": -10}),
        *(("chinchon", {"wilds": "ace_of_coins", "wild_value": value}) for value in ("face", 25, 50, 30)),
        ("chinchon", {"pack": 50, "wilds": "jokers", "packs": 2, "cut_max": 5}),
        ("chinchon", {"pack": 40, "figures": "8-9-10", "chinchon": -50, "minus_ten": 0}),
    ],
)
@pytest.mark.parametrize("decimals", [0, 2, 3])
def test_house_rules_survive_a_round_trip_through_the_form_fields(key, chosen, decimals):
    variant, table = VARIANTS[key], Table(unit="€", decimals=decimals)
    house = variant.house(chosen)
    fields = house_rules.option_fields(
        variant, house_rules.house_input_values(variant, house, table), {}, table
    )
    values = house_rules.posted_values(variant, form_values(fields))

    assert house == variant.house(house_rules.parse_options(variant, values, table, regions.active_region()))


@pytest.mark.parametrize("key", VARIANTS)
def test_every_offered_number_is_allowed(key):
    variant = VARIANTS[key]
    for option_field in house_rules.option_fields(variant, {}, {}, TABLE):
        option = variant.option(option_field.key)
        assert [] == [
            choice.value for choice in option_field.choices if option.allowed.read(choice.value) is None
        ]


def test_an_invalid_typed_number_stays_in_its_field():
    fields = {
        option_field.key: option_field
        for option_field in house_rules.option_fields(VARIANTS["chinchon"], {"wild_value": "999"}, {}, TABLE)
    }

    assert ("999", []) == (
        fields["wild_value"].other,
        [choice for choice in fields["wild_value"].choices if choice.chosen],
    )


def test_a_blank_field_takes_the_default():
    assert {} == house_rules.parse_options(
        VARIANT,
        house_rules.posted_values(VARIANT, {house_rules.field_name("stake"): "  "}),
        TABLE,
        regions.active_region(),
    )
