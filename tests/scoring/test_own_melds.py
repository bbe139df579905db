"""Melds and rounds of custom games, put together from parts; every refusal has the true reason."""

from __future__ import annotations

from dataclasses import replace

import pytest

from games.scoring import Game, RuleError, rules
from games.scoring.cards import FRENCH_RANKS as RANKS
from games.scoring.cards import JOKER, Deck, french_packs
from games.scoring.custom import (
    CloserHand,
    Closing,
    Direction,
    FirstTo,
    HeldPoints,
    LeftoverPoints,
    MeldBonus,
    MeldPoints,
    Placing,
    Rewarded,
    RoundDifference,
    Rules,
    Sets,
    Variant,
    register,
    unregister,
)
from games.scoring.solvers.melds import MeldFlaw, get_meld_solver
from games.scoring.text.notation import parse_hand

ONE_PACK = Deck(RANKS, "SHDC", copies=1, jokers=0)
FACE = {rank: int(rank) if rank.isdigit() else 10 for rank in RANKS} | {"A": 15, JOKER: 15}
IN_RUN = (1, *(FACE[rank] for rank in RANKS[1:]), 15)
NEGATIVE = {rank: -value for rank, value in FACE.items()}
RUM = MeldPoints(
    NEGATIVE, FACE, IN_RUN, IN_RUN, range(3, 15), copies=1, wilds=(), sets=Sets(suits=range(3, 5))
)
WITH_JOKERS = replace(
    RUM, wilds=(JOKER,), sets=Sets(suits=range(3, 5), wilds=1), run_wilds=1, wild_values={JOKER: 15}
)
LOW = {"3": 5, "4": 5, "5": 5, "6": 5, "7": 5}
CANASTA_VALUES = dict.fromkeys(RANKS, 10) | LOW | {"A": 20, "2": 20, JOKER: 50}
WILD_VALUES = {"2": 20, JOKER: 50}
# Sets alone, in any suits, with up to three wilds; seven cards are a canasta.
CANASTA = MeldPoints(
    {rank: -value for rank, value in CANASTA_VALUES.items()},
    CANASTA_VALUES,
    (),
    (),
    range(0),
    copies=2,
    sets=Sets(suits=None, wilds=3),
    wild_values=WILD_VALUES,
    bonuses=(MeldBonus(7, natural=500, mixed=300),),
)
BURRACO_VALUES = dict.fromkeys(RANKS, 10) | LOW | {"A": 15, "2": 20, JOKER: 30}
BURRACO_RUN = (15, 20, *(BURRACO_VALUES[rank] for rank in RANKS[2:]), 15)
# Sets and runs with at most one wild each; seven cards are a burraco.
BURRACO = MeldPoints(
    {rank: -value for rank, value in BURRACO_VALUES.items()},
    BURRACO_VALUES,
    BURRACO_RUN,
    BURRACO_RUN,
    range(3, 15),
    copies=2,
    sets=Sets(suits=None, wilds=1, most=9),
    run_wilds=1,
    wild_values={"2": 20, JOKER: 30},
    bonuses=(MeldBonus(7, natural=200, mixed=100),),
)


@pytest.mark.parametrize(
    ("points", "cards", "counted"),
    [
        (RUM, "KS KH KD KC", 40),
        (RUM, "KS KH KD", 30),
        (RUM, "2S 2H 2D", 6),
        (RUM, "A 2S 3S", 6),
        (RUM, "QH KH AH", 35),
        (RUM, "AS 2S 3S 4S 5S 6S 7S 8S 9S 10S JS QS KS", 99),
        (RUM, "7S 2H 9S", "A run is in one suit."),
        (RUM, "7S 2S 9S", "These cards are not in sequence."),
        (RUM, "7S *=8 9S", "One of the cards is not in the pack."),
        (RUM, "7S 2=8 9S", "No card can stand for another."),
        (RUM, "7S * 9S", "One of the cards is not in the pack."),
        (RUM, "KS KS KD", "A set has 3 to 4 different suits, with at most 1 card of each."),
        (RUM, "K K K K K", "A set has at most 4 cards. A run has at most 14 cards."),
        (RUM, "KS KH", "A meld has at least 3 cards."),
        (WITH_JOKERS, "KS KH *", 35),
        (WITH_JOKERS, "7S * 9S", 31),
        (WITH_JOKERS, "7S *=8 9S", 31),
        (WITH_JOKERS, "KS * *", "A run has at most 1 wild card."),
        (WITH_JOKERS, "KS KH * *", "A set has at most 1 wild card."),
        (WITH_JOKERS, "7S 2 9S", "These cards are not in sequence."),
        (
            WITH_JOKERS,
            "7S 2=8 9S",
            "Only a joker can stand for another card, each for a different card of a run.",
        ),
        (CANASTA, "K K K", 30),
        (CANASTA, "KS KS KH KH KD KD KC", 570),
        (CANASTA, "K K K K K 2 *", 420),
        (CANASTA, "A A 2 *", 110),
        (CANASTA, "K K 2 2 * *", "A set has at most 3 wild cards."),
        (CANASTA, "4S 5S 6S", "Runs don't count in this game: a meld has cards of one rank."),
        (CANASTA, "* * *", "A meld has at least one natural card."),
        (CANASTA, "2 2 2", 60),
        (BURRACO, "4H 5H 6H", 15),
        (BURRACO, "4H 5H 2S", 30),
        (BURRACO, "2H 3H 4H 5H 6H 7H 8H", 255),
        (BURRACO, "2S 3H 4H 5H 6H 7H 8H", 155),
        (BURRACO, "3H 4H 5H 6H 7H 8H 9H", 245),
        (BURRACO, "4H 2S 6H *", "A run has at most 1 wild card."),
        (BURRACO, "A A A A A A A", 305),
        (BURRACO, "A A A A A A *", 220),
        (
            replace(RUM, sets=None),
            "K K K",
            "Sets don't count in this game: a meld has cards of one suit in sequence.",
        ),
    ],
)
def test_a_meld_counts_by_the_parts_of_its_game_or_says_why_not(points, cards, counted):
    solver = get_meld_solver(points)
    meld = solver.parse_meld(parse_hand(f"{{{cards}}}").melds[0])

    assert counted == (str(solver.flaw_sentence(meld)) if isinstance(meld, MeldFlaw) else meld.value)


def make_game(scoring, closings=(), **changes):
    out = Closing(key="out", name="Out", short="out", sentence="{name} is out", closer_hand=CloserHand.MELDS)
    parts = {
        "deck": ONE_PACK,
        "cards_dealt": 7,
        "scoring": scoring,
        "closings": closings or (out,),
        "ending": FirstTo(500, play_on=False),
        "reentry": None,
        "money": (),
        "lowest_wins": False,
    }
    made = Rules(**(parts | changes))
    return Variant(
        key="own",
        name="Own",
        summary="Own melds.",
        min_players=2,
        max_players=4,
        direction=Direction.LEFT,
        options=(),
        build=lambda house: made,
    )


@pytest.fixture
def play():
    """`play(variant, line)` returns the points of a round of the game, or its refusal."""

    def play_line(variant, line):
        register(variant)
        try:
            return dict(Game.begin("own", ["ana", "beto", "caro"]).play(line).state.rounds[-1].points)
        except RuleError as refusal:
            return str(refusal)
        finally:
            unregister("own")

    return play_line


@pytest.mark.parametrize(
    ("scoring", "deck", "sentences"),
    [
        (
            RUM,
            ONE_PACK,
            [
                "A set: 3 to 4 cards of one rank, in 3 to 4 different suits, with no wild cards.",
                "A run: 3 to 14 cards of one suit in sequence.",
            ],
        ),
        (
            BURRACO,
            french_packs(2),
            [
                "A set: 3 to 9 cards of one rank, with at most 1 wild card.",
                "A run: 3 to 14 cards of one suit in sequence, with at most 1 wild card.",
                "A wild card counts its own value: * 30, 2 20.",
                "A meld of 7 cards or more: 200 more, 100 with a wild card.",
            ],
        ),
        (
            CANASTA,
            french_packs(2),
            [
                "A set: 3 to 11 cards of one rank, with at most 3 wild cards.",
                "A wild card counts its own value: * 50, 2 20.",
                "A meld of 7 cards or more: 500 more, 300 with a wild card.",
            ],
        ),
    ],
)
def test_the_rules_describe_the_parts(scoring, deck, sentences):
    register(make_game(scoring, deck=deck))
    described = rules("own")
    unregister("own")

    own = ("A set", "A run", "A wild", "A meld")
    assert sentences == [line for line in described if line.startswith(own)]


KNOCK = Closing(
    key="knock", name="Knock", short="knock", sentence="{name} knocked", closer_hand=CloserHand.REST
)
GIN = Closing(key="gin", name="Gin", short="gin", sentence="{name} has gin", bonus=25)
DEAD = Closing(key="dead", name="No cards", short="no cards", sentence="no cards", by_player=False)
GIN_POINTS = HeldPoints(FACE, RoundDifference(beaten_bonus=20))


@pytest.mark.parametrize(
    ("line", "points"),
    [
        ("round ana knock ana=4 beto=10 caro=7", {"ana": 9, "beto": 0, "caro": 0}),
        ("round ana knock ana=4 beto=4 caro=7", {"ana": 0, "beto": 23, "caro": 0}),
        ("round ana knock ana=4 beto=3 caro=2", {"ana": 0, "beto": 0, "caro": 23}),
        ("round ana gin beto=0 caro=7", {"ana": 32, "beto": 0, "caro": 0}),
        ("round nobody dead ana=4 beto=10 caro=7", {"ana": 0, "beto": 0, "caro": 0}),
    ],
)
def test_one_player_wins_a_round_by_the_difference_and_a_bonus(play, line, points):
    assert points == play(make_game(GIN_POINTS, (KNOCK, GIN, DEAD)), line)


def test_a_closer_whose_hand_may_be_left_out_has_the_bonus_alone(play):
    out = Closing(key="out", name="Out", short="out", sentence="{name} is out", bonus=5)
    assert {"ana": 5, "beto": -10, "caro": 0} == play(make_game(RUM, (out,)), "round ana out beto=[K] caro=0")


SPANISH = Deck(("1", "2", "3", "4", "5", "6", "7", "10", "11", "12"), "oceb", copies=1, jokers=0)
LEFTOVERS = LeftoverPoints(
    {rank: int(rank) for rank in SPANISH.ranks},
    frozenset(),
    0,
    Placing.OFF,
    5,
    False,
    0,
    Rewarded.CUTTER,
    True,
)
CUT = Closing(
    key="cut", name="Cut", short="cut", sentence="{name} cut", closer_hand=CloserHand.REST, bonus=-3
)


@pytest.mark.parametrize(
    ("line", "points"),
    [
        ("round ana cut ana=4 beto=9 caro=0", {"ana": 1, "beto": 9, "caro": 0}),
        ("round ana cut ana=[1o 2o 3o 4o 5o 6o 7o] beto=9 caro=0", {"ana": -3, "beto": 9, "caro": 0}),
        ("round nobody dead ana=8 beto=9 caro=0", {"ana": 8, "beto": 9, "caro": 0}),
    ],
)
def test_a_cut_has_its_bonus_also_with_one_run_where_that_is_no_closing(play, line, points):
    closings = CUT, replace(DEAD, closer_hand=CloserHand.REST)
    assert points == play(make_game(LEFTOVERS, closings, deck=SPANISH, lowest_wins=True), line)
