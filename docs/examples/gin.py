"""Gin Rummy: one player wins each round, by what the other has left less their own, up to 100.

Enter what each player has left (deadwood), as cards or points. Gin is worth 25 more; so is an undercut, where the other has
as few points as the player who knocked, or fewer. It prints:
    The player who ends the round scores what the others have left, less their own points.
    If they show their hand and another player has as few points, that player scores instead, and 25 more.
    ana: 13 (knock)
    beto: 28 (undercut)
    ana: 55 (gin)
    {'ana': 68, 'beto': 28}
"""

from __future__ import annotations

from anotador import Game, rules
from anotador.custom import (
    CloserHand,
    Closing,
    Deck,
    Direction,
    FirstTo,
    HeldPoints,
    House,
    Numbers,
    Option,
    Pot,
    RoundDifference,
    Rules,
    Variant,
    register,
    shared,
)

# One French pack, without jokers.
PACK = Deck(("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"), "SHDC", copies=1, jokers=0)
VALUES = {rank: int(rank) if rank.isdigit() else 10 for rank in PACK.ranks} | {"A": 1}


def build(house: House) -> Rules:
    bonus = house.number("bonus")
    return Rules(
        deck=PACK,
        cards_dealt=10,
        scoring=HeldPoints(VALUES, RoundDifference(beaten_bonus=bonus)),
        closings=(
            Closing(
                key="knock",
                name="Knock",
                short="knock",
                sentence="{name} knocked",
                closer_hand=CloserHand.REST,  # what the player who knocked has left is entered too
            ),
            Closing(key="gin", name="Gin", short="gin", sentence="{name} has gin", bonus=bonus),
            Closing(
                key="no_cards",
                name="The stock ran out",
                short="no cards",
                sentence="the stock ran out",
                by_player=False,
            ),
        ),
        ending=FirstTo(house.number("target"), play_on=False),
        reentry=None,
        money=(Pot(house.number("stake")),),
        lowest_wins=False,
    )


register(
    Variant(
        key="own_gin",
        name="Gin Rummy",
        summary="Ten cards each; whoever has less left wins the difference.",
        min_players=2,
        max_players=2,
        direction=Direction.LEFT,
        options=(
            Option("target", "Ends at", 100, Numbers(50, 500)),
            Option("bonus", "Bonus for gin and undercut", 25, Numbers(0, 50)),
            shared.STAKE,
        ),
        build=build,
    )
)

if __name__ == "__main__":
    print(
        *(line for line in rules("own_gin") if "ends the round" in line or "show their hand" in line),
        sep="\n",
    )
    game = Game.begin("own_gin", ["ana", "beto"])
    for line in (
        "round ana knock ana=[2 3] beto=[K 8]",
        "round ana knock ana=[9] beto=[6]",
        "round ana gin beto=[K Q J]",
    ):
        game = game.play(line)
        last = game.state.rounds[-1]
        winner = max(last.points, key=lambda player: last.points[player])
        how = last.entry.closing if winner == last.entry.closer else "undercut"
        print(f"{winner}: {last.points[winner]} ({how})")
    print({player.id: player.total for player in game.state.players})
