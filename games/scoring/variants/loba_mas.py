"""Loba de Más (RULES 3): melds count for a player, cards in hand against; over at 150, most points win."""

from __future__ import annotations

from dataclasses import replace

from games.scoring.cards import JOKER, PLACES, TWO_FRENCH_PACKS
from games.scoring.options import House, Numbers, Option, Topic, Variant
from games.scoring.rules import (
    MAX_POINTS,
    CloserHand,
    Direction,
    FirstTo,
    MeldPoints,
    Rules,
    Value,
)
from games.scoring.variants import shared
from games.scoring.words import _

CARDS_DEALT = 11

# RULES 3.2: the value of a card in a set, in hand, in a run, and as a wild.
_LOW, _HIGH = ("3", "4", "5", "6", "7"), ("8", "9", "10", "J", "Q", "K")
_IN_SET = {"A": 3, "2": 1, **dict.fromkeys(_LOW, 1), **dict.fromkeys(_HIGH, 2)}
POINTS = MeldPoints(
    in_hand={rank: -value for rank, value in _IN_SET.items()} | {"2": -3, JOKER: -3},
    in_set=_IN_SET,
    in_run=(1, *(_IN_SET[rank] for rank in PLACES[1:])),  # the low ace counts 1
    as_wild=tuple(1 if place < PLACES.index("8") else 3 for place in range(len(PLACES))),
    set_sizes=range(3, 7),
    run_sizes=range(3, 14),
)

# RULES 3.3: the bonus for going out in one go, as (points, points for each player dealt in).
IN_ONE_GO: dict[Value, tuple[int, int]] = {"5n": (0, 5), "5(n-1)": (-5, 5), "5+5n": (5, 5)}


def _rules(house: House) -> Rules:
    bonus, bonus_per_player = IN_ONE_GO.get(house["in_one_go"], (house["in_one_go"], 0))
    assert isinstance(bonus, int)
    out_bonus = house.number("out_bonus")
    return Rules(
        deck=TWO_FRENCH_PACKS,
        cards_dealt=CARDS_DEALT,
        scoring=POINTS,
        closings=(
            replace(
                shared.OUT,
                rule=_("Out, but not in one go: {points} more.", points=out_bonus) if out_bonus else None,
                bonus=out_bonus,
                closer_hand=CloserHand.MELDS,
            ),
            replace(
                shared.IN_ONE_GO,
                bonus=bonus,
                bonus_per_player=bonus_per_player,
                closer_hand=CloserHand.MELDS,
            ),
            shared.STOCK_OUT,
        ),
        ending=FirstTo(house.number("target"), play_on=house["tie"] == "play_on"),
        reentry=None,
        money=shared.money_of(house),
        lowest_wins=False,
    )


LOBA_MAS = Variant(
    key="loba_mas",
    name=_("Loba de Más"),
    summary=_("Eleven cards each; melds count for you, cards in hand against you; most points wins."),
    gist=_("most points"),
    min_players=2,
    max_players=5,
    direction=Direction.LEFT,
    build=_rules,
    options=(
        Option(
            "target",
            _("Over at"),
            150,
            Numbers(50, 1000, shortcuts=(100, 150, 200)),
            topic=Topic.LENGTH,
        ),
        Option("out_bonus", _("Bonus for going out"), 5, Numbers(0, 50, shortcuts=(5, 10))),
        Option(
            "in_one_go",
            _("Bonus in one go"),
            "5n",
            Numbers(
                0,
                MAX_POINTS,
                {
                    "5n": _("5 for each player"),
                    "5(n-1)": _("5 for each other player"),
                    "5+5n": _("5 and 5 for each player"),
                },
            ),
        ),
        shared.settlement("pairs", "none", "pot", "pairs", "pot_and_pairs"),
        shared.STAKE,
        shared.POINT_VALUE,
        shared.TIE,
    ),
)
