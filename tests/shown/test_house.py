"""House rules as fields of a form: what is typed in comes out as it was."""

from __future__ import annotations

import pytest

from games.scoring.variants import VARIANTS
from games.shown.house import field_name, option_fields, read_house, typed_house

VARIANT = VARIANTS["loba_menos"]


@pytest.mark.parametrize(
    "chosen",
    [
        {},
        {"stake": 300},
        {"stake": 300, "reentry_fee": 20},
        {"reentries": "unlimited", "reentry_price": "double"},
        {"floor": -20, "in_one_go": 0, "late_entry": "on"},
        {"floor": 0, "ending": "first_out", "settlement": "none"},
    ],
)
def test_the_fields_of_a_house_read_again_are_the_same_house(chosen):
    house = VARIANT.house(chosen)
    fields = option_fields(VARIANT, typed_house(VARIANT, house), {})
    post = {
        found.name: next((choice.value for choice in found.choices if choice.chosen), found.value)
        for found in fields
    }

    assert house == VARIANT.house(read_house(VARIANT, post))


def test_every_option_has_a_field_and_its_error():
    errors = {option.key: f"wrong {option.key}" for option in VARIANT.options}
    fields = option_fields(VARIANT, {}, errors)

    assert [option.key for option in VARIANT.options] == [found.key for found in fields]
    assert list(errors.values()) == [found.error for found in fields]


def test_a_blank_field_is_left_to_its_default():
    assert {} == read_house(VARIANT, {field_name("stake"): "  "})


def test_what_was_typed_stays_even_where_it_is_wrong():
    fields = {found.key: found for found in option_fields(VARIANT, {"out_at": "<b>", "stake": "x"}, {})}

    assert ("<b>", "x") == (fields["out_at"].value, fields["stake"].value)
