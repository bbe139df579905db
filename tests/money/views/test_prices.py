"""The line about what a game is played for: it names each amount that a player may have to pay."""

from __future__ import annotations

import pytest
from django.utils.translation import override

from games.common.naming import Person
from games.models import Table
from games.money.presenters import stakes
from games.play.presenters import house_rules
from games.scoring.options import Topic
from games.scoring.replay import replay
from games.scoring.text.game_file import parse_game_file, play_game_file
from games.scoring.variants import VARIANTS

TABLE = Table(unit="$", decimals=0)


def _stakes_line(variant, **options):
    with override("en"):
        return house_rules.stakes_label(VARIANTS[variant], options, TABLE).replace("\u00a0", " ")


@pytest.mark.parametrize(
    ("variant", "options", "line"),
    [
        (
            "chinchon",
            {"stake": 1000, "cut_prize": 100, "reentries": "unlimited", "reentry_price": "flat"},
            "stake $1,000 · $100 for a cut · $1,000 for a chinchón · unlimited re-entries at $1,000",
        ),
        ("loba_menos", {"reentry_fee": 0}, "stake $10 · up to 2 re-entries"),
        ("loba_menos", {"reentry_price": "linear"}, "stake $10 · up to 2 re-entries at $10, $20"),
        (
            "loba_menos",
            {"reentry_price": "double", "reentries": 5},
            "stake $10 · up to 5 re-entries at $10, $20, $40…",
        ),
    ],
)
def test_the_line_names_the_stake_the_prizes_and_what_a_re_entry_costs(variant, options, line):
    assert line == _stakes_line(variant, **options)


def _settlement_cases():
    for variant in VARIANTS.values():
        for option in variant.options:
            if option.topic is Topic.SETTLEMENT:
                yield from ((variant, settlement) for settlement in option.allowed.words)


@pytest.mark.parametrize(
    ("variant", "settlement"), list(_settlement_cases()), ids=lambda value: getattr(value, "key", value)
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
    line = _stakes_line(variant.key, **chosen, **amounts)
    assert [] == [key for key, amount in amounts.items() if f"${amount:,}" not in line]


def _reentry_prices(game, *, name=str.title, **options):
    """Return the re-entry prices on the cloth after these lines; `name` turns an id into a name."""
    chosen = " ".join(f"{key}={value}" for key, value in {"stake": 1000, **options}.items())
    state = replay(
        play_game_file(parse_game_file(f"game loba_menos {chosen}\nplayers ana beto caro dani\n{game}")).log
    )
    people = {player.id: Person(player.id, name(player.id), 1) for player in state.players}
    with override("en"):
        return [text.replace("\u00a0", " ") for text in stakes.reentry_price_labels(state, people, TABLE)]


BETO_IS_BACK = "round ana out beto=101 caro=20 dani=60\nreenter beto"


@pytest.mark.parametrize(
    ("options", "game", "prices"),
    [
        ({}, "", ["$1,000"]),
        ({"reentry_price": "linear"}, BETO_IS_BACK, ["$1,000", "Beto $2,000"]),
        ({"reentry_price": "linear", "reentries": 1}, BETO_IS_BACK, ["$1,000"]),
        (  # while Beto is asked whether they come back again
            {"reentry_price": "linear"},
            f"{BETO_IS_BACK}\nround ana out beto=50 caro=1 dani=1",
            ["$1,000", "Beto $2,000"],
        ),
        ({"reentries": 0}, "", []),
        ({"settlement": "none"}, "", []),
        ({}, "stop lowest_wins", []),
    ],
)
def test_the_cloth_says_what_coming_back_costs_and_for_whom_it_costs_more(options, game, prices):
    assert prices == _reentry_prices(game, **options)


def test_long_names_leave_room_for_the_least_and_the_highest_price_alone():
    assert ["$1,000 to $2,000"] == _reentry_prices(
        BETO_IS_BACK, reentry_price="linear", name=lambda player: player * 5
    )
