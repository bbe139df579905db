"""The shares of an expense (RULES 1.3): the examples of the rules, laws, and a slow oracle."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.scoring.shares import expense_nets, expense_shares

SEATS = ("ana", "beto", "caro", "dani")

seatings = st.lists(st.sampled_from("abcdefgh"), min_size=2, max_size=8, unique=True)


@st.composite
def costs(draw, parts):
    """Draw an amount, a payer, the parts of the sharers and the seats."""
    seats = draw(seatings)
    shares = draw(
        st.dictionaries(st.sampled_from(seats), parts, min_size=1).filter(lambda some: any(some.values()))
    )
    return draw(st.integers(1, 60)), draw(st.sampled_from(seats)), shares, seats


@pytest.mark.parametrize(
    ("amount", "payer", "parts", "nets"),
    [
        (10001, "beto", {"ana": 1, "beto": 1, "caro": 1}, {"beto": 6668, "caro": -3334, "ana": -3334}),
        (10001, "beto", {"ana": 1, "dani": 1}, {"beto": 10001, "dani": -5001, "ana": -5000}),
        (10001, "dani", {"ana": 1, "beto": 1, "dani": 1}, {"dani": 6668, "ana": -3334, "beto": -3334}),
        (1001, "beto", {"ana": 2, "beto": 1, "caro": 1}, {"beto": 751, "caro": -251, "ana": -500}),
    ],
)
def test_surplus_coins_are_distributed_by_the_rules(amount, payer, parts, nets):
    assert nets == expense_nets(amount, payer, expense_shares(amount, payer, parts, SEATS))


@given(costs(st.just(1)))
def test_dealing_the_coins_one_by_one_gives_the_same_equal_parts(cost):
    amount, payer, parts, seats = cost
    dealt = dict.fromkeys(parts, 0)
    place = seats.index(payer)
    while sum(dealt.values()) < amount:
        place = (place + 1) % len(seats)
        if seats[place] in parts:
            dealt[seats[place]] += 1

    assert dealt == expense_shares(amount, payer, parts, seats)
    assert 0 == sum(expense_nets(amount, payer, dealt).values())


@given(costs(st.integers(0, 9)))
def test_each_bears_their_exact_part_but_for_a_coin_at_most(cost):
    amount, payer, parts, seats = cost
    borne = expense_shares(amount, payer, parts, seats)

    assert ({player for player, part in parts.items() if part}, amount) == ({*borne}, sum(borne.values()))
    assert all(
        abs(part - Fraction(amount * parts[player], sum(parts.values()))) <= 1
        for player, part in borne.items()
    )
