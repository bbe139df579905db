"""Any other game (RULES 8): rounds written down as points, under a name that the players choose."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ..card_points import TypedPoints
from ..cards import NO_CARDS
from ..errors import RuleError
from ..kinds import MAX_POINTS, AfterRounds, Closing, Direction, Ending, FirstTo, Rules, Value, WhenStopped
from ..options import House, Line, Numbers, Option, Preset, Topic, Variant, Words
from ..words import _
from . import shared

LONGEST_NAME = 20

PLAYED = Closing(
    key="played", name=_("Played"), short=_("played"), sentence=_("everybody's points"), by_player=False
)


def _rules(house: House) -> Rules:
    lowest_wins = house["wins"] == "fewest"
    if house["ending"] == "last_in" and not lowest_wins:
        raise RuleError(
            _("Players are eliminated one by one only where the fewest points win."), field="wins"
        )
    if house["settlement"] == "to_winner" and not lowest_wins:
        raise RuleError(
            _("Points are paid to the winner only where the fewest points win."), field="settlement"
        )
    return Rules(
        deck=NO_CARDS,
        cards_dealt=0,
        scoring=TypedPoints(),
        closings=(PLAYED,),
        ending=_ending(house),
        reentry=shared.reentry_of(house, fees=house["settlement"] in shared.WITH_POT),
        money=shared.money_of(house),
        late_entry=house["ending"] == "last_in" and house["late_entry"] == "on",
        entry=shared.entry_of(house),
        lowest_wins=lowest_wins,
    )


def _ending(house: House) -> Ending:
    play_on = house["tie"] == "play_on"
    by_ending: dict[Value, Ending] = {
        "target": FirstTo(house.number("target"), play_on=play_on),
        "rounds": AfterRounds(house.number("rounds"), play_on=play_on),
        "open": WhenStopped(),
        "last_in": shared.ending_of(house),
    }
    return by_ending[house["ending"]]


def _eliminating(option: Option) -> Option:
    """Return an option of the elimination games for this game, where it matters only with that ending."""
    return replace(option, matters_with={"ending": ("last_in",)})


def _elimination(name: str, out_at: int, **chosen: Value) -> Mapping[str, Value]:
    """Return the options of a preset; all presets choose the same ones, so that one replaces another."""
    usual: dict[str, Value] = {
        "settlement": "pot",
        "reentries": "unlimited",
        "entry_total": "highest",
        "entry_limit": "none",
    }
    return {"name": name, "wins": "fewest", "ending": "last_in", "out_at": out_at, **usual, **chosen}


POINTS = Variant(
    key="points",
    name=_("Any other game"),
    gist=_("just points"),
    summary=_("Generala, Uno, Scala 40, Pool Rummy, a quiz: everybody's points, round by round."),
    min_players=2,
    max_players=8,
    direction=Direction.LEFT,
    build=_rules,
    options=(
        Option("name", _("What you play"), "", Line(LONGEST_NAME), topic=Topic.NAME, asked_first=True),
        Option(
            "wins",
            _("Who wins"),
            "most",
            Words({"most": _("the most points"), "fewest": _("the fewest points")}),
            asked_first=True,
        ),
        Option(
            "ending",
            _("The game ends"),
            "target",
            Words(
                {
                    "target": _("when a player reaches a number of points"),
                    "rounds": _("after a number of rounds"),
                    "open": _("when you stop it"),
                    "last_in": _("when one is left in"),
                }
            ),
            asked_first=True,
        ),
        Option(
            "target",
            _("Over at"),
            30,
            Numbers(1, MAX_POINTS, shortcuts=(30, 100, 500, 5000)),
            topic=Topic.LENGTH,
            matters_with={"ending": ("target",)},
            asked_first=True,
        ),
        Option(
            "rounds",
            _("Over after round"),
            10,
            Numbers(1, 99, shortcuts=(3, 5, 10, 11)),
            topic=Topic.LENGTH,
            matters_with={"ending": ("rounds",)},
            asked_first=True,
        ),
        replace(shared.TIE, matters_with={"ending": ("target", "rounds")}),
        replace(
            _eliminating(shared.OUT_AT),
            allowed=Numbers(1, MAX_POINTS, shortcuts=(100, 101, 151, 201, 501)),
            asked_first=True,
        ),
        shared.settlement("none", "none", "pot", "pairs", "pot_and_pairs", "to_winner"),
        shared.STAKE,
        shared.POINT_VALUE,
        _eliminating(shared.reentries("unlimited")),
        _eliminating(shared.reentry_price("flat")),
        _eliminating(shared.REENTRY_FEE),
        _eliminating(shared.LATE_ENTRY),
        _eliminating(shared.ENTRY_TOTAL),
        _eliminating(shared.ENTRY_LIMIT),
    ),
    presets=(
        Preset("scala_40_101", _("Scala 40 to 101"), _elimination("Scala 40", 101), "RULES 8"),
        Preset("scala_40_201", _("Scala 40 to 201"), _elimination("Scala 40", 201), "RULES 8"),
        Preset(
            "pool_rummy_101",
            _("Pool Rummy to 101"),
            _elimination("Pool Rummy", 101, entry_total="above", entry_limit=79),
            "RULES 8",
        ),
        Preset(
            "pool_rummy_201",
            _("Pool Rummy to 201"),
            _elimination("Pool Rummy", 201, entry_total="above", entry_limit=174),
            "RULES 8",
        ),
        Preset(
            "yaniv",
            _("Yaniv"),
            _elimination("Yaniv", 201, settlement="none", reentries=0),
            "RULES 8",
        ),
    ),
)
