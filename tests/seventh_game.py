"""A made-up game of another package, in one file as every game is: with closings, a prize and texts of its own."""

from __future__ import annotations

from naipes.cards import TWO_FRENCH_PACKS
from naipes.kinds import Closing, Direction, HeldPoints, InstantPrize, Pot, Rules
from naipes.options import Hint, House, Money, Numbers, Option, Topic, Variant, Words
from naipes.variants import shared
from naipes.words import _

CHAIN = Closing(
    key="chain",
    name=_("Chained"),
    short=_("chained it"),
    sentence=_("{name} closed the chain"),
    bonus=-7,
)
CAPICUA = Closing(
    key="capicua",
    name=_("Capicúa"),
    short=_("capicúa"),
    key_label=_("Both ends"),
    sentence=_("{name} closed at both ends"),
    wins_game=True,
)
NOBODY = Closing(
    key="blocked",
    name=_("Blocked"),
    short=_("blocked"),
    sentence=_("nobody could go on"),
    rule=_("Where nobody can go on, everybody counts."),
    by_player=False,
)


def _rules(house: House) -> Rules:
    return Rules(
        deck=TWO_FRENCH_PACKS,
        cards_dealt=house.number("dealt"),
        scoring=HeldPoints(dict.fromkeys(TWO_FRENCH_PACKS.ranks_with_jokers(), 5)),
        closings=(CHAIN, CAPICUA, NOBODY),
        ending=shared.ending_of(house),
        reentry=shared.reentry_of(house, fees=True),
        money=(Pot(house.number("stake")), InstantPrize(house.number("prize"))),
    )


SEVENTH_GAME = Variant(
    key="seventh_game",
    name=_("The seventh game"),
    summary=_("Every card counts five; both ends at once win."),
    min_players=2,
    max_players=6,
    direction=Direction.RIGHT,
    build=_rules,
    options=(
        shared.OUT_AT,
        shared.ENDING,
        Option("dealt", _("Cards each"), 7, Numbers(5, 9)),
        shared.STAKE,
        Option("prize", _("Prize for both ends"), 25, Money(step=5, usual=(5, 25)), topic=Topic.STAKES),
        Option(
            "bluff", _("Bluffing"), "off", Words({"off": _("not here"), "on": _("as one likes")}), noted=True
        ),
        shared.reentries(2),
        shared.reentry_price("flat"),
        shared.REENTRY_FEE,
    ),
    hints=(Hint(4, _("With more than four it takes all night."), unless={"dealt": 5}),),
)
