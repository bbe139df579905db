"""A custom game: the player with the fewest points calls yaniv and counts nothing; caught, 30 points more.

`anotador --with custom_game play FILE` knows it, too. It prints:
    2 to 6 players, 54 cards with 2 jokers (*), 5 each.
    {'ana': 38, 'beto': 0}
    beto wins
"""

from __future__ import annotations

from anotador import Game, rules
from anotador.custom import (
    CloserHand,
    Closing,
    Direction,
    HeldPoints,
    House,
    Numbers,
    Option,
    Pot,
    Rules,
    Variant,
    Words,
    french_packs,
    register,
    shared,
)

PACK = french_packs(1)
YANIV = Closing(
    key="yaniv", name="Yaniv", short="yaniv", sentence="{name} called yaniv", rule="Yaniv counts nothing."
)


def build(house: House) -> Rules:
    values = {rank: int(rank) if rank.isdigit() else 10 for rank in PACK.ranks} | {"A": 1, "*": 0}
    asaf = Closing(
        key="asaf",
        name="Asaf",
        short="asaf",
        sentence="{name} called yaniv and was caught",
        closer_hand=CloserHand.REST,
        bonus=house.number("asaf"),
    )
    return Rules(
        deck=PACK,
        cards_dealt=5,
        scoring=HeldPoints(values),
        closings=(YANIV, asaf) if house["caught"] == "on" else (YANIV,),
        ending=shared.ending_of(house),
        reentry=None,
        money=(Pot(house.number("stake")),),
    )


register(
    Variant(
        key="own_yaniv",
        name="Yaniv, our way",
        summary="Five cards each, the least calls.",
        min_players=2,
        max_players=6,
        direction=Direction.LEFT,
        options=(
            shared.OUT_AT,
            shared.ENDING,
            Option("asaf", "Points for being caught", 30, Numbers(0, 50)),
            Option("caught", "Being caught", "on", Words({"on": "counts", "off": "never happens"})),
            shared.STAKE,
        ),
        build=build,
    )
)

if __name__ == "__main__":
    print(rules("own_yaniv")[0])
    game = Game.begin("own_yaniv", ["ana", "beto"], out_at=100)
    game = game.play("round beto yaniv ana=[A 2] ; round ana asaf ana=[2 3] beto=0")
    print({player.id: player.total for player in game.state.players})
    game = game.play("round beto yaniv ana=70")
    print(*(game.state.outcome.winners if game.state.outcome else ()), "wins")
