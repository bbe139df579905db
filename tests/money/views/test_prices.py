"""The line of what a game is played for: it names each amount that somebody may have to pay."""

from __future__ import annotations

import pytest
from django.utils.translation import override

from games.models import Table
from games.play.house import stakes_in_words
from games.scoring.options import Topic
from games.scoring.variants import VARIANTS

TABLE = Table(unit="$", decimals=0)


def _line(variant, **options):
    with override("en"):
        return stakes_in_words(VARIANTS[variant], options, TABLE).replace("\u00a0", " ")


@pytest.mark.parametrize(
    ("variant", "options", "line"),
    [
        (
            "chinchon",
            {"stake": 1000, "cut_prize": 100, "reentries": "unlimited", "reentry_price": "flat"},
            "stake $ 1,000 · for a cut $ 100 · for a chinchón $ 1,000 · re-entries without limit at $ 1,000",
        ),
        ("loba_menos", {"reentry_fee": 0}, "stake $ 10 · up to 2 re-entries"),
        ("loba_menos", {"reentry_price": "linear"}, "stake $ 10 · up to 2 re-entries at $ 10, $ 20"),
        (
            "loba_menos",
            {"reentry_price": "double", "reentries": 5},
            "stake $ 10 · up to 5 re-entries at $ 10, $ 20, $ 40…",
        ),
    ],
)
def test_the_line_names_the_stake_the_prizes_and_what_a_re_entry_costs(variant, options, line):
    assert line == _line(variant, **options)


def _settled():
    """Yield each variant with each of the ways in which it is paid."""
    for variant in VARIANTS.values():
        for option in variant.options:
            if option.topic is Topic.SETTLEMENT:
                yield from ((variant, settlement) for settlement in option.allowed.words)


@pytest.mark.parametrize(
    ("variant", "settlement"), list(_settled()), ids=lambda value: getattr(value, "key", value)
)
def test_every_amount_of_a_game_is_named(variant, settlement):
    chosen = {"settlement": settlement}
    if variant.key == "points":
        chosen |= {"wins": "most" if settlement == "own" else "fewest", "closes": "one"}
    if any(option.key == "reentries" for option in variant.options):
        chosen["reentries"] = "unlimited"
    charged = [
        option.key for option in variant.options if option.money and option.matters(settlement, chosen)
    ]
    amounts = {key: 7001 + number for number, key in enumerate(charged)}
    line = _line(variant.key, **chosen, **amounts)
    assert [] == [key for key, amount in amounts.items() if f"$ {amount:,}" not in line]
