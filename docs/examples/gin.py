"""Gin Rummy: one player wins each round, by what the other has left less their own, up to 100.

Enter the ten cards of each player, or what they have left (deadwood) as cards or points. The least deadwood is found, and the
player who did not knock lays off on the knocker's melds. Gin is worth 25 more; so is an undercut, where the other has as few points
as the player who knocked, or fewer. It prints:
    Only cards left over count: those in none of your sets and runs.
    The player who ends the round scores what the others have left, less their own points.
    The others may lay off cards left over on the sets and runs of the player who cut, in turn.
    4 left beside 7S 7H 7D · 9S 10S JS · AD 2D 3D
    ana: 35 (knock)
    beto: 28 (undercut)
    ana: 55 (gin)
    {'ana': 90, 'beto': 28}
"""

from __future__ import annotations

from anotador import Game, least_leftover, rules
from anotador.custom import (
    CloserHand,
    Closing,
    Deck,
    Direction,
    FirstTo,
    House,
    LeftoverPoints,
    Numbers,
    Option,
    Placing,
    Pot,
    Rewarded,
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
        scoring=LeftoverPoints(
            values=VALUES,
            wild_cards=frozenset(),
            wild_value=0,
            placing=Placing.ON_CUTTER,  # nothing is laid off on the melds of gin
            cut_max=house.number("knock"),
            strict_cut=True,
            free_cut=False,
            nothing_left=0,
            nothing_left_for=Rewarded.CUTTER,
            difference=RoundDifference(beaten_bonus=bonus),
        ),
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
            Option("knock", "Knock with at most", 10, Numbers(0, 10)),
            Option("bonus", "Bonus for gin and undercut", 25, Numbers(0, 50)),
            shared.STAKE,
        ),
        build=build,
    )
)

if __name__ == "__main__":
    print(
        *(line for line in rules("own_gin") if "left over" in line or "ends the round" in line),
        sep="\n",
    )
    knocked = "[AD 4C 7S 7H 7D 9S 10S JS 2D 3D]"
    best = least_leftover("own_gin", knocked)
    print(best.points, "left beside", " · ".join(map(str, best.groups)))
    game = Game.begin("own_gin", ["ana", "beto"])
    for line in (
        f"round ana knock ana={knocked} beto=[AS AH AC 4D QS 5C 6C 10C KH 8H]",  # lays off the 4D and the QS
        "round ana knock ana=[9] beto=[6]",
        "round ana gin beto=[K Q J]",
    ):
        game = game.play(line)
        last = game.state.rounds[-1]
        winner = max(last.points, key=lambda player: last.points[player])
        how = last.entry.closing if winner == last.entry.closer else "undercut"
        print(f"{winner}: {last.points[winner]} ({how})")
    print({player.id: player.total for player in game.state.players})
