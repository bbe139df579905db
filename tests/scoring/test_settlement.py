"""Settling with the fewest payments (RULES 1.3), compared with a search of every division.

`money/views/test_settlement.py` has the page of a result; `play/views/test_settlement.py` has what that page leads
to.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.scoring.ledger import Transfer, settlement, transfers
from games.scoring.step_budget import count_steps
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


def best_division(amounts: list[int]) -> Groups:
    """Return the division into the most groups; of several, the first in dictionary order."""
    divisions = list(every_division(amounts, tuple(range(len(amounts)))))
    most = max(map(len, divisions))
    return min(groups for groups in divisions if len(groups) == most)


def random_amounts(chance: random.Random, people: int, highest: int) -> list[int]:
    """Return random amounts for this many people. None of them is 0, and their sum is 0."""
    while True:
        amounts = [chance.choice([-1, 1]) * chance.randint(1, highest) for _person in range(people - 1)]
        if sum(amounts):
            return [*amounts, -sum(amounts)]


def seat_nets(amounts: list[int]) -> dict[str, int]:
    return {f"p{seat}": amount for seat, amount in enumerate(amounts)}


def balanced_nets(amounts: list[int]) -> dict[str, int]:
    """Return these people's nets, and the net of one more person that makes the sum zero."""
    return seat_nets([*amounts, -sum(amounts)])


def nets_after(net: dict[str, int], paid: tuple[Transfer, ...]) -> dict[str, int]:
    balances = dict(net)
    for transfer in paid:
        balances[transfer.payer] += transfer.amount
        balances[transfer.payee] -= transfer.amount
    return balances


def payments_by_rules(net: dict[str, int]) -> list[Transfer]:
    """Return the payments of RULES 1.3: in each group the largest debtor pays the largest creditor.

    Ties go to the first by seat.
    """
    owing = [player for player in net if net[player]]
    paid = []
    for group in best_division([net[player] for player in owing]):
        balances = {owing[place]: net[owing[place]] for place in group}
        while any(balances.values()):
            payer, payee = min(balances, key=balances.__getitem__), max(balances, key=balances.__getitem__)
            paid.append(Transfer(payer, payee, min(-balances[payer], balances[payee])))
            balances = nets_after(balances, (paid[-1],))
    return paid


@st.composite
def clearing_nets(draw: st.DrawFn, most: int = 7) -> dict[str, int]:
    """Draw nets of at most this many people that add up to zero; many are 0 or equal."""
    amounts = draw(st.lists(st.integers(-4, 4), min_size=1, max_size=most - 1))
    amounts.insert(draw(st.integers(0, len(amounts))), -sum(amounts))
    return seat_nets(amounts)


# --- the fewest payments ----------------------------------------------------------------------------------------------


@examples(250)
@given(clearing_nets())
def test_the_payments_are_those_of_the_rules(net):
    assert payments_by_rules(net) == list(transfers(net))


@pytest.mark.slow
@pytest.mark.parametrize("people", [9, 10])
def test_the_division_of_more_people_is_the_one_of_the_rules(people):
    chance = random.Random(people)
    for highest in (1, 3, 12):
        for _case in range(20):
            amounts = random_amounts(chance, people, highest)
            assert best_division(amounts) == partition_amounts(amounts).groups


@given(clearing_nets(most=30) | st.lists(st.integers(-30, 30), min_size=1, max_size=40).map(balanced_nets))
def test_the_payments_clear_every_net_for_any_number_of_people(net):
    result = settlement(net)
    assert all(paid.amount > 0 for paid in result.transfers)
    assert not any(nets_after(net, result.transfers).values())
    assert result.least <= len(result.transfers) <= max(sum(map(bool, net.values())) - 1, 0)
    assert result.transfers == transfers(net)


def test_opposite_amounts_of_more_than_twelve_people_are_paired_first():
    others = [*[5] * 5, *[-3] * 8, -1]
    result = settlement(seat_nets([7, -7, 9, -9, *others]))
    assert (Transfer("p1", "p0", 7), Transfer("p3", "p2", 9)) == result.transfers[:2]
    assert 2 + len(others) - _most_groups(others) == len(result.transfers) == result.least


@pytest.mark.parametrize("people", [13, 14])
def test_up_to_fourteen_people_are_divided_into_the_most_groups(people):
    chance = random.Random(people)
    for _case in range(5):
        amounts = random_amounts(chance, people, 6)
        assert _most_groups(amounts) == len(partition_amounts(amounts).groups)


def _most_groups(amounts: list[int]) -> int:
    """Return the largest number of groups that add up to zero, found by trying every subset."""
    most, sums = [0] * (1 << len(amounts)), [0] * (1 << len(amounts))
    for subset in range(1, 1 << len(amounts)):
        members = [place for place in range(len(amounts)) if subset >> place & 1]
        sums[subset] = sum(amounts[place] for place in members)
        most[subset] = max(most[subset ^ 1 << place] for place in members) + (sums[subset] == 0)
    return most[-1]


@pytest.mark.parametrize("sign", [1, -1], ids=["one debtor", "one creditor"])
def test_one_debtor_or_one_creditor_of_any_number_of_people_is_known_to_have_the_fewest(sign):
    powers = [3**exponent for exponent in range(60)]
    with count_steps(0):
        result = settlement(seat_nets([sign * amount for amount in (*powers, -sum(powers))]))
    assert (60, True) == (len(result.transfers), result.is_exact)


def test_a_settlement_that_may_not_be_minimal_says_so():
    powers = [3**exponent for exponent in range(1, 19)]
    result = settlement(seat_nets([*powers, -2, 2 - sum(powers)]))
    assert (19, False) == (len(result.transfers), result.is_exact)
    assert "At least 14 payments are needed; this is too few." == str(result.text)
    assert "This is already the fewest payments possible." == str(settlement({"ana": 5, "beto": -5}).text)
