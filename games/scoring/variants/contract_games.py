"""The shared parts of the three contract games (RULES 4): contract lists, value tables, options, rules.

Each round has a contract: the melds that a player must lay down first, all at once.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from ..card_points import HeldPoints
from ..cards import FRENCH_RANKS, JOKER, french_packs
from ..i18n import Text, _
from ..option_values import Numbers, Words
from ..options import House, Lesson, Option, Topic
from ..rule_types import AfterContracts, Rules
from . import shared

CARDS_DEALT = 11
LONG_DEALS = dict.fromkeys(("3E", "4T", "sucia", "color", "imperial", "bicolor", "real"), 12)

_CA6 = ("2T", "1E1T", "2E", "3T", "2T1E", "2E1T")
_AR7 = (*_CA6, "3E")
_CL8 = (*_AR7, "4T")
_CL10 = (*_CL8, "sucia", "real")
# The contracts of each list, round by round, and the list's name, by the key that is stored.
CONTRACT_LISTS: Mapping[str, tuple[tuple[str, ...], Text]] = {
    "ca6": (_CA6, _("six, up to a trio and two runs")),
    "ar7": (_AR7, _("seven, up to three runs")),
    "cl7": ((*_CA6, "real"), _("seven, up to the royal run")),
    "cl8": (_CL8, _("eight, up to four trios")),
    "cl8b": ((*_CA6, "4T", "3E"), _("eight, four trios before three runs")),
    "cl9": ((*_CL8, "real"), _("nine, up to the royal run")),
    "cl10": (_CL10, _("ten, with the dirty run")),
    "cl11": ((*_CL10, "imperial"), _("eleven, up to the imperial run")),
    "cl12": ((*_CL8, "sucia", "color", "bicolor", "real"), _("twelve, with every special run")),
}
ALL_DOWN_AT_ONCE = ("ca6", "ar7", "cl7")  # in the last contract of these lists, going down is going out

_FACES = {rank: int(rank) for rank in FRENCH_RANKS if rank.isdigit()}


def _values(jack: int, queen: int, king: int, ace: int, joker: int) -> dict[str, int]:
    return {**_FACES, "J": jack, "Q": queen, "K": king, "A": ace, JOKER: joker}


# The value of each card left in hand, and the players' name for such a list of values.
VALUES: Mapping[str, tuple[Mapping[str, int], Text]] = {
    "ca": (_values(11, 12, 13, 14, 25), _("J 11, Q 12, K 13, ace 14, joker 25")),
    "ca_joker50": (_values(11, 12, 13, 14, 50), _("J 11, Q 12, K 13, ace 14, joker 50")),
    "ca_tens": (_values(10, 10, 10, 10, 25), _("face cards and ace 10, joker 25")),
    "ca_tens_joker50": (_values(10, 10, 10, 10, 50), _("face cards and ace 10, joker 50")),
    "ar": (_values(10, 10, 10, 20, 50), _("face cards 10, ace 20, joker 50")),
    "cl30": (_values(10, 10, 10, 20, 30), _("face cards 10, ace 20, joker 30")),
    "bands": (
        _values(10, 10, 10, 20, 30) | {rank: 5 if face < 8 else 10 for rank, face in _FACES.items()},
        _("2 to 7 count 5, 8 to K 10, ace 20, joker 30"),
    ),
    "a15_j20": (_values(10, 10, 10, 15, 20), _("face cards 10, ace 15, joker 20")),
}


def contract_rules(house: House) -> Rules:
    contracts, _label = CONTRACT_LISTS[str(house["contracts"])]
    values, _label = VALUES[str(house["values"])]
    grows = house["dealt"] == "growing"
    by_contract = {key: _contract_size(key) + 1 for key in contracts} if grows else LONG_DEALS
    return Rules(
        deck=french_packs(house.number("packs")),
        cards_dealt=by_contract[contracts[0]] if grows else house.number("dealt"),
        dealt_by_contract=by_contract,
        buys_freely=grows,
        scoring=HeldPoints(values),
        closings=(
            shared.OUT,
            replace(shared.IN_ONE_GO, bonus=house.number("in_one_go")),
            shared.STOCK_OUT,
        ),
        ending=AfterContracts(
            contracts,
            by_rounds_won=house["tie"] == "rounds_won",
            down_is_out=house["contracts"] in ALL_DOWN_AT_ONCE,
        ),
        reentry=None,
        money=shared.money_of(house),
        buy_points=house.number("buy_points"),
        max_players=shared.max_players(house),
    )


def _contract_size(contract: str) -> int:
    """Return the number of cards in a contract: 3 for a trio (T), 4 for a run (E), 13 for a long run."""
    games = re.findall("([0-9])([TE])", contract)
    return sum(int(count) * (3 if kind == "T" else 4) for count, kind in games) or len(FRENCH_RANKS)


def contract_lesson(_house: House) -> Lesson:
    """Return the lesson of a contract game, which is the same for all options."""
    return Lesson(
        (
            _("A trio is three cards of one rank, of any suits, such as 9♠ 9♥ 9♥."),
            _(
                "A run is four cards of one suit in sequence, such as 4♦ 5♦ 6♦ 7♦; the ace comes first or last, never between."
            ),
            _(
                "Each round has a contract: trios and runs that you lay down all together. A joker stands "
                "for any card."
            ),
            _(
                "Once you have gone down, you lay down no new trios or runs, but in later turns you may add "
                "cards to any on the table."
            ),
            _(
                "On your turn, draw from the stock or take the top discard, lay down if you can, "
                "and discard a card."
            ),
            shared.GOING_OUT,
        ),
        ("[K 9 4 A]", "[8 2 *]"),
    )


def _names(tables: Mapping[str, tuple[object, Text]]) -> dict[str, Text]:
    return {key: name for key, (_table, name) in tables.items()}


def contract_options(*, contracts: str, values: str, joker_swap: str) -> tuple[Option, ...]:
    """Return the options of a contract game.

    `contracts`, `values` and `joker_swap` are the defaults of the options with these keys.
    """
    return (
        Option("contracts", _("Contracts"), contracts, Words(_names(CONTRACT_LISTS)), topic=Topic.LENGTH),
        Option("values", _("Card values"), values, Words(_names(VALUES))),
        Option("in_one_go", _("Going out in one go"), 0, Numbers(-50, 0, shortcuts=(0, -10))),
        Option("buy_points", _("Each bought card"), 0, Numbers(0, 100, shortcuts=(0, 5, 10))),
        Option(
            "tie",
            _("Tie at the end"),
            "rounds_won",
            Words({"rounds_won": _("most rounds won wins"), "shared": _("they share the win")}),
        ),
        shared.PACKS,
        shared.settlement("none", "none", "pot", "pairs", "to_winner"),
        shared.STAKE,
        shared.POINT_VALUE,
        Option(
            "joker_swap",
            _("Replacing and moving a joker inside a run"),
            joker_swap,
            Words({"off": _("no"), "on": _("yes")}),
            noted=True,
        ),
        Option(
            "jokers_per_meld",
            _("Jokers in a meld when going down"),
            1,
            Numbers(1, 1, {"any": _("any number")}, only=(1,)),
            noted=True,
        ),
        Option(
            "dealt",
            _("Cards dealt"),
            CARDS_DEALT,
            Numbers(11, 12, {"growing": _("what the contract asks for and one more")}, only=(11, 12)),
        ),
    )
