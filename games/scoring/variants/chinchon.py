"""Chinchón (RULES 5): Spanish pack, seven cards each; leftovers count, and 101 points are out.

Seven cards in one run (chinchón) win instantly.
"""

from __future__ import annotations

from collections.abc import Mapping

from .. import rule_types
from ..card_points import LeftoverPoints, Placing, Rewarded
from ..cards import JOKER, Deck
from ..errors import RuleError
from ..i18n import _, pgettext
from ..option_values import Money, Numbers, Words
from ..options import Hint, House, Lesson, Option, Preset, Topic, Variant
from . import shared

CARDS_DEALT = 7
SPANISH_SUITS = "oceb"
ACE_OF_COINS = "1o"

FULL_RANKS = tuple(str(rank) for rank in range(1, 13))
SHORT_RANKS = (*FULL_RANKS[:7], *FULL_RANKS[9:])
JOKERS_PER_PACK = 2
# The most players for one pack (RULES 5); more players need two packs.
PLAYERS_WITH_ONE_PACK: Mapping[rule_types.Value, int] = {40: 5, 48: 6, 50: 6}
FIGURES: Mapping[rule_types.Value, Mapping[str, int]] = {
    "10-11-12": {"10": 10, "11": 11, "12": 12},
    "tens": {"10": 10, "11": 10, "12": 10},
    "8-9-10": {"10": 8, "11": 9, "12": 10},
}


_SETTLED = ("pot", "to_winner")  # the settlements that pay prizes


def _rules(house: House) -> rule_types.Rules:
    _check_combinations(house)
    ranks = SHORT_RANKS if house["pack"] == 40 else FULL_RANKS
    packs = house.number("packs")
    values = {rank: int(rank) for rank in ranks} | dict(FIGURES[house["figures"]])
    return rule_types.Rules(
        deck=Deck(ranks, SPANISH_SUITS, packs, JOKERS_PER_PACK * packs if house["pack"] == 50 else 0),
        cards_dealt=CARDS_DEALT,
        scoring=LeftoverPoints(
            values=values,
            wild_cards=_wild_cards(house),
            wild_value=values["1"] if house["wild_value"] == "face" else house.number("wild_value"),
            placing=Placing(str(house["placing"])),
            cut_max=house.number("cut_max"),
            free_cut=house["cut"] == "free",
            nothing_left=house.number("minus_ten"),
            nothing_left_for=Rewarded(str(house["minus_ten_for"])),
            strict_cut=house["cut"] == "strict",
        ),
        closings=_closings(house),
        ending=shared.ending_of(house),
        reentry=shared.reentry_of(house, fees=house["settlement"] == "pot"),
        money=_money(house),
        floor=house.number_or_none("floor"),
        wins_at=house.number_or_none("wins_at"),
        late_entry=house["late_entry"] == "on",
        entry=shared.entry_of(house),
        max_players=PLAYERS_WITH_ONE_PACK[house["pack"]] if packs == 1 else None,
        winner_deals=True,
    )


def _check_combinations(house: House) -> None:
    jokers = house["wilds"] == "jokers"
    if jokers != (house["pack"] == 50):
        raise RuleError(_("Jokers need the 50-card pack, and the 50-card pack needs jokers."), field="wilds")
    if house["figures"] == "8-9-10" and house["pack"] != 40:
        raise RuleError(_("Face cards count 8, 9 and 10 only with the 40-card pack."), field="figures")
    if house["wild_value"] == "face" and jokers:
        raise RuleError(_("A joker has no number, so it can't count at face value."), field="wild_value")
    floor, wins_at = house.number_or_none("floor"), house.number_or_none("wins_at")
    if floor is not None and wins_at is not None and wins_at < floor:
        text = _(
            "floor={floor} is above wins_at={wins_at}, so no total falls low enough to win.",
            floor=str(floor),  # as it is typed, with a plain minus
            wins_at=str(wins_at),
        )
        raise RuleError(text, field="wins_at")


def _wild_cards(house: House) -> frozenset[str]:
    wilds: Mapping[rule_types.Value, frozenset[str]] = {
        "none": frozenset(),
        "ace_of_coins": frozenset({ACE_OF_COINS}),
        "jokers": frozenset({JOKER}),
    }
    return wilds[house["wilds"]]


def _closings(house: House) -> tuple[rule_types.Closing, ...]:
    points, with_wild = house.number_or_none("chinchon"), house.number_or_none("wild_chinchon")
    one_run = rule_types.Closing(
        key="chinchon",
        name=_("Chinchón"),
        short=_("chinchón"),
        sentence=_("{name} made a chinchón"),
        kind=rule_types.ClosingKind.ONE_RUN,
        bonus=points or 0,
        wins_game=points is None,
    )
    # Without wilds the option has no effect.
    counted_apart = () if with_wild is None or house["wilds"] == "none" else (_one_run_with_wild(with_wild),)
    return (
        rule_types.Closing(
            key="cut",
            name=pgettext("a player", "Cut"),
            short=pgettext("a player", "cut"),
            sentence=_("{name} cut"),
            closer_hand=rule_types.CloserHand.REST,
        ),
        rule_types.Closing(
            key="closed",
            name=_("Cut with all seven"),
            short=_("with all seven"),
            key_label=_("With all seven"),
            sentence=_("{name} cut with all seven"),
        ),
        one_run,
        *counted_apart,
        rule_types.Closing(
            key="stock_out",
            name=_("The stock ran out twice"),
            short=_("no stock"),
            sentence=_("nobody cut"),
            rule=_(
                "When the stock runs out twice, cards left over count as they are, and there is no prize."
            ),
            by_player=False,
        ),
    )


def _one_run_with_wild(points: int) -> rule_types.Closing:
    return rule_types.Closing(
        key="wild_chinchon",
        name=_("Chinchón with a wild card"),
        short=_("chinchón with a wild"),
        key_label=_("With a wild"),
        sentence=_("{name} made a chinchón with a wild card"),
        kind=rule_types.ClosingKind.ONE_RUN,
        bonus=points,
        with_wild=True,
    )


def _money(house: House) -> tuple[rule_types.MoneyRule, ...]:
    if house["settlement"] not in _SETTLED:
        return ()
    instant_prize = house.number("chinchon_prize") * house.number("stake")
    return (
        *shared.money_of(house),
        rule_types.RoundPrize(house.number("cut_prize")),
        rule_types.InstantPrize(instant_prize),
    )


def _lesson(_house: House) -> Lesson:
    return Lesson(
        (
            _(
                "A set is three or more cards of one rank, a run three or more of one suit in sequence; the ace comes before the 2."
            ),
            _(
                "You hold seven cards. On your turn, draw from the stock or take the top "
                "discard, and discard a card; lay nothing down before the end."
            ),
            _(
                "With few points left over you can cut: the round ends, everyone shows their sets and runs, "
                "and counts the rest."
            ),
            _("A chinchón is all seven cards in one run."),
        ),
        ("[4o 5o 6o 7c 7e 7b 12c]", "[1e 2e 3e 4c 7o 11b 12b]"),
    )


CHINCHON = Variant(
    key="chinchon",
    name=_("Chinchón"),
    summary=_("Seven cards each, what's left over counts; fewest points wins, a chinchón wins instantly."),
    gist=_("with a cut"),
    min_players=2,
    max_players=8,
    direction=rule_types.Direction.RIGHT,
    build=_rules,
    options=(
        Option("pack", _("Cards in the pack"), 48, Numbers(40, 50, only=(40, 48, 50))),
        Option("packs", _("Packs"), 1, Numbers(1, 2)),
        Option(
            "figures",
            _("Face cards count"),
            "10-11-12",
            Words({"10-11-12": _("10, 11 and 12"), "tens": _("10 each"), "8-9-10": _("8, 9 and 10")}),
        ),
        Option(
            "wilds",
            _("Wild cards"),
            "none",
            Words({"none": _("none"), "ace_of_coins": _("the ace of coins"), "jokers": _("the jokers")}),
        ),
        Option(
            "wild_value",
            _("A wild card left over counts"),
            25,
            Numbers(1, 100, {"face": _("face value")}, (25, 50)),
        ),
        Option(
            "placing",
            _("Laying off on others' sets and runs"),
            Placing.ON,
            Words(
                {
                    Placing.ON: _("yes"),
                    Placing.OFF: _("no"),
                    Placing.UNLESS_CLOSED: _("not if the player who cuts has all seven in sets and runs"),
                }
            ),
        ),
        Option("cut_max", _("Cut with at most"), 7, Numbers(0, 20, shortcuts=(3, 5, 7))),
        Option(
            "cut",
            _("Kind of cut"),
            "normal",
            Words(
                {
                    "normal": _("normal, not if it makes you bust"),
                    "free": _("free, even if it makes you bust"),
                    "strict": _("strict, refused with too many points"),
                }
            ),
        ),
        Option("minus_ten", _("With nothing left over, score"), -10, Numbers(-50, 0, shortcuts=(-10, 0))),
        Option(
            "minus_ten_for",
            _("That score is for"),
            Rewarded.ANYONE,
            Words(
                {
                    Rewarded.ANYONE: _("anyone"),
                    Rewarded.CUTTER: _("the player who cuts"),
                    Rewarded.CLOSED_HAND: _("the player who cuts with all seven"),
                }
            ),
        ),
        Option(
            "chinchon",
            _("A chinchón"),
            "wins",
            Numbers(-rule_types.MAX_POINTS, 0, {"wins": _("wins the game")}, (-50,)),
        ),
        Option(
            "wild_chinchon",
            _("A chinchón with a wild card"),
            "wins",
            Numbers(-rule_types.MAX_POINTS, 0, {"wins": _("like any chinchón")}, (-25, -10)),
            needs={"wilds": ("ace_of_coins", "jokers")},
        ),
        shared.OUT_AT,
        shared.ENDING,
        shared.FLOOR,
        Option(
            "wins_at",
            _("A total that wins the game"),
            "none",
            Numbers(-rule_types.MAX_POINTS, -1, {"none": _("none")}, (-100,)),
        ),
        shared.LATE_ENTRY,
        shared.ENTRY_TOTAL,
        shared.ENTRY_LIMIT,
        shared.settlement("pot", "none", *_SETTLED),
        shared.STAKE,
        shared.POINT_VALUE,
        shared.reentries("unlimited"),
        shared.reentry_price("double"),
        shared.REENTRY_FEE,
        Option(
            "cut_prize",
            _("Prize for a cut"),
            1,
            Money(step=10, usual=(0, 10, 50, 100, 300), part=10),
            topic=Topic.STAKES,
            matters_in=_SETTLED,
        ),
        Option(
            "chinchon_prize",
            _("Prize for a chinchón, in stakes"),
            1,
            Numbers(0, rule_types.MAX_AMOUNT),
            topic=Topic.STAKES,
            matters_in=_SETTLED,
        ),
    ),
    presets=(
        Preset(
            "conga",
            _("Conga"),
            {"pack": 50, "wilds": "jokers", "wild_value": 25, "cut_max": 5, "wild_chinchon": -25},
            "RULES 5",
        ),
        Preset("free_cut", _("Free cut"), {"cut": "free"}, "RULES 5"),
    ),
    hints=(
        Hint(
            4,
            _("With more than four players, two packs are better."),
            unless={"packs": 2},
            remedy=_("Use two packs"),
        ),
    ),
    lesson=_lesson,
)
