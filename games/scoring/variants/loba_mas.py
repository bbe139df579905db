"""Loba de Más (RULES 3): melds count for a player, cards in hand against; over at 150, most points win."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ..card_points import MeldPoints
from ..cards import JOKER, PLACES, french_packs
from ..i18n import _
from ..option_values import Numbers
from ..options import House, Lesson, Option, Preset, Topic, Variant
from ..rule_types import MAX_POINTS, CloserHand, Direction, FirstTo, Rules, Value
from . import shared

CARDS_DEALT = 11

# RULES 3.2: the value of a card in a set, in hand, in a run, and as a wild.
_LOW, _HIGH = ("3", "4", "5", "6", "7"), ("8", "9", "10", "J", "Q", "K")
_IN_SET = {"A": 3, "2": 1, **dict.fromkeys(_LOW, 1), **dict.fromkeys(_HIGH, 2)}
_TWO_PACKS = MeldPoints(
    in_hand={rank: -value for rank, value in _IN_SET.items()} | {"2": -3, JOKER: -3},
    in_set=_IN_SET,
    in_run=(1, *(_IN_SET[rank] for rank in PLACES[1:])),  # the low ace counts 1
    as_wild=tuple(1 if place < PLACES.index("8") else 3 for place in range(len(PLACES))),
    run_sizes=range(3, 14),
    copies=2,
)
POINTS: Mapping[int, MeldPoints] = {2: _TWO_PACKS, 3: replace(_TWO_PACKS, copies=3)}  # by the packs

# RULES 3.3: the bonus for going out in one go, as (points, points for each player dealt in).
IN_ONE_GO: dict[Value, tuple[int, int]] = {"5n": (0, 5), "5(n-1)": (-5, 5), "5+5n": (5, 5)}


def _rules(house: House) -> Rules:
    bonus, bonus_per_player = IN_ONE_GO.get(house["in_one_go"], (house["in_one_go"], 0))
    assert isinstance(bonus, int)
    out_bonus, packs = house.number("out_bonus"), house.number("packs")
    return Rules(
        deck=french_packs(packs),
        cards_dealt=CARDS_DEALT,
        scoring=POINTS[packs],
        closings=(
            replace(
                shared.OUT,
                rule=_("Going out, but not in one go: {points} more.", points=out_bonus)
                if out_bonus
                else None,
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
        max_players=shared.max_players(house),
        lowest_wins=False,
    )


def _lesson(_house: House) -> Lesson:
    return Lesson(
        (
            _("Sets and runs that you lay down count for you; cards left in your hand count against you."),
            _(
                "A set is three or more cards of one rank in three different suits, such as 8♠ 8♥ 8♦, without wild cards."
            ),
            _(
                "A run is three or more cards of one suit in sequence; jokers and twos stand for any card of it."
            ),
            _("The ace goes below the 2 or above the king."),
            _(
                "On your turn, draw from the stock or take the whole discard pile, lay down what "
                "you like, add to your own melds, and discard a card."
            ),
            _("If you have no cards left you go out, and the round ends."),
            shared.OUT_IN_ONE_GO,
        ),
        ("{9S 9H 9D}{4C 5C * 7C}[K 2]",),
    )


LOBA_MAS = Variant(
    key="loba_mas",
    name=_("Loba de Más"),
    summary=_("Eleven cards each; melds add points, cards in hand subtract; most points wins."),
    gist=_("most points"),
    min_players=2,
    max_players=shared.MAX_PLAYERS,
    direction=Direction.LEFT,
    build=_rules,
    options=(
        Option(
            "target",
            _("Ends at"),
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
                    "5n": _("5 per player"),
                    "5(n-1)": _("5 per other player"),
                    "5+5n": _("5, plus 5 per player"),
                },
            ),
        ),
        shared.PACKS,
        shared.settlement("pairs", "none", "pot", "pairs", "pot_and_pairs"),
        shared.STAKE,
        shared.POINT_VALUE,
        shared.TIE,
    ),
    presets=(
        Preset("each_other", _("In one go: 5 per other player"), {"in_one_go": "5(n-1)"}, "RULES 3.4"),
        Preset("both_bonuses", _("In one go: both bonuses"), {"in_one_go": "5+5n"}, "RULES 3.4"),
    ),
    hints=(shared.THIRD_PACK,),
    lesson=_lesson,
)
