"""The shares of an expense (RULES 1.3): the examples of the rules, laws, and a slow oracle."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.scoring.shares import expense_nets, expense_shares, main_payer

SEATS = ("ana", "beto", "caro", "dani")

seatings = st.lists(st.sampled_from("abcdefgh"), min_size=2, max_size=8, unique=True)


@st.composite
def costs(draw, parts):
    """Draw what one to three payers paid, the parts of the sharers and the seats."""
    seats = draw(seatings)
    shares = draw(
        st.dictionaries(st.sampled_from(seats), parts, min_size=1).filter(lambda some: any(some.values()))
    )
    payers = draw(st.lists(st.sampled_from(seats), min_size=1, max_size=3, unique=True))
    return {payer: draw(st.integers(1, 60)) for payer in payers}, shares, seats


@pytest.mark.parametrize(
    ("paid", "parts", "nets"),
    [
        ({"beto": 10001}, {"ana": 1, "beto": 1, "caro": 1}, {"beto": 6668, "caro": -3334, "ana": -3334}),
        ({"beto": 10001}, {"ana": 1, "dani": 1}, {"beto": 10001, "dani": -5001, "ana": -5000}),
        ({"dani": 10001}, {"ana": 1, "beto": 1, "dani": 1}, {"dani": 6668, "ana": -3334, "beto": -3334}),
        ({"beto": 1001}, {"ana": 2, "beto": 1, "caro": 1}, {"beto": 751, "caro": -251, "ana": -500}),
        (
            {"dani": 4001, "beto": 6000},
            dict.fromkeys(SEATS, 1),
            {"beto": 3500, "dani": 1501, "ana": -2500, "caro": -2501},
        ),
        ({"dani": 2, "caro": 2}, {"ana": 1, "caro": 1, "dani": 1}, {"caro": 1, "dani": 1, "ana": -2}),
        ({"dani": 2, "caro": 3}, {"caro": 1, "dani": 1}, {"caro": 1, "dani": -1}),
    ],
)
def test_surplus_coins_are_distributed_by_the_rules(paid, parts, nets):
    assert nets == expense_nets(paid, expense_shares(sum(paid.values()), paid, parts, SEATS))


def test_the_main_payer_paid_most_and_of_equal_payers_is_the_first_to_join():
    assert "dani" == main_payer({"beto": 3, "dani": 4}, SEATS)
    assert "beto" == main_payer({"dani": 4, "beto": 4, "ana": 3}, SEATS)


@given(costs(st.just(1)))
def test_dealing_the_coins_one_by_one_gives_the_same_equal_parts(cost):
    paid, parts, seats = cost
    most = max(paid.values())
    main = next(player for player in seats if paid.get(player) == most)
    around = [seats[(seats.index(main) + step) % len(seats)] for step in range(1, len(seats) + 1)]
    turns = [player for player in around if player not in paid and player in parts]
    turns += [player for player in around if player in paid and player in parts]
    dealt = dict.fromkeys(parts, 0)
    for coin in range(sum(paid.values())):
        dealt[turns[coin % len(turns)]] += 1

    assert dealt == expense_shares(sum(paid.values()), paid, parts, seats)
    assert 0 == sum(expense_nets(paid, dealt).values())


@given(costs(st.integers(0, 99)))
def test_each_bears_their_exact_part_but_for_a_coin_at_most(cost):
    paid, parts, seats = cost
    amount = sum(paid.values())
    borne = expense_shares(amount, paid, parts, seats)

    assert ({player for player, part in parts.items() if part}, amount) == ({*borne}, sum(borne.values()))
    assert all(
        abs(part - Fraction(amount * parts[player], sum(parts.values()))) <= 1
        for player, part in borne.items()
    )
