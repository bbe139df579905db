"""500 Rum: sets and runs count for the player who lays them, cards in hand against; the first to 500 wins.

A player who laid cards off on others' melds is entered with the points that they counted. It prints:
    A set: 3 to 4 cards of one rank, in 3 to 4 different suits, with no wild cards.
    A run: 3 to 14 cards of one suit in sequence.
    ana: 40, beto: -2
    A run is in one suit.
"""

from __future__ import annotations

from anotador import Game, RuleError, rules
from anotador.custom import (
    CloserHand,
    Closing,
    Deck,
    Direction,
    FirstTo,
    House,
    MeldPoints,
    Numbers,
    Option,
    Pot,
    Rules,
    Sets,
    Variant,
    register,
    shared,
)

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
PACK = Deck(RANKS, "SHDC", copies=1, jokers=0)
VALUES = {rank: int(rank) if rank.isdigit() else 10 for rank in RANKS} | {"A": 15}
IN_A_RUN = (1, *(VALUES[rank] for rank in RANKS[1:]), 15)  # the ace below the 2 counts 1, above the king 15
MELDS = MeldPoints(
    in_hand={rank: -value for rank, value in VALUES.items()},
    in_set=VALUES,
    in_run=IN_A_RUN,
    as_wild=IN_A_RUN,
    run_sizes=range(3, 15),
    copies=1,
    wilds=(),  # no card stands for another, not even a two
    sets=Sets(suits=range(3, 5)),  # three or four cards
)


def build(house: House) -> Rules:
    out = Closing(
        key="out", name="Out", short="out", sentence="{name} went out", closer_hand=CloserHand.MELDS
    )
    over = Closing(
        key="no_cards",
        name="The stock ran out",
        short="no cards",
        sentence="the stock ran out",
        by_player=False,
    )
    return Rules(
        deck=PACK,
        cards_dealt=7,
        scoring=MELDS,
        closings=(out, over),
        ending=FirstTo(house.number("target"), play_on=True),
        reentry=None,
        money=(Pot(house.number("stake")),),
        lowest_wins=False,
    )


register(
    Variant(
        key="own_rum",
        name="500 Rum",
        summary="Seven cards each; melds count for you, cards in hand against you.",
        min_players=2,
        max_players=4,
        direction=Direction.LEFT,
        options=(Option("target", "Ends at", 500, Numbers(100, 1000)), shared.STAKE),
        build=build,
    )
)

if __name__ == "__main__":
    print(*(line for line in rules("own_rum") if line.startswith(("A set", "A run"))), sep="\n")
    game = Game.begin("own_rum", ["ana", "beto"])
    game = game.play("round ana out ana={KS KH KD KC} beto={5H 6H 7H}[Q 10]")
    print(", ".join(f"{player.id}: {player.total}" for player in game.state.players))
    try:
        game.play("round ana out ana={7S 2H 9S} beto=[K]")
    except RuleError as refusal:
        print(refusal)
