"""Loba de Menos (RULES 2): two or three packs with jokers, nine cards each; fewest points win, out at 101."""

from __future__ import annotations

from dataclasses import replace

from ..card_points import HeldPoints
from ..cards import FRENCH_RANKS, JOKER, french_packs
from ..i18n import _
from ..option_values import Numbers, Words
from ..options import House, Lesson, Option, Preset, Variant
from ..rule_types import Direction, Pot, Rules
from . import shared

CARDS_DEALT = 9
FIGURE = 10


def _rules(house: House) -> Rules:
    pot = (Pot(house.number("stake")),) if house["settlement"] == "pot" else ()
    return Rules(
        deck=french_packs(house.number("packs")),
        cards_dealt=CARDS_DEALT,
        scoring=HeldPoints(
            {rank: int(rank) if rank.isdigit() else FIGURE for rank in FRENCH_RANKS}
            | {"A": house.number("ace"), JOKER: house.number("joker")}
        ),
        closings=(
            shared.OUT,
            replace(shared.IN_ONE_GO, bonus=house.number("in_one_go")),
            *((shared.STOCK_OUT,) if house["stock_end"] == "end_round" else ()),
        ),
        ending=shared.ending_of(house),
        reentry=shared.reentry_of(house, fees=bool(pot)),
        money=pot,
        floor=house.number_or_none("floor"),
        late_entry=house["late_entry"] == "on",
        entry=shared.entry_of(house),
        max_players=shared.max_players(house),
    )


def _lesson(house: House) -> Lesson:
    return Lesson(
        (
            _("A set is 3 or more cards of one rank in 3 different suits, such as 8♠ 8♥ 8♦."),
            _(
                "A run is {count} or more cards of one suit in sequence, such as 4♥ 5♥ 6♥ 7♥.",
                count=house.number("shortest_escalera"),
            ),
            _(
                "The ace goes below the 2 or above the king. A joker stands for a card of a run, never of a set."
            ),
            _(
                "On your turn, draw from the stock, or take the top discard if you lay it down right away; "
                "lay down sets and runs, and discard a card."
            ),
            _("After laying down a set or run, you may add cards to any on the table."),
            _("A joker may be discarded only as your last card."),
            shared.GOING_OUT,
            shared.OUT_IN_ONE_GO,
        ),
        ("[K 7 2 A *]",),
    )


LOBA_MENOS = Variant(
    key="loba_menos",
    name=_("Loba de Menos"),
    summary=_("Nine cards each, fewest points wins. At the limit you're out or you come back."),
    gist=_("fewest points"),
    min_players=2,
    max_players=shared.MAX_PLAYERS,
    direction=Direction.LEFT,
    build=_rules,
    options=(
        shared.OUT_AT,
        shared.ENDING,
        Option("ace", _("Ace"), FIGURE, Numbers(1, 50, shortcuts=(10, 15))),
        Option("joker", _("Joker"), FIGURE, Numbers(1, 50, shortcuts=(10, 25))),
        Option("in_one_go", _("Going out in one go"), -10, Numbers(-50, 0, shortcuts=(-10, 0))),
        shared.FLOOR,
        shared.PACKS,
        shared.settlement("pot", "none", "pot"),
        shared.STAKE,
        shared.reentries(2),
        shared.reentry_price("flat"),
        shared.REENTRY_FEE,
        shared.LATE_ENTRY,
        shared.ENTRY_TOTAL,
        shared.ENTRY_LIMIT,
        Option(
            "stock_end",
            _("When the stock runs out"),
            "reshuffle",
            Words(
                {
                    "reshuffle": _("the discards are shuffled"),
                    "turn_over": _("the discards are turned over"),
                    "end_round": _("the round ends and everyone counts"),
                }
            ),
            described_by_label=("reshuffle", "turn_over"),
        ),
        Option("jokers_per_escalera", _("Jokers in a run"), 1, Numbers(1, 2), noted=True),
        Option("shortest_escalera", _("Shortest run"), 3, Numbers(3, 4), noted=True),
    ),
    presets=(
        Preset(
            "escalating",
            _("Rising re-entry fee"),
            {"reentries": "unlimited", "reentry_price": "linear"},
            "RULES 2",
        ),
        Preset("two_jokers", _("Two jokers in a run"), {"jokers_per_escalera": 2}, "RULES 2"),
        Preset("long_runs", _("Runs of four"), {"shortest_escalera": 4}, "RULES 2"),
        Preset("turned_over", _("Without shuffling"), {"stock_end": "turn_over"}, "RULES 2"),
    ),
    hints=(shared.THIRD_PACK,),
    lesson=_lesson,
)
