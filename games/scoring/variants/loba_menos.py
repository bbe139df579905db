"""Loba de Menos (RULES 2): two packs with jokers, nine cards each, fewest points wins, out at 101."""

from __future__ import annotations

from dataclasses import replace

from games.scoring.cards import FRENCH_RANKS, JOKER, TWO_FRENCH_PACKS
from games.scoring.options import House, Numbers, Option, Preset, Variant, Words
from games.scoring.rules import Direction, HeldPoints, Pot, Rules
from games.scoring.variants import shared
from games.scoring.words import _

CARDS_DEALT = 9
FIGURE = 10


def _rules(house: House) -> Rules:
    pot = (Pot(house.number("stake")),) if house["settlement"] == "pot" else ()
    return Rules(
        deck=TWO_FRENCH_PACKS,
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
    )


LOBA_MENOS = Variant(
    key="loba_menos",
    name=_("Loba de Menos"),
    summary=_("Nine cards each, fewest points wins; who reaches the limit is out or buys back in."),
    gist=_("fewest points"),
    min_players=2,
    max_players=5,
    direction=Direction.LEFT,
    build=_rules,
    options=(
        shared.OUT_AT,
        shared.ENDING,
        Option("ace", _("Ace"), FIGURE, Numbers(1, 50, shortcuts=(10, 15))),
        Option("joker", _("Joker"), FIGURE, Numbers(1, 50, shortcuts=(10, 25))),
        Option("in_one_go", _("Out in one go"), -10, Numbers(-50, 0, shortcuts=(-10, 0))),
        shared.FLOOR,
        shared.settlement("pot", "none", "pot"),
        shared.STAKE,
        shared.reentries(2),
        shared.reentry_price("flat"),
        shared.REENTRY_FEE,
        shared.LATE_ENTRY,
        Option(
            "stock_end",
            _("When the stock runs out"),
            "reshuffle",
            Words(
                {
                    "reshuffle": _("the discards are shuffled"),
                    "turn_over": _("the discards are turned over"),
                    "end_round": _("the round ends and everybody counts"),
                }
            ),
            described_by_label=("reshuffle", "turn_over"),
        ),
        Option("jokers_per_escalera", _("Jokers in a run"), 1, Numbers(1, 2), noted=True),
        Option("shortest_escalera", _("Shortest run"), 3, Numbers(3, 4), noted=True),
    ),
    presets=(Preset("escalating", _("Escalating"), {"reentries": "unlimited", "reentry_price": "linear"}),),
)
