"""Options and closings shared by several games: numbers and words that mean the same in each."""

from __future__ import annotations

from ..i18n import Text, _
from ..option_values import Money, Numbers, SameAs, Words
from ..options import Hint, House, Option, Topic
from ..reentry_terms import Doubling, Flat, Linear, Price, Reentry
from ..rule_types import (
    MAX_POINTS,
    Closing,
    ClosingKind,
    Ending,
    EntryTerms,
    FirstOut,
    LastIn,
    MoneyRule,
    OwnTotals,
    Pairs,
    Pot,
    ToWinner,
    Value,
)

GOING_OUT = _(
    "If you have no cards left you go out, and the round ends; everyone else counts the cards in their hand."
)
OUT_IN_ONE_GO = _(
    "Going out in one go is laying down all your cards in one turn, except one you may discard, "
    "with nothing laid down before in that round."
)

WITH_POT = ("pot", "pot_and_pairs")
BY_POINTS = ("pairs", "pot_and_pairs", "to_winner", "own")

OUT_AT = Option(
    "out_at",
    _("Limit"),
    101,
    Numbers(50, 500, shortcuts=(100, 101, 102, 151, 201)),
    topic=Topic.LENGTH,
)
ENDING = Option(
    "ending",
    _("The game ends"),
    "last_in",
    Words({"last_in": _("when one player is left"), "first_out": _("when the first player is out")}),
)
FLOOR = Option("floor", _("Minimum total"), "none", Numbers(-MAX_POINTS, 0, {"none": _("no minimum")}, (0,)))
REENTRY_FEE = Option("reentry_fee", _("Re-entry fee"), SameAs("stake"), Money(), matters_in=WITH_POT)
LATE_ENTRY = Option(
    "late_entry",
    _("Newcomers"),
    "off",
    Words({"off": _("not after the start"), "on": _("may join mid-game")}),
)
ENTRY_TOTAL = Option(
    "entry_total",
    _("Joining or coming back"),
    "highest",
    Words({"highest": _("at the highest total"), "above": _("one above the highest total")}),
)
ENTRY_LIMIT = Option(
    "entry_limit",
    _("Only while the highest total is at most"),
    "none",
    Numbers(0, MAX_POINTS, {"none": _("no limit")}, (79, 174)),
)
STAKE = Option(
    "stake",
    _("Stake"),
    10,
    Money(step=10, usual=(10, 50, 100, 500, 1000), is_stake=True),
    topic=Topic.STAKES,
    matters_in=WITH_POT,
)
POINT_VALUE = Option(
    "point_value",
    _("Each point is worth"),
    1,
    Money(step=1, usual=(1, 5, 10, 50, 100)),
    topic=Topic.STAKES,
    matters_in=BY_POINTS,
)
TIE = Option(
    "tie",
    _("Tie at the end"),
    "joint",
    Words({"joint": _("they share the win"), "play_on": _("another round until the tie is broken")}),
)

# The house rule of RULES 1.5: a third pack of French cards for more than five players.
PACKS = Option("packs", _("Packs"), 2, Numbers(2, 3))
MAX_PLAYERS = 8
PLAYERS_WITH_TWO_PACKS = 5
THIRD_PACK = Hint(
    PLAYERS_WITH_TWO_PACKS,
    _("With more than five players, play with three packs."),
    unless={"packs": 3},
    remedy=_("Use three packs"),
)

OUT = Closing(key="out", name=_("Went out"), short=_("went out"), sentence=_("{name} went out"))
IN_ONE_GO = Closing(
    key="in_one_go",
    name=_("In one go"),
    short=_("in one go"),
    sentence=_("{name} went out in one go"),
    kind=ClosingKind.IN_ONE_GO,
)
STOCK_OUT = Closing(
    key="stock_out",
    name=_("The stock ran out"),
    short=_("no stock"),
    sentence=_("nobody went out"),
    rule=_("When the stock runs out, nobody goes out and everyone counts."),
    by_player=False,
)

_SETTLEMENTS = {
    "none": _("points only"),
    "pot": _("a pot"),
    "pairs": _("the difference, pair by pair"),
    "pot_and_pairs": _("a pot, and the difference pair by pair"),
    "to_winner": _("everyone pays their points to the winner"),
    "own": _("everyone collects or pays their own points"),
}


def settlement(default: str, *allowed: str) -> Option:
    """Return the option for the settlement (the way games are paid).

    `default` and `allowed` are keys of the table in RULES 1.3, such as "pot"; the default is one of those
    allowed, or the only one.
    """
    labels: dict[str, Text] = {key: _SETTLEMENTS[key] for key in allowed or (default,)}
    return Option("settlement", _("Money"), default, Words(labels), topic=Topic.SETTLEMENT)


def money_of(house: House) -> tuple[MoneyRule, ...]:
    """Return the money rules of the settlement in these options (RULES 1.3), without any prizes."""
    pot, point_value = Pot(house.number("stake")), house.number("point_value")
    by_settlement: dict[Value, tuple[MoneyRule, ...]] = {
        "none": (),
        "pot": (pot,),
        "pairs": (Pairs(point_value),),
        "pot_and_pairs": (pot, Pairs(point_value)),
        "to_winner": (ToWinner(point_value),),
        "own": (OwnTotals(point_value),),
    }
    return by_settlement[house["settlement"]]


def max_players(house: House) -> int | None:
    """Return the most players of a game with two packs; None if these options choose three packs.

    With three packs, the variant's own limit applies (`Variant.max_players`).
    """
    return PLAYERS_WITH_TWO_PACKS if house["packs"] == 2 else None


def reentries(default: Value) -> Option:
    """Return the option for the most re-entries of each player, with this default."""
    return Option(
        "reentries",
        _("Re-entries each"),
        default,
        Numbers(0, 9, {"unlimited": _("any number")}, (0, 1, 2, 3)),
    )


def reentry_price(default: str) -> Option:
    """Return the option that decides how a re-entry's price grows, with this default, such as "linear"."""
    labels = {
        "flat": _("always the same"),
        "linear": _("single, double, triple…"),
        "double": _("double each time"),
    }
    return Option("reentry_price", _("Later re-entries cost"), default, Words(labels), matters_in=WITH_POT)


def ending_of(house: House) -> Ending:
    """Return the ending of an elimination game with these options."""
    out_at = house.number("out_at")
    return FirstOut(out_at) if house["ending"] == "first_out" else LastIn(out_at)


def reentry_of(house: House, *, fees: bool) -> Reentry | None:
    """Return the re-entry terms of a game with these options, None if nobody may come back.

    `fees` is false if there is no pot for the fees; re-entries are free then.
    """
    if house["ending"] != "last_in":
        return None
    kinds: dict[Value, type[Price]] = {"flat": Flat, "linear": Linear, "double": Doubling}
    price = kinds[house["reentry_price"]](house.number("reentry_fee") if fees else 0)
    return Reentry(cap=house.number_or_none("reentries"), price=price)


def entry_of(house: House) -> EntryTerms:
    """Return the terms for re-entries and newcomers in an elimination game with these options."""
    return EntryTerms(1 if house["entry_total"] == "above" else 0, house.number_or_none("entry_limit"))
