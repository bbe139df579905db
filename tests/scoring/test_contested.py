"""Contested deals of Chinchón, played as written games and compared with RULES 5 to the letter."""

from __future__ import annotations

from collections import Counter

import pytest

from games.scoring.replay import replay
from games.scoring.text.script import play_script, read_script
from tests.scoring.contested import by_the_book, deal, is_contested, seeds

CONTESTED = seeds()


def check(seed: int) -> None:
    contested = deal(seed)
    played = play_script(read_script(contested.text))
    assert [] == played.problems, seed
    assert by_the_book(contested) == replay(played.log).rounds[-1].points, contested.text


@pytest.mark.parametrize(
    "seed",
    [
        *CONTESTED[:9],
        *(pytest.param(seed, marks=pytest.mark.slow) for seed in CONTESTED[9:40]),
        CONTESTED[-1],
    ],
)
def test_a_contested_deal_gives_the_points_of_the_rules(seed):
    check(seed)


@pytest.mark.long
def test_two_thousand_contested_deals_give_the_points_of_the_rules():
    for seed in CONTESTED:
        check(seed)
    print(f"\n{len(CONTESTED)} contested deals, 0 differences")
    assert 2000 == len(set(CONTESTED))


@pytest.mark.long
def test_every_stored_deal_is_contested():
    assert [] == [seed for seed in CONTESTED if not is_contested(deal(seed))]


def test_the_contested_deals_have_every_kind_of_pack():
    kinds = Counter(
        (contested.options["pack"], contested.options["packs"], contested.options["wilds"])
        for contested in map(deal, CONTESTED)
    )
    packs = [("40", "none"), ("40", "ace_of_coins"), ("48", "none"), ("48", "ace_of_coins"), ("50", "jokers")]
    assert {(pack, packs, wilds) for pack, wilds in packs for packs in "12"} == set(kinds)
    assert 20 < min(kinds.values())
