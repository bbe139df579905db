"""Loba de Menos (RULES 2): two packs with jokers, nine cards each, fewest points wins, out at 101."""

from __future__ import annotations

from games.scoring.cards import FRENCH_RANKS, JOKER, TWO_FRENCH_PACKS
from games.scoring.rules import (
    MAX_AMOUNT,
    MAX_POINTS,
    Closing,
    Doubling,
    Ending,
    FirstOut,
    Flat,
    HeldPoints,
    House,
    LastIn,
    Linear,
    Numbers,
    Option,
    Pot,
    Preset,
    Price,
    Reentry,
    Rules,
    SameAs,
    Value,
    Variant,
    Words,
)
from games.scoring.words import _

CARDS_DEALT = 9
FIGURE = 10


def _rules(house: House) -> Rules:
    pot = (Pot(house.number("stake")),) if house["settlement"] == "pot" else ()
    stock_out = (Closing("stock_out", _("The stock ran out"), by_player=False),)
    return Rules(
        deck=TWO_FRENCH_PACKS,
        cards_dealt=CARDS_DEALT,
        scoring=HeldPoints(
            {rank: int(rank) if rank.isdigit() else FIGURE for rank in FRENCH_RANKS}
            | {"A": house.number("ace"), JOKER: house.number("joker")}
        ),
        closings=(
            Closing("out", _("Went out")),
            Closing("in_one_go", _("In one go"), bonus=house.number("in_one_go")),
            *(stock_out if house["stock_end"] == "end_round" else ()),
        ),
        ending=_ending(house),
        reentry=None
        if house["ending"] == "first_out"
        else Reentry(cap=house.number_or_none("reentries"), price=_price(house, fees=bool(pot))),
        money=pot,
        floor=house.number_or_none("floor"),
        late_entry=house["late_entry"] == "on",
    )


def _ending(house: House) -> Ending:
    out_at = house.number("out_at")
    return FirstOut(out_at) if house["ending"] == "first_out" else LastIn(out_at)


def _price(house: House, *, fees: bool) -> Price:
    kinds: dict[Value, type[Flat | Linear | Doubling]] = {"flat": Flat, "linear": Linear, "double": Doubling}
    return kinds[house["reentry_price"]](house.number("reentry_fee") if fees else 0)


LOBA_MENOS = Variant(
    key="loba_menos",
    name=_("Loba de Menos"),
    summary=_("Nine cards each, fewest points wins; who reaches the limit is out or buys back in."),
    min_players=2,
    max_players=5,
    direction="left",
    build=_rules,
    options=(
        Option("out_at", _("Out at"), 101, Numbers(50, 500, shortcuts=(100, 101, 102, 151, 201))),
        Option(
            "ending",
            _("The game ends"),
            "last_in",
            Words({"last_in": _("when one is left in"), "first_out": _("when the first one is out")}),
        ),
        Option("ace", _("Ace"), FIGURE, Numbers(1, 50, shortcuts=(10, 15))),
        Option("joker", _("Joker"), FIGURE, Numbers(1, 50, shortcuts=(10, 25))),
        Option("in_one_go", _("Out in one go"), -10, Numbers(-50, 0, shortcuts=(-10, 0))),
        Option("floor", _("Lowest total"), "none", Numbers(-MAX_POINTS, 0, {"none": _("no floor")}, (0,))),
        Option("settlement", _("Money"), "pot", Words({"none": _("points only"), "pot": _("a pot")})),
        Option("stake", _("Stake"), 10, Numbers(0, MAX_AMOUNT)),
        Option(
            "reentries", _("Re-entries each"), 2, Numbers(0, 9, {"unlimited": _("any number")}, (0, 1, 2, 3))
        ),
        Option(
            "reentry_price",
            _("Price of a re-entry"),
            "flat",
            Words(
                {
                    "flat": _("always the same"),
                    "linear": _("one fee more each time"),
                    "double": _("double each time"),
                }
            ),
        ),
        Option("reentry_fee", _("Re-entry fee"), SameAs("stake"), Numbers(0, MAX_AMOUNT)),
        Option(
            "late_entry",
            _("Newcomers"),
            "off",
            Words({"off": _("not after the start"), "on": _("enter with the highest total")}),
        ),
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
        ),
        Option("jokers_per_escalera", _("Jokers in a run"), 1, Numbers(1, 2), noted=True),
        Option("shortest_escalera", _("Shortest run"), 3, Numbers(3, 4), noted=True),
    ),
    presets=(Preset("escalating", _("Escalating"), {"reentries": "unlimited", "reentry_price": "linear"}),),
)
