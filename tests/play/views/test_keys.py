"""The keys of the card pad: every card of the pack with its value by this game's rules."""

from __future__ import annotations

import pytest
from django.utils.translation import override

from games.play.presenters import pad
from games.scoring.variants import VARIANTS, get_variant


def build_keys(variant, **options):
    variant_found = get_variant(variant)
    with override("en"):
        return {
            (key.text, key.place): key
            for key in pad.card_keys(variant_found.build(variant_found.house(options)))
        }


def key_values(pad_keys):
    return " ".join(f"{key.text}={key.value}" for key in pad_keys.values())


@pytest.mark.parametrize(
    ("variant", "options", "values"),
    [
        ("loba_menos", {"ace": 15, "joker": 25}, "A=15 2=2 3=3 4=4 5=5 6=6 7=7 8=8 9=9 10=10 J=10 Q=10 K=10 *=25"),
        ("carioca_cl", {"values": "bands"}, "A=20 2=5 3=5 4=5 5=5 6=5 7=5 8=10 9=10 10=10 J=10 Q=10 K=10 *=30"),
        ("chinchon", {"pack": 40, "figures": "8-9-10"}, "1=1 2=2 3=3 4=4 5=5 6=6 7=7 10=8 11=9 12=10"),
        (
            "chinchon",
            {"pack": 50, "wilds": "jokers"},
            "1=1 2=2 3=3 4=4 5=5 6=6 7=7 8=8 9=9 10=10 11=11 12=12 *=25",
        ),
        (
            "chinchon",
            {"wilds": "ace_of_coins", "wild_value": 50},
            "1=1 1o=50 2=2 3=3 4=4 5=5 6=6 7=7 8=8 9=9 10=10 11=11 12=12",
        ),
    ],
)  # fmt: skip
def test_every_card_has_a_key_with_its_value(variant, options, values):
    assert values == key_values(build_keys(variant, **options))


def test_loba_de_mas_has_a_key_for_the_low_ace_and_one_for_the_high_ace():
    pad_keys = build_keys("loba_mas")

    assert [("A", 0), ("2", 1), ("3", 2)] == list(pad_keys)[:3]
    assert [("K", 12), ("A", 13), ("*", None)] == list(pad_keys)[-3:]
    counted = {("A", 0): (-3, 3, 1), ("A", 13): (-3, 3, 3), ("2", 1): (-3, 1, 1), ("8", 7): (-2, 2, 2)}
    assert counted == {
        place: (key.value, key.set_value, key.run_value)
        for place, key in pad_keys.items()
        if place in counted
    }
    assert ("−3", "ace low: 1 laid down, −3 in hand") == (pad_keys["A", 0].sub, pad_keys["A", 0].spoken)


@pytest.mark.parametrize(
    ("variant", "options", "copies"),
    [
        ("loba_menos", {"packs": 3}, {"A": 12, "K": 12, "*": 6}),
        ("chinchon", {"packs": 2, "pack": 50, "wilds": "jokers"}, {"1": 8, "*": 4}),
        ("chinchon", {"wilds": "ace_of_coins"}, {"1": 3, "1o": 1}),
        ("chinchon", {"wilds": "ace_of_coins", "packs": 2}, {"1": 6, "1o": 2}),
    ],
)
def test_a_key_has_the_number_of_copies_in_the_pack(variant, options, copies):
    pad_keys = build_keys(variant, **options)

    assert copies == {text: pad_keys[text, None].copies for text in copies}


def test_only_chinchon_has_suits_to_choose():
    with override("en"):
        suits = {
            key: [name for _letter, name in pad.suit_choices(variant.build(variant.house()))]
            for key, variant in VARIANTS.items()
        }

    assert ["coins", "cups", "swords", "clubs"] == suits.pop("chinchon")
    assert [[]] * 6 == list(suits.values())
