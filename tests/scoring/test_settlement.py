"""Settling with the fewest payments (RULES 1.3), compared with a search of every division."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.scoring.ledger import Transfer, settlement, transfers
from games.scoring.zero_sums import partition_amounts
from tests.examples import examples

Groups = tuple[tuple[int, ...], ...]


def every_division(amounts: list[int], positions: tuple[int, ...]) -> Iterator[Groups]:
    """Yield every division of these positions into groups whose amounts add up to zero.

    Each group begins with the first position not yet in a group.
    """
    if not positions:
        yield ()
        return
    first, others = positions[0], positions[1:]
    for chosen in range(1 << len(others)):
        group = (first, *(other for place, other in enumerate(others) if chosen >> place & 1))
        if sum(amounts[position] for position in group) == 0:
            rest = tuple(position for position in others if position not in group)
            for groups in every_division(amounts, rest):
                yield (group, *groups)


def first_of_the_most(amounts: list[int]) -> Groups:
    """Return the division into the most groups; of several, the first in dictionary order."""
    divisions = list(every_division(amounts, tuple(range(len(amounts)))))
    most = max(map(len, divisions))
    return min(groups for groups in divisions if len(groups) == most)


def amounts_by_chance(chance: random.Random, people: int, highest: int) -> list[int]:
    """Return random amounts for this many people; none of them is 0, and their sum is 0."""
    while True:
        amounts = [chance.choice([-1, 1]) * chance.randint(1, highest) for _person in range(people - 1)]
        if sum(amounts):
            return [*amounts, -sum(amounts)]


def net_of(amounts: list[int]) -> dict[str, int]:
    return {f"p{seat}": amount for seat, amount in enumerate(amounts)}


def with_the_rest(amounts: list[int]) -> dict[str, int]:
    """Return these people's nets, and the net of one more person that makes the sum zero."""
    return net_of([*amounts, -sum(amounts)])


def after(net: dict[str, int], paid: tuple[Transfer, ...]) -> dict[str, int]:
    left = dict(net)
    for transfer in paid:
        left[transfer.payer] += transfer.amount
        left[transfer.payee] -= transfer.amount
    return left


def paid_by_the_rules(net: dict[str, int]) -> list[Transfer]:
    """Return the payments of RULES 1.3: in each group the largest debtor pays the largest creditor.

    Of equal ones the first by seat comes first.
    """
    owing = [player for player in net if net[player]]
    paid = []
    for group in first_of_the_most([net[player] for player in owing]):
        left = {owing[place]: net[owing[place]] for place in group}
        while any(left.values()):
            payer, payee = min(left, key=left.__getitem__), max(left, key=left.__getitem__)
            paid.append(Transfer(payer, payee, min(-left[payer], left[payee])))
            left = after(left, (paid[-1],))
    return paid


@st.composite
def clearing_nets(draw: st.DrawFn, most: int = 7) -> dict[str, int]:
    """Draw nets of at most this many people that add up to zero; many are 0 or equal."""
    amounts = draw(st.lists(st.integers(-4, 4), min_size=1, max_size=most - 1))
    amounts.insert(draw(st.integers(0, len(amounts))), -sum(amounts))
    return net_of(amounts)


# --- the fewest payments ----------------------------------------------------------------------------------------------


@examples(250)
@given(clearing_nets())
def test_the_payments_are_those_of_the_rules(net):
    assert paid_by_the_rules(net) == list(transfers(net))


@pytest.mark.slow
@pytest.mark.parametrize("people", [9, 10])
def test_the_division_of_more_people_is_the_one_of_the_rules(people):
    chance = random.Random(people)
    for highest in (1, 3, 12):
        for _case in range(20):
            amounts = amounts_by_chance(chance, people, highest)
            assert first_of_the_most(amounts) == partition_amounts(amounts).groups


@given(clearing_nets(most=30) | st.lists(st.integers(-30, 30), min_size=1, max_size=40).map(with_the_rest))
def test_the_payments_clear_every_net_for_any_number_of_people(net):
    settled = settlement(net)
    assert all(paid.amount > 0 for paid in settled.transfers)
    assert not any(after(net, settled.transfers).values())
    assert settled.least <= len(settled.transfers) <= max(sum(map(bool, net.values())) - 1, 0)
    assert settled.transfers == transfers(net)


def test_opposite_amounts_of_more_than_twelve_people_are_paired_first():
    others = [*[5] * 5, *[-3] * 8, -1]
    settled = settlement(net_of([7, -7, 9, -9, *others]))
    assert (Transfer("p1", "p0", 7), Transfer("p3", "p2", 9)) == settled.transfers[:2]
    assert 2 + len(others) - _most_groups(others) == len(settled.transfers) == settled.least


@pytest.mark.parametrize("people", [13, 14])
def test_up_to_fourteen_people_are_divided_into_the_most_groups(people):
    chance = random.Random(people)
    for _case in range(5):
        amounts = amounts_by_chance(chance, people, 6)
        assert _most_groups(amounts) == len(partition_amounts(amounts).groups)


def _most_groups(amounts: list[int]) -> int:
    """Return the largest number of groups that add up to zero, found by trying every subset."""
    most, sums = [0] * (1 << len(amounts)), [0] * (1 << len(amounts))
    for subset in range(1, 1 << len(amounts)):
        members = [place for place in range(len(amounts)) if subset >> place & 1]
        sums[subset] = sum(amounts[place] for place in members)
        most[subset] = max(most[subset ^ 1 << place] for place in members) + (sums[subset] == 0)
    return most[-1]


def test_a_settlement_that_may_not_be_minimal_says_so():
    powers = [3**exponent for exponent in range(19)]
    settled = settlement(net_of([*powers, -sum(powers)]))
    assert (19, False) == (len(settled.transfers), settled.is_exact)
    assert "At least 14 payments are needed; these are few." == str(settled.text)
    assert "This is the smallest possible number of payments." == str(settlement({"ana": 5, "beto": -5}).text)
