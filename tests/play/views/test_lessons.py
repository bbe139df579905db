"""The lesson at the top of a game's rules: hands drawn as cards, counted by the house rules."""

from __future__ import annotations

import pytest
from django.utils.translation import override

from games.play.presenters import lessons
from games.scoring.variants import VARIANTS, get_variant


def lesson_hands(key, **options):
    """Return each hand of the lesson: its groups as (name, cards) and its sum."""
    variant = get_variant(key)
    with override("en"):
        _sentences, hands = lessons.build_lesson(variant, variant.house(options), str)
    return [
        ([(name, " ".join(map(card_text, cards))) for name, cards in groups], counts)
        for groups, counts in hands
    ]


def card_text(card):
    suit = card.get("suit", "")
    return card["label"] + lessons.SUIT_SIGNS.get(suit, suit)


@pytest.mark.parametrize(
    ("key", "hands"),
    [
        ("loba_menos", [([("", "K 7 2 A ★")], "39 points")]),
        (
            "loba_mas",
            [([("set +6", "9♠ 9♥ 9♦"), ("run +4", "4♣ 5♣ ★ 7♣"), ("in hand", "K 2")], "5 points")],
        ),
        ("loba_ca", [([("", "K 9 4 A")], "40 points"), ([("", "8 2 ★")], "35 points")]),
        ("carioca_ar", [([("", "K 9 4 A")], "43 points"), ([("", "8 2 ★")], "60 points")]),
        (
            "chinchon",
            [
                ([("set", "7c 7e 7b"), ("run", "4o 5o 6o"), ("left over", "12c")], "12 points"),
                ([("run", "1e 2e 3e"), ("left over", "4c 7o 11b 12b")], "34 points"),
            ],
        ),
    ],
)
def test_the_lesson_draws_a_hand_with_its_points(key, hands):
    assert hands == lesson_hands(key)


def test_the_lesson_counts_by_the_house_rules():
    assert [([("", "K 7 2 A ★")], "59 points")] == lesson_hands("loba_menos", ace=15, joker=25)


def test_the_lesson_explains_going_out_in_one_go_where_that_counts_more():
    with override("en"):
        taught = {
            key: lessons.build_lesson(variant, variant.house({}), str)[0] for key, variant in VARIANTS.items()
        }

    assert ["loba_menos", "loba_mas"] == [
        key for key, sentences in taught.items() if "Going out in one go is" in " ".join(sentences)
    ]
