"""Leftovers of custom games in any pack: Gin against a plain search, and what such a game says of itself."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import combinations
from typing import Any

import pytest

from games.scoring import (
    Card,
    Game,
    LineError,
    NotationError,
    RuleError,
    all_variants,
    custom,
    least_leftover,
    rules,
    score_hand,
)
from games.scoring.cards import FRENCH_RANKS as RANKS
from games.scoring.custom import (
    CloserHand,
    Closing,
    Deck,
    Direction,
    FirstTo,
    HeldPoints,
    LeftoverPoints,
    Placing,
    Pot,
    Rewarded,
    RoundDifference,
    Rules,
    Variant,
)

PACK = Deck(RANKS, "SHDC", copies=1, jokers=0)
VALUES = {rank: min(place, 10) for place, rank in enumerate(RANKS, start=1)}
GIN = LeftoverPoints(
    values=VALUES,
    wild_cards=frozenset(),
    wild_value=0,
    placing=Placing.ON_CUTTER,
    cut_max=10,
    free_cut=False,
    nothing_left=0,
    nothing_left_for=Rewarded.CUTTER,
    strict_cut=True,
    difference=RoundDifference(beaten_bonus=25),
)
KNOCK = Closing(
    key="knock", name="Knock", short="knock", sentence="{name} knocked", closer_hand=CloserHand.REST
)
WITH_GIN = Closing(key="gin", name="Gin", short="gin", sentence="{name} has gin", bonus=25)
STOCK_OUT = Closing(key="no_cards", name="No cards", short="none", sentence="no cards", by_player=False)


def make_variant(scoring: LeftoverPoints | HeldPoints = GIN, **changes: Any) -> Variant:
    """Return Gin for two to four players, with these changes of its rules."""
    built = Rules(
        deck=PACK,
        cards_dealt=10,
        scoring=scoring,
        closings=(KNOCK, WITH_GIN, STOCK_OUT),
        ending=FirstTo(1000, play_on=False),
        reentry=None,
        money=(Pot(0),),
        lowest_wins=scoring.difference is None,
    )
    return Variant(
        key="own",
        name="Our own",
        summary="Ours.",
        min_players=2,
        max_players=4,
        direction=Direction.LEFT,
        options=(),
        build=lambda _house: replace(built, **changes),
    )


@pytest.fixture
def register():
    """Register a game until the end of the test."""

    def register_until_the_end(variant: Variant) -> None:
        if variant.key in all_variants():
            custom.unregister(variant.key)
        custom.register(variant)

    yield register_until_the_end
    custom.unregister("own")


# --- a plain search -----------------------------------------------------------------------------------------

Cards = frozenset[Card]


def is_group(cards: Sequence[Card] | Cards) -> bool:
    if len(cards) < 3:
        return False
    places = sorted(RANKS.index(card.rank) for card in cards)
    in_a_row = places == list(range(places[0], places[0] + len(places)))
    return len({card.rank for card in cards}) == 1 or (in_a_row and len({card.suit for card in cards}) == 1)


@cache
def deadwood(hand: Cards) -> int:
    """Return the fewest points that own melds leave: the first card is left over, or in each meld in turn."""
    if not hand:
        return 0
    first, *others = sorted(hand, key=str)
    least = VALUES[first.rank] + deadwood(hand - {first})
    for size in range(2, len(others) + 1):
        for rest in combinations(others, size):
            if is_group((first, *rest)):
                least = min(least, deadwood(hand - {first, *rest}))
    return least


def deadwood_beside(hand: Cards, melds: tuple[Cards, ...]) -> int:
    """Return the fewest points that are left if cards also go on these melds, one after the other."""
    least, seen, waiting = deadwood(hand), set(), [(hand, melds)]
    while waiting:
        rest, laid = waiting.pop()
        least = min(least, deadwood(rest))
        for place, meld in enumerate(laid):
            for card in rest:
                if is_group(meld | {card}):
                    after = (rest - {card}, (*laid[:place], meld | {card}, *laid[place + 1 :]))
                    if after not in seen:
                        seen.add(after)
                        waiting.append(after)
    return least


def deal(seed: int, players: int = 2) -> list[list[Card]]:
    """Return hands of ten; those of odd seeds are of few ranks, so that much can be laid off."""
    cards = [Card(rank, suit) for rank in RANKS[: 13 if seed % 2 else 6] for suit in "SHDC"]
    chance = random.Random(seed)
    chance.shuffle(cards)
    return [cards[10 * player : 10 * player + 10] for player in range(players)]


def text(cards: Sequence[Card]) -> str:
    return f"[{' '.join(map(str, cards))}]"


def test_a_hand_of_gin_leaves_what_a_plain_search_leaves(register):
    register(make_variant())
    for seed in range(60):
        [hand, _other] = deal(seed)
        best = least_leftover("own", hand)
        assert deadwood(frozenset(hand)) == best.points == score_hand("own", text(hand)), text(hand)
        assert sorted(hand, key=str) == sorted(
            [*best.left, *(c for g in best.groups for c in g.cards)], key=str
        )
        assert all(is_group(group.cards) for group in best.groups)


def test_the_other_lays_off_on_the_melds_of_the_player_who_knocked(register):
    register(make_variant(replace(GIN, cut_max=100)))
    laid_off = 0
    for seed in range(120):
        knocker, other = deal(seed)
        best = least_leftover("own", knocker)
        game = Game.begin("own", ["ana", "beto"]).play(
            f"round ana knock ana={text(knocker)} beto={text(other)}"
        )
        melds = tuple(frozenset(group.cards) for group in best.groups)
        alone = deadwood(frozenset(other))
        left = deadwood_beside(frozenset(other), melds) if best.points else alone
        laid_off += left < alone
        beaten = left <= best.points
        expected = (
            {"ana": 0, "beto": best.points - left + 25} if beaten else {"ana": left - best.points, "beto": 0}
        )
        assert expected == game.state.rounds[-1].points, (text(knocker), text(other))
    assert 20 < laid_off


def test_of_three_nobody_lays_off_on_a_player_who_did_not_knock(register):
    hands = (
        "ana=[4S 5S 6S KH KD KC 2D 2C 3H AH]",
        "beto=[8H 8D 8C QS QH QD 3S JC 9C 7D]",  # lays off the 3S
        "caro=[7S 8S QC 10H 9D 5H 6C 2H 4D JD]",  # lays off the 7S and the 8S, not the QC on Beto's queens
    )
    register(make_variant(replace(GIN, difference=None)))
    points = (
        Game.begin("own", ["ana", "beto", "caro"])
        .play(f"round ana knock {' '.join(hands)}")
        .state.rounds[-1]
        .points
    )

    assert {"ana": 8, "beto": 26, "caro": 10 + 10 + 9 + 5 + 6 + 2 + 4 + 10} == points


@pytest.mark.parametrize(
    ("line", "points"),
    [
        (
            "round ana gin ana=[AS 2S 3S 4S 7H 7D 7C QH QD QC] beto=[5S 6S 7S QS 2H 4H 6H 8H 10H KH]",
            {"ana": 75, "beto": 0},
        ),
        ("round ana gin beto=[5S QS QH]", {"ana": 50, "beto": 0}),
        ("round ana knock ana=9 beto=[AS 2S 3S 4S KH KD KC 5S 6S 8D]", {"ana": 0, "beto": 26}),
        ("round ana knock ana=3 beto=3", {"ana": 0, "beto": 25}),
        ("round ana knock ana=3 beto=4", {"ana": 1, "beto": 0}),
        ("round nobody no_cards ana=30 beto=4", {"ana": 0, "beto": 0}),
    ],
)
def test_a_round_of_gin_scores_for_one_player(register, line, points):
    register(make_variant())
    assert points == Game.begin("own", ["ana", "beto"]).play(line).state.rounds[-1].points


def test_a_knock_with_more_than_allowed_is_refused(register):
    register(make_variant())
    with pytest.raises(RuleError, match="ana has 11 left over and can cut with at most 10"):
        Game.begin("own", ["ana", "beto"]).play("round ana knock ana=[AS 2S 3S 4S 5S 6S 7S 8S JD AH] beto=30")


def test_a_card_of_a_french_pack_may_be_wild(register):
    wild = replace(GIN, wild_cards=frozenset({"2S"}), wild_value=20, difference=None)
    register(make_variant(wild))

    assert 10 == score_hand("own", "[KS QS 2S 7H 7D 7C 8C 9C 10C JD]")
    assert "2S stands for any card; left over it counts 20." in rules("own")


# --- what a game says of itself -----------------------------------------------------------------------------

PLAIN = replace(GIN, difference=None, strict_cut=False, placing=Placing.OFF)
OUT_AT_100 = {"ending": custom.FirstOut(100)}


@pytest.mark.parametrize("cut", [{}, {"free_cut": True}, {"strict_cut": True}])
def test_only_where_players_go_bust_is_a_bust_spoken_of(register, cut):
    scoring = replace(PLAIN, **cut)
    register(make_variant(scoring))
    assert [] == [sentence for sentence in rules("own") if "bust" in sentence]
    register(make_variant(scoring, **OUT_AT_100))
    assert [True] == ["make you bust" in sentence for sentence in rules("own") if "bust" in sentence]


def test_a_number_of_players_without_a_choice_is_one_number(register):
    for most, sentence in ((2, "2 players, 52 cards, 10 each."), (3, "2 to 3 players, 52 cards, 10 each.")):
        register(replace(make_variant(), max_players=most))
        assert sentence == rules("own")[0]


def test_only_where_a_player_cuts_is_a_cut_spoken_of(register):
    register(make_variant(PLAIN, closings=(WITH_GIN, STOCK_OUT)))
    assert [] == [sentence for sentence in rules("own") if sentence.startswith(("Cut", "You shouldn't"))]
    register(make_variant(replace(PLAIN, cut_max=0)))
    assert "Cut with nothing left over." in rules("own")
    assert [] == [sentence for sentence in rules("own") if "0 points" in sentence]


@pytest.mark.parametrize(
    ("ending", "sentence"),
    [
        (custom.LastIn(90), "If everyone goes bust in the same round, the {} total wins."),
        (custom.FirstOut(90), "The game ends when a player has 90 or more; the {} total wins."),
        (custom.AfterContracts(("2T",), by_rounds_won=True), "The {} total after the last contract wins."),
        (
            custom.FirstTo(90, play_on=False),
            "The game ends after the round in which a player reaches 90; the {} total wins.",
        ),
    ],
)
def test_the_total_that_wins_is_the_one_that_wins(register, ending, sentence):
    for lowest_wins, total in ((True, "lowest"), (False, "highest")):
        register(make_variant(PLAIN, ending=ending, lowest_wins=lowest_wins))
        assert sentence.format(total) in rules("own")


def test_the_values_of_the_cards_are_those_of_the_game(register):
    register(make_variant(PLAIN))
    assert ("2 to 10: face value.", "A: 1.", "J–K: 10.") == tuple(
        sentence
        for sentence in rules("own")
        if "face value" in sentence or sentence.startswith(("A:", "J–K"))
    )
    spanish = Deck(("1", "2", "3", "10", "11", "12"), "oceb", copies=1, jokers=0)
    fives = dict.fromkeys(spanish.ranks, 5)
    register(make_variant(replace(PLAIN, values=fives), deck=spanish, cards_dealt=6))
    assert [] == [sentence for sentence in rules("own") if "face value" in sentence]


def test_a_prize_is_doubled_in_the_sentence_only_where_it_is_in_the_game(register):
    held = HeldPoints(VALUES)
    one_go = replace(WITH_GIN, key="one_go", kind=custom.ClosingKind.IN_ONE_GO)
    for closings, is_doubled in (((WITH_GIN,), False), ((WITH_GIN, one_go), True)):
        register(make_variant(held, closings=closings, money=(custom.RoundPrize(5),)))
        [sentence] = [sentence for sentence in rules("own") if "gets 5 from everyone else" in sentence]
        assert is_doubled == ("twice" in sentence)


def test_nobody_goes_out_where_everybody_shows_their_cards(register):
    held = HeldPoints(VALUES)
    for closings, says_so in (((KNOCK,), False), ((WITH_GIN,), True)):
        register(make_variant(held, closings=closings))
        assert says_so == any("Going out scores 0" in sentence for sentence in rules("own"))


# --- advice on the writing of a card ------------------------------------------------------------------------


CLOSINGS = {"chinchon": "cut", "loba_menos": "out", "own": "knock"}


def count_card(game: str, card: str) -> object:
    return score_hand(game, f"[{card}]")


def play_card(game: str, card: str) -> object:
    return Game.begin(game, ["ana", "beto"]).play(f"round ana {CLOSINGS[game]} ana=0 beto=[{card}]")


def read_card(game: str, card: str) -> object:
    return Game.from_text(f"game {game}\nplayers ana beto\nround ana {CLOSINGS[game]} ana=0 beto=[{card}]")


@pytest.mark.parametrize("attempt", [count_card, play_card, read_card])
@pytest.mark.parametrize(
    ("game", "card", "is_advised"),
    [
        ("chinchon", "8O", True),
        ("chinchon", "12O", True),
        ("chinchon", "kh", False),
        ("chinchon", "joker", False),
        ("chinchon", "7c8c", True),
        ("chinchon", "K7*", False),
        ("loba_menos", "kh", True),
        ("loba_menos", "joker", True),
        ("loba_menos", "12O", False),
        ("loba_menos", "K7*", True),
        ("loba_menos", "5c", True),
        ("own", "kh", True),
        ("own", "joker", False),
    ],
)
def test_a_card_is_advised_only_if_the_pack_has_it(register, attempt, game, card, is_advised):
    register(make_variant())
    with pytest.raises((RuleError, NotationError, LineError)) as refusal:
        attempt(game, card)

    assert is_advised == bool(re.search(r"Write|Put spaces", str(refusal.value))), str(refusal.value)


def test_a_rank_that_a_small_pack_lacks_is_not_advised_in_another_suit():
    with pytest.raises(RuleError) as refusal:
        score_hand("chinchon", "[8C]", pack=40)

    assert "The pack has no 8C." == str(refusal.value)
