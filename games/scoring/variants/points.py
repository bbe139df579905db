"""Any other game (RULES 8): rounds written down as points, under a name that the players choose."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ..card_points import TypedPoints
from ..cards import NO_CARDS
from ..errors import RuleError
from ..i18n import Text, _
from ..option_values import Line, Money, Numbers, Words
from ..options import House, Option, Preset, Topic, Variant
from ..rule_types import (
    MAX_POINTS,
    AfterRounds,
    CloserHand,
    Closing,
    Direction,
    Ending,
    FirstTo,
    MoneyRule,
    RoundPrize,
    Rules,
    Value,
    WhenStopped,
)
from . import shared

MAX_NAME_LENGTH = 20
SETTLEMENTS = ("pot", "pairs", "pot_and_pairs", "to_winner", "own")

PLAYED = Closing(
    key="played", name=_("Played"), short=_("played"), sentence=_("everyone's points"), by_player=False
)

CLOSED_BY_ONE = (
    replace(shared.OUT, closer_hand=CloserHand.ANY),
    replace(shared.IN_ONE_GO, closer_hand=CloserHand.ANY),
    shared.STOCK_OUT,
)


def _rules(house: House) -> Rules:
    lowest_wins = house["wins"] == "fewest"
    if house["ending"] == "last_in" and not lowest_wins:
        raise RuleError(_("Players can be out one by one only if the fewest points win."), field="wins")
    if house["settlement"] == "to_winner" and not lowest_wins:
        raise RuleError(_("Points are paid to the winner only if the fewest points win."), field="settlement")
    if house["settlement"] == "own" and (lowest_wins or house["ending"] == "last_in"):
        raise RuleError(
            _("Everyone collects their own points only if the most points win and nobody can be out."),
            field="settlement",
        )
    if house["winner"] == "named" and house["ending"] != "open":
        raise RuleError(_("Winners are named only in a game that ends when you stop it."), field="winner")
    if house["settlement"] == "own" and house["bonuses"] == "after":
        text = _("Here points only pass from one player to another, so nothing is added after the end.")
        raise RuleError(text, field="bonuses")
    return Rules(
        deck=NO_CARDS,
        cards_dealt=0,
        scoring=TypedPoints(),
        closings=CLOSED_BY_ONE if house["closes"] == "one" else (PLAYED,),
        ending=_ending(house),
        reentry=shared.reentry_of(house, fees=house["settlement"] in shared.WITH_POT),
        money=(*shared.money_of(house), *_prizes(house)),
        late_entry=house["ending"] == "last_in" and house["late_entry"] == "on",
        entry=shared.entry_of(house),
        lowest_wins=lowest_wins,
        counts_down=house["ending"] == "last_in" and house["count"] == "down",
    )


def _prizes(house: House) -> tuple[MoneyRule, ...]:
    amount = house.number("round_prize")
    is_paid = amount and house["closes"] == "one" and house["settlement"] != "none"
    return (RoundPrize(amount),) if is_paid else ()


def _ending(house: House) -> Ending:
    play_on, play_off = house["tie"] == "play_on", house["tie"] == "play_off"
    bonuses = house["bonuses"] == "after"
    by_ending: dict[Value, Ending] = {
        "target": FirstTo(house.number("target"), play_on, play_off, bonuses),
        "rounds": AfterRounds(house.number("rounds"), play_on, play_off, bonuses),
        "open": WhenStopped(named=house["winner"] == "named"),
        "last_in": shared.ending_of(house),
    }
    return by_ending[house["ending"]]


def _elimination_option(option: Option) -> Option:
    """Return an option of elimination games, changed to matter here only with the ending "last_in"."""
    return replace(option, matters_with={"ending": ("last_in",)})


def _preset(key: str, label: Text, name: str, **chosen: Value) -> Preset:
    """Return a preset. All presets choose the same options, so that one leaves nothing of another behind.

    Options that `chosen` does not name get the values of an elimination game for a pot.
    """
    usual: dict[str, Value] = {
        "name": name,
        "wins": "fewest",
        "ending": "last_in",
        "out_at": 101,
        "target": 30,
        "winner": "total",
        "tie": "joint",
        "bonuses": "off",
        "closes": "one",
        "count": "up",
        "settlement": "pot",
        "round_prize": 0,
        "reentries": "unlimited",
        "reentry_price": "flat",
        "entry_total": "highest",
        "entry_limit": "none",
    }
    return Preset(key, label, {**usual, **chosen}, "RULES 8", is_game=True)


_PAID_BY_TOTALS: Mapping[str, Value] = {"wins": "most", "ending": "open", "settlement": "own"}

POINTS = Variant(
    key="points",
    name=_("Any other game"),
    gist=_("just points"),
    summary=_("Generala, Uno, Scala 40, Pool Rummy, a quiz: everyone's points, round by round."),
    min_players=2,
    max_players=8,
    direction=Direction.LEFT,
    build=_rules,
    options=(
        Option("name", _("What you play"), "", Line(MAX_NAME_LENGTH), topic=Topic.NAME, asked_first=True),
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
                    "rounds": _("after a set number of rounds"),
                    "open": _("when you stop it"),
                    "last_in": _("when one player is left"),
                }
            ),
            asked_first=True,
        ),
        Option(
            "target",
            _("Ends at"),
            30,
            Numbers(1, MAX_POINTS, shortcuts=(30, 100, 500, 5000)),
            topic=Topic.LENGTH,
            matters_with={"ending": ("target",)},
            asked_first=True,
        ),
        Option(
            "rounds",
            _("Ends after round"),
            10,
            Numbers(1, 99, shortcuts=(3, 5, 10, 11)),
            topic=Topic.LENGTH,
            matters_with={"ending": ("rounds",)},
            asked_first=True,
        ),
        Option(
            "winner",
            _("Who has won"),
            "total",
            Words({"total": _("the best total"), "named": _("whoever you name at the end")}),
            matters_with={"ending": ("open",)},
            needs={"ending": ("open",)},
            asked_first=True,
        ),
        Option(
            "tie",
            shared.TIE.label,
            "joint",
            Words({**shared.TIE.allowed.words, "play_off": _("only they play on until the tie is broken")}),
            matters_with={"ending": ("target", "rounds")},
        ),
        Option(
            "bonuses",
            _("Points after the end"),
            "off",
            Words({"off": _("none"), "after": _("may be added to the totals before you pay")}),
            matters_with={"ending": ("target", "rounds")},
            needs={"settlement": ("none", *(key for key in SETTLEMENTS if key != "own"))},
        ),
        Option(
            "closes",
            _("Who ends a round"),
            "nobody",
            Words({"nobody": _("nobody"), "one": _("the player who goes out")}),
        ),
        replace(
            _elimination_option(shared.OUT_AT),
            allowed=Numbers(1, MAX_POINTS, shortcuts=(100, 101, 151, 201, 501)),
            asked_first=True,
        ),
        _elimination_option(
            Option(
                "count",
                _("Totals"),
                "up",
                Words({"up": _("count up to the limit"), "down": _("count down from the limit")}),
            )
        ),
        shared.settlement("none", "none", *SETTLEMENTS),
        shared.STAKE,
        shared.POINT_VALUE,
        Option(
            "round_prize",
            _("Prize for going out"),
            0,
            Money(step=10, usual=(0, 1, 5, 10, 50)),
            topic=Topic.STAKES,
            matters_in=SETTLEMENTS,
            matters_with={"closes": ("one",)},
        ),
        _elimination_option(shared.reentries("unlimited")),
        _elimination_option(shared.reentry_price("flat")),
        _elimination_option(shared.REENTRY_FEE),
        _elimination_option(shared.LATE_ENTRY),
        _elimination_option(shared.ENTRY_TOTAL),
        _elimination_option(shared.ENTRY_LIMIT),
    ),
    presets=(
        _preset("scala_40_101", _("Scala 40 to 101"), "Scala 40"),
        _preset("scala_40_201", _("Scala 40 to 201"), "Scala 40", out_at=201),
        _preset("pool_rummy_101", _("Pool Rummy to 101"), "Pool Rummy", entry_total="above", entry_limit=79),
        _preset(
            "pool_rummy_201",
            _("Pool Rummy to 201"),
            "Pool Rummy",
            out_at=201,
            entry_total="above",
            entry_limit=174,
        ),
        _preset("yaniv_100", _("Yaniv to 100"), "Yaniv", settlement="none", reentries=0),
        _preset("yaniv", _("Yaniv to 200"), "Yaniv", out_at=201, settlement="none", reentries=0),
        _preset("pontinho", _("Pontinho"), "Pontinho", out_at=100, count="down"),
        _preset("cacheta", _("Cacheta"), "Cacheta", out_at=10, count="down", reentries=0),
        _preset("ramino", _("Ramino"), "Ramino"),
        _preset("rabino", _("Rabino"), "Rabino", settlement="none"),
        _preset("kalookie", _("Kalookie"), "Kalookie", out_at=151, round_prize=1, stake=5),
        _preset("phase_10", _("Phase 10"), "Phase 10", ending="open", winner="named", settlement="none"),
        _preset(
            "gin",
            _("Gin Rummy"),
            "Gin",
            wins="most",
            ending="target",
            target=100,
            bonuses="after",
            settlement="pairs",
        ),
        _preset(
            "rummy_500", _("500 Rum"), "500 Rum", wins="most", ending="target", target=500, settlement="pairs"
        ),
        _preset("points_rummy", _("Points Rummy"), "Points Rummy", **_PAID_BY_TOTALS),
        _preset("rummikub", _("Rummikub"), "Rummikub", **_PAID_BY_TOTALS),
        _preset("tonk", _("Tonk"), "Tonk", **_PAID_BY_TOTALS),
        _preset("conquian", _("Conquián"), "Conquián", **_PAID_BY_TOTALS),
    ),
)
