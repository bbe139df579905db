"""Rules that are built once for many hands: the same answers, one object, and no stale numbers."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor
from dataclasses import FrozenInstanceError, replace

import pytest

from games.scoring import Card, Game, RuleError, bind, lay_down, least_leftover, score_hand
from games.scoring.bound_rules import build_bound_rules
from games.scoring.custom import HeldPoints, register, unregister
from games.scoring.rounds import Hand
from games.scoring.text.notation import parse_hand
from games.scoring.variants import VARIANTS

CHINCHON_40 = [f"{rank}{suit}" for rank in (*range(1, 8), 10, 11, 12) for suit in "oceb"]


def deal(seed: int, cards: int = 7) -> str:
    return f"[{' '.join(random.Random(seed).sample(CHINCHON_40, cards))}]"


@pytest.fixture
def own_game():
    """A registered game, and the number that a king counts in it."""
    numbers = {"king": 10}
    loba = VARIANTS["loba_menos"]

    def build(house):
        rules = loba.build(house)
        assert isinstance(rules.scoring, HeldPoints)
        return replace(
            rules, scoring=replace(rules.scoring, values={**rules.scoring.values, "K": numbers["king"]})
        )

    variant = replace(loba, key="own_loba", build=build)
    register(variant)
    yield variant, numbers
    unregister("own_loba")


def test_bound_rules_count_what_the_public_functions_count():
    chinchon, carioca = bind("chinchon", pack=40, figures="tens"), bind("carioca_cl")
    for seed in range(50):
        hand = deal(seed)
        assert score_hand("chinchon", hand, pack=40, figures="tens") == chinchon.score_hand(hand)
        assert least_leftover("chinchon", hand, pack=40, figures="tens") == chinchon.least_leftover(hand)
    cards = "[4S * 6S 7S 9H 9D 9C K]"
    assert lay_down("carioca_cl", "1E1T", cards) == carioca.lay_down("1E1T", cards)
    assert 27 == bind("loba_menos", ace=15).score_hand("[K 7 *]")


def test_cards_count_like_the_text_that_names_them():
    text = deal(1)
    cards = parse_hand(text).held or ()
    chinchon = bind("chinchon", pack=40)

    assert chinchon.score_hand(text) == chinchon.score_hand(cards) == chinchon.score_hand([*cards])
    assert chinchon.least_leftover(text) == chinchon.least_leftover(cards)
    laid = [Card("4", "S"), Card("*"), Card("6", "S"), Card("7", "S"), *(Card("9", suit) for suit in "HDC")]
    assert bind("carioca_cl").lay_down("1E1T", "[4S * 6S 7S 9H 9D 9C]") == bind("carioca_cl").lay_down(
        "1E1T", laid
    )


@pytest.mark.parametrize("wrong", [12, None, Hand(points=3), {"K"}, ["K"]])
def test_what_is_neither_text_nor_cards_is_a_type_error(wrong):
    with pytest.raises(TypeError, match="hand"):
        bind("loba_menos").score_hand(wrong)


def test_bound_rules_cannot_be_changed():
    chinchon = bind("chinchon")
    for field in ("variant", "house", "rules"):
        with pytest.raises(FrozenInstanceError):
            setattr(chinchon, field, None)


def test_options_that_mean_the_same_share_one_object():
    assert bind("chinchon", pack=48) is bind("chinchon") is bind("chinchon", pack="48")
    assert bind("chinchon", pack=40) is not bind("chinchon")
    assert bind("chinchon").house == VARIANTS["chinchon"].house()
    assert "Truco" == str(bind("points", name="Truco").variant.name)


@pytest.mark.parametrize(
    ("variant", "options"), [("poker", {}), ("chinchon", {"packet": 40}), ("chinchon", {"pack": 41})]
)
def test_what_no_game_has_is_refused_at_once_and_each_time(variant, options):
    for _time in range(2):
        with pytest.raises(RuleError):
            bind(variant, **options)


def test_at_most_64_are_cached():
    for stake in range(1, 200):
        bind("loba_menos", stake=stake)

    assert 64 == build_bound_rules.cache_info().currsize


def test_a_game_registered_again_counts_with_its_new_numbers(own_game):
    variant, numbers = own_game
    game = Game.begin("own_loba", ["ana", "beto"])
    assert (
        10 == score_hand("own_loba", "[K]") == game.play("round ana out beto=[K]").state.player("beto").total
    )
    bound = bind("own_loba")

    numbers["king"] = 15
    unregister("own_loba")
    register(variant)
    game = Game.begin("own_loba", ["ana", "beto"])
    assert (
        15 == score_hand("own_loba", "[K]") == game.play("round ana out beto=[K]").state.player("beto").total
    )
    assert 10 == bound.score_hand("[K]")


def test_another_game_under_a_forgotten_key_is_another_game(own_game):
    variant, _numbers = own_game
    bind("own_loba")
    unregister("own_loba")
    with pytest.raises(RuleError):
        score_hand("own_loba", "[K]")
    register(replace(variant, build=VARIANTS["loba_menos"].build))

    assert score_hand("loba_menos", "[K]") == score_hand("own_loba", "[K]")


def test_threads_that_share_them_get_the_answers_of_one():
    hands = [deal(seed) for seed in range(300)]
    wild: dict[str, int | str] = {"pack": 50, "wilds": "jokers", "packs": 2}
    expected = [
        (score_hand("chinchon", hand, pack=40), least_leftover("chinchon", hand, **wild)) for hand in hands
    ]
    build_bound_rules.cache_clear()
    shared = bind("chinchon", pack=40)

    def count(hand: str) -> tuple[object, object]:
        return shared.score_hand(hand), bind("chinchon", **wild).least_leftover(hand)

    with ThreadPoolExecutor(8) as threads:
        assert [expected] * 3 == [list(threads.map(count, hands)) for _turn in range(3)]
