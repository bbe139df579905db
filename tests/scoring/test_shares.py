"""The parts of a shared cost (RULES 1.3): the examples of the rules, laws, and a slow oracle."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.scoring.shares import nets_of_cost, parts_of

SEATS = ("ana", "beto", "caro", "dani")

seatings = st.lists(st.sampled_from("abcdefgh"), min_size=2, max_size=8, unique=True)


@st.composite
def costs(draw):
    """Return an amount, a payer, the sharers and the seats."""
    seats = draw(seatings)
    sharers = draw(st.sets(st.sampled_from(seats), min_size=1))
    return draw(st.integers(1, 60)), draw(st.sampled_from(seats)), sharers, seats


@pytest.mark.parametrize(
    ("payer", "sharers", "nets"),
    [
        ("beto", ("ana", "beto", "caro"), {"beto": 6668, "caro": -3334, "ana": -3334}),
        ("beto", ("ana", "dani"), {"beto": 10001, "dani": -5001, "ana": -5000}),
        ("dani", ("ana", "beto", "dani"), {"dani": 6668, "ana": -3334, "beto": -3334}),
    ],
)
def test_surplus_coins_are_distributed_by_the_rules(payer, sharers, nets):
    assert nets == nets_of_cost(10001, payer, sharers, SEATS)


@given(costs())
def test_dealing_the_coins_one_by_one_gives_the_same_parts(cost):
    amount, payer, sharers, seats = cost
    dealt = dict.fromkeys(sharers, 0)
    place = seats.index(payer)
    while sum(dealt.values()) < amount:
        place = (place + 1) % len(seats)
        if seats[place] in sharers:
            dealt[seats[place]] += 1

    assert dealt == parts_of(amount, payer, sharers, seats)
    assert 0 == sum(nets_of_cost(amount, payer, sharers, seats).values())
