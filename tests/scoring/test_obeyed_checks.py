"""Every refusal of a custom game that says what to write is obeyed, and what it said is accepted."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from games.scoring import custom, variant_checks
from games.scoring.custom import Deck, HeldPoints, MeldPoints, RoundDifference, Sets, Variant, french_packs
from tests.scoring.test_custom import (
    CUSTOM_VARIANT,
    LEFT,
    ONES,
    OWN_TOTALS,
    TWICE,
    variant_with_cards,
    variant_with_closings,
    variant_with_rules,
)

[TIE] = CUSTOM_VARIANT.options
HELD, TYPED = HeldPoints(ONES), custom.TypedPoints()
SPANISH = Deck(("1", "2", "3", "4", "5", "6", "7", "10", "11", "12"), "oceb", copies=1, jokers=0)
SPANISH_LEFT = replace(LEFT, values=dict.fromkeys(SPANISH.ranks, 1))
FRENCH = replace(french_packs(1), jokers=0)
FRENCH_LEFT = replace(LEFT, values=dict.fromkeys(FRENCH.ranks, 1))
MELDS = MeldPoints(ONES, ONES, (1,) * 14, (1,) * 14, range(3, 15), copies=1)
ONE_CONTRACT, ENDS_AT_100 = custom.AfterContracts(("2T",), by_rounds_won=False), custom.FirstOut(100)
DIFFERENCE = variant_with_cards(HeldPoints(ONES, RoundDifference()), lowest_wins=False)


def melds(**changes: Any) -> Variant:
    return variant_with_cards(replace(MELDS, **changes))


# What is said, the game that is refused, and games that obey, one for each way that the sentence names.
OBEYED: dict[str, tuple[Variant, tuple[Variant, ...]]] = {
    "write a-z, 0-9 and _, beginning with a letter": (
        replace(CUSTOM_VARIANT, key="Our own"),
        (replace(CUSTOM_VARIANT, key="our_own_2"),),
    ),
    "the key tie is taken: write another": (
        replace(CUSTOM_VARIANT, options=(TIE, TIE)),
        (replace(CUSTOM_VARIANT, options=(TIE, replace(TIE, key="another"))),),
    ),
    "write no braces but {name} in a Closing's sentence": (
        variant_with_closings(sentence="{nombre} served"),
        (variant_with_closings(sentence="{name} served"), variant_with_closings(sentence="Served")),
    ),
    "write min_players=1 or more, up to max_players": (
        replace(CUSTOM_VARIANT, min_players=0),
        (replace(CUSTOM_VARIANT, min_players=1), replace(CUSTOM_VARIANT, min_players=4)),
    ),
    "write fewer in max_players or cards_dealt, or a larger pack": (
        variant_with_cards(HELD, cards_dealt=14),
        (
            replace(variant_with_cards(HELD, cards_dealt=14), max_players=3),
            variant_with_cards(HELD, cards_dealt=13),
            variant_with_rules(deck=french_packs(2), scoring=HELD, cards_dealt=14),
        ),
    ),
    "write lowest_wins=False": (
        variant_with_cards(HeldPoints(ONES, RoundDifference())),
        (DIFFERENCE,),
    ),
    "write min_players=2 or more": (
        replace(DIFFERENCE, min_players=1),
        (replace(DIFFERENCE, min_players=2),),
    ),
    "or of 1 2 3 4 5 6 7 8 9 10 11 12 with oceb": (
        variant_with_rules(deck=replace(SPANISH, suits="SHDC"), scoring=SPANISH_LEFT),
        (
            variant_with_rules(deck=SPANISH, scoring=SPANISH_LEFT),
            variant_with_rules(deck=FRENCH, scoring=FRENCH_LEFT),
        ),
    ),
    "write * in wild_cards, or a Deck with jokers=0": (
        variant_with_cards(LEFT),
        (
            variant_with_cards(replace(LEFT, wild_cards=frozenset("*"), wild_value=15)),
            variant_with_rules(deck=FRENCH, scoring=FRENCH_LEFT),
        ),
    ),
    "write cards of it in wild_cards": (
        variant_with_rules(
            deck=FRENCH, scoring=replace(FRENCH_LEFT, wild_cards=frozenset({"1o"}), wild_value=5)
        ),
        (
            variant_with_rules(
                deck=FRENCH, scoring=replace(FRENCH_LEFT, wild_cards=frozenset({"AS"}), wild_value=5)
            ),
        ),
    ),
    "write nothing_left=0": (
        variant_with_rules(
            deck=FRENCH,
            scoring=replace(FRENCH_LEFT, difference=RoundDifference(), nothing_left=-10),
            lowest_wins=False,
        ),
        (
            variant_with_rules(
                deck=FRENCH, scoring=replace(FRENCH_LEFT, difference=RoundDifference()), lowest_wins=False
            ),
        ),
    ),
    "each card left over counts one point or more: write so in values and wild_value": (
        variant_with_rules(deck=SPANISH, scoring=replace(SPANISH_LEFT, wild_cards=frozenset({"1o"}))),
        (
            variant_with_rules(
                deck=SPANISH, scoring=replace(SPANISH_LEFT, wild_cards=frozenset({"1o"}), wild_value=25)
            ),
        ),
    ),
    "a run has 14 places: write as many values in in_run and as_wild": (melds(in_run=(1,) * 13), (melds(),)),
    "NO_CARDS goes with TypedPoints() alone: write it, or a Deck": (
        variant_with_rules(scoring=HELD),
        (variant_with_rules(scoring=TYPED), variant_with_cards(HELD)),
    ),
    "K has no value: write it in values": (
        variant_with_cards(HeldPoints({rank: 1 for rank in ONES if rank != "K"})),
        (variant_with_cards(HELD),),
    ),
    "K cannot be wild: write wilds of 2 and * alone": (
        melds(wilds=("K",)),
        (melds(wilds=("2", "*")), melds(wilds=("2",)), melds(wilds=())),
    ),
    "no cards form a meld: write run_sizes or sets": (
        melds(sets=None, run_sizes=range(0)),
        (melds(sets=None), melds(sets=Sets(), run_sizes=range(0))),
    ),
    "a run has 3 to 14 cards: write a range in between in run_sizes": (
        melds(run_sizes=range(2, 15)),
        (melds(run_sizes=range(3, 15)), melds(run_sizes=range(4, 5))),
    ),
    "2 is wild and has no value: write it in wild_values": (
        melds(wild_values={"*": 5}),
        (melds(wild_values={"*": 5, "2": 1}),),
    ),
    "write at least one Closing": (variant_with_rules(closings=()), (CUSTOM_VARIANT,)),
    "there is no contract foo: write 2T, ": (
        variant_with_rules(ending=replace(ONE_CONTRACT, contracts=("foo",))),
        (variant_with_rules(ending=ONE_CONTRACT),),
    ),
    "nobody re-enters without LastIn: write reentry=None": (
        variant_with_rules(ending=ENDS_AT_100, reentry=TWICE),
        (variant_with_rules(ending=ENDS_AT_100, reentry=None),),
    ),
    "write TypedPoints(), and no floor, reentry or late_entry": (
        variant_with_cards(HELD, money=OWN_TOTALS, floor=0, late_entry=True),
        (variant_with_rules(money=OWN_TOTALS),),
    ),
}


@pytest.mark.parametrize("sentence", OBEYED)
def test_a_game_that_obeys_what_a_refusal_says_to_write_is_accepted(sentence):
    refused, obedient = OBEYED[sentence]
    with pytest.raises(ValueError, match=re.escape(sentence)):
        custom.register(refused)

    for variant in obedient:
        custom.register(variant)
        custom.unregister(variant.key)


def test_every_sentence_that_says_what_to_write_is_obeyed_here():
    source = Path(variant_checks.__file__).read_text(encoding="utf-8")

    assert len(OBEYED) == len(re.findall(r'(?:: |f")write ', source))
