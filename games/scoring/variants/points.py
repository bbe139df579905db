"""Any other game (RULES 8): rounds written down as points, under a name that the players choose."""

from __future__ import annotations

from dataclasses import replace

from ..cards import NO_CARDS
from ..errors import RuleError
from ..kinds import (
    MAX_POINTS,
    AfterRounds,
    Closing,
    Direction,
    Ending,
    FirstTo,
    Rules,
    TypedPoints,
    Value,
    WhenStopped,
)
from ..options import House, Line, Numbers, Option, Topic, Variant, Words
from ..words import _
from . import shared

LONGEST_NAME = 20

PLAYED = Closing(
    key="played", name=_("Played"), short=_("played"), sentence=_("everybody's points"), by_player=False
)


def _rules(house: House) -> Rules:
    lowest_wins = house["wins"] == "fewest"
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
        reentry=None,
        money=shared.money_of(house),
        lowest_wins=lowest_wins,
    )


def _ending(house: House) -> Ending:
    play_on = house["tie"] == "play_on"
    by_ending: dict[Value, Ending] = {
        "target": FirstTo(house.number("target"), play_on=play_on),
        "rounds": AfterRounds(house.number("rounds"), play_on=play_on),
        "open": WhenStopped(),
    }
    return by_ending[house["ending"]]


POINTS = Variant(
    key="points",
    name=_("Any other game"),
    gist=_("just points"),
    summary=_("Generala, Uno, Canasta, a quiz: everybody's points, round by round."),
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
        shared.settlement("none", "none", "pot", "pairs", "pot_and_pairs", "to_winner"),
        shared.STAKE,
        shared.POINT_VALUE,
    ),
)
