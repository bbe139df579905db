"""A settlement plan that changes little (RULES 1.3), compared with two exhaustive searches."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import combinations, product
from operator import itemgetter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.scoring.ledger import Transfer, transfers
from games.scoring.plan import unpaid
from games.scoring.replan import EXACT_UP_TO, TRIED, nearest_plan
from games.scoring.zero_sums import Steps
from tests.examples import examples
from tests.scoring.test_settlement import after, every_division, with_the_rest

Nets = dict[str, int]
Lines = tuple[Transfer, ...]
UNITS = (1, 10, 50)


def seat_order(lines: Sequence[Transfer], nets: Nets) -> list[Transfer]:
    seats = list(nets)
    return sorted(lines, key=lambda line: (seats.index(line.payer), seats.index(line.payee)))


def has_circle(lines: Sequence[Transfer]) -> bool:
    """Return whether the lines form a circle, by walking from line to line."""

    def leads_back(person: str, walked: tuple[int, ...]) -> bool:
        for number, line in enumerate(lines):
            if number not in walked and person in (line.payer, line.payee):
                other = line.payee if person == line.payer else line.payer
                visited = {end for one in walked for end in (lines[one].payer, lines[one].payee)}
                if other in visited or leads_back(other, (*walked, number)):
                    return True
        return False

    return any(leads_back(line.payer, ()) for line in lines)


def is_a_plan(lines: Sequence[Transfer], nets: Nets) -> bool:
    """Return whether the lines clear all balances, with debtors as payers and creditors as payees."""
    return not any(after(nets, tuple(lines)).values()) and all(
        line.amount > 0 and nets[line.payer] < 0 < nets[line.payee] for line in lines
    )


def plans_by_trees(nets: Nets) -> Iterator[Lines]:
    """Yield every way to clear these nets without a circle.

    It is a tree that connects all people, in which each line has the one amount that clears both its sides;
    lines of 0 are no payments. A tree is written as its Prüfer sequence.
    """
    people = list(nets)
    for sequence in product(range(len(people)), repeat=len(people) - 2):
        lines, left, code = [], list(nets.values()), list(sequence)
        alive = set(range(len(people)))
        while len(alive) > 2:
            leaf = min(person for person in alive if person not in code)
            alive.remove(leaf)
            lines.append((leaf, code[0], left[leaf]))
            left[code.pop(0)] += left[leaf]
        one, other = alive
        lines.append((one, other, left[one]))
        yield tuple(
            Transfer(people[leaf], people[to], -amount)
            if amount < 0
            else Transfer(people[to], people[leaf], amount)
            for leaf, to, amount in lines
            if amount
        )


def best_by_trees(old: Lines, nets: Nets) -> tuple[int, int]:
    """Return the most old lines that a plan can keep, and the fewest payments of such a plan."""
    ways = list(plans_by_trees(nets))
    most = 1 + min(map(len, ways))
    kept = [(len({*old} & {*way}), -len(way)) for way in ways if len(way) <= most and is_a_plan(way, nets)]
    lines, payments = max(kept)
    return lines, -payments


def best_by_the_rules(old: Lines, nets: Nets) -> Lines:
    """Return the plan that the rules name, from every set of old lines and every division of the rest."""
    fewest = transfers(nets)
    plans = []
    for size in range(1, len(old) + 1):
        for kept in combinations(seat_order(old, nets), size):
            left = after(nets, kept)
            owing = [person for person in left if left[person]]
            divisions = every_division([left[person] for person in owing], tuple(range(len(owing))))
            for groups in sorted(divisions, key=lambda division: (-len(division), division)):
                rest = [
                    line
                    for group in groups
                    for line in transfers({owing[place]: left[owing[place]] for place in group})
                ]
                plan = (*kept, *rest)
                if len(plan) <= len(fewest) + 1 and is_a_plan(plan, nets) and not has_circle(plan):
                    plans.append((-size, len(plan), plan))
                    break
    return min(plans, key=itemgetter(0, 1))[2] if plans else fewest


def nets_by_chance(chance: random.Random, people: int, unit: int) -> Nets:
    """Return the nets of random games of some of these people; nobody's is zero."""
    while True:
        nets = dict.fromkeys((f"p{seat}" for seat in range(people)), 0)
        for _game in range(3):
            winner, *others = chance.sample(list(nets), min(people, 4))
            for other in others:
                lost = unit * chance.randint(1, 4)
                nets[winner] += lost
                nets[other] -= lost
        if all(nets.values()):
            return nets


def changed_by_chance(chance: random.Random, nets: Nets, unit: int) -> Nets:
    """Return the nets after a correction: one winner more, two winners changed, or another game."""
    changed = dict(nets)
    for _pair in range(chance.choice([1, 1, 2, 3])):
        one, other = chance.sample(list(nets), 2)
        amount = unit * chance.randint(1, 4)
        changed[one] += amount
        changed[other] -= amount
    return changed


def cases(people: int, count: int) -> Iterator[tuple[Lines, Nets]]:
    chance = random.Random(people)
    for number in range(count):
        unit = UNITS[number % len(UNITS)]
        nets = nets_by_chance(chance, people, unit)
        yield transfers(nets), changed_by_chance(chance, nets, unit)


def check_by_trees(people: int, count: int) -> None:
    for old, nets in cases(people, count):
        plan = nearest_plan(old, nets)
        assert is_a_plan(plan, nets)
        assert not has_circle(plan)
        assert best_by_trees(old, nets) == (len({*old} & {*plan}), len(plan)), (old, nets)


def check_by_the_rules(people: int, count: int) -> None:
    for old, nets in cases(people, count):
        assert best_by_the_rules(old, nets) == nearest_plan(old, nets), (old, nets)


@pytest.mark.parametrize(("people", "count"), [(3, 60), (4, 60), (5, 40), (6, 6)])
def test_no_plan_without_a_circle_keeps_more_lines_or_is_shorter(people, count):
    check_by_trees(people, count)


@pytest.mark.parametrize(("people", "count"), [(3, 60), (4, 60), (5, 60), (6, 40), (7, 10), (8, 3)])
def test_the_plan_is_the_one_of_the_rules(people, count):
    check_by_the_rules(people, count)


@pytest.mark.slow
@pytest.mark.parametrize(("people", "count"), [(6, 60), (7, 8)])
def test_no_plan_of_more_people_keeps_more_lines_or_is_shorter(people, count):
    check_by_trees(people, count)


@pytest.mark.slow
@pytest.mark.parametrize(("people", "count"), [(6, 300), (7, 150), (8, 60)])
def test_the_plan_of_more_people_is_the_one_of_the_rules(people, count):
    check_by_the_rules(people, count)


@pytest.mark.long
@pytest.mark.parametrize(("people", "count"), [(7, 100), (8, 8)])
def test_no_plan_keeps_more_lines_or_is_shorter_in_many_cases(people, count):
    check_by_trees(people, count)


@pytest.mark.long
@pytest.mark.parametrize(("people", "count"), [(6, 3000), (7, 1000), (8, 300)])
def test_the_plan_is_the_one_of_the_rules_in_many_cases(people, count):
    check_by_the_rules(people, count)


pairs = st.tuples(st.integers(0, 4), st.integers(0, 4), st.integers(1, 9)).filter(
    lambda pair: pair[0] != pair[1]
)


@examples(200)
@given(st.lists(pairs, max_size=5), st.lists(st.integers(-9, 9), min_size=4, max_size=4).map(with_the_rest))
def test_any_previous_lines_are_accepted_as_the_old_plan(written, nets):
    amounts = {(f"p{payer}", f"p{payee}"): amount for payer, payee, amount in written}
    old = tuple(Transfer(*ends, amount) for ends, amount in amounts.items())
    assert best_by_the_rules(old, nets) == nearest_plan(old, nets)


@given(st.integers(9, 24), st.integers(0, 10**6))
def test_a_plan_of_many_people_has_no_circle_and_at_most_one_payment_more_than_needed(people, seed):
    chance = random.Random(seed)
    nets = nets_by_chance(chance, people, 10) if people < 12 else with_the_rest(
        [10 * chance.choice([-4, -3, -2, -1, 1, 2, 3, 4]) for _person in range(people - 1)]
    )  # fmt: skip
    old, changed = transfers(nets), changed_by_chance(chance, nets, 10)
    plan = nearest_plan(old, changed)

    assert is_a_plan(plan, changed)
    assert len(plan) <= len(transfers(changed)) + 1
    assert plan == unpaid(plan, changed), "a circle would have no unpaid rest"
    assert plan == nearest_plan(old[::-1], changed)


def test_the_search_among_many_people_has_a_step_limit(monkeypatch):
    taken = []
    take = Steps.take

    def counting(steps: Steps, count: int) -> None:
        taken.append(count)
        take(steps, count)

    powers = [3**exponent for exponent in range(16)]
    nets = with_the_rest(powers)
    changed = {person: amount + 5 - 10 * (seat % 2) for seat, (person, amount) in enumerate(nets.items())}
    changed["p0"] -= sum(changed.values())
    monkeypatch.setattr(Steps, "take", counting)
    plan = nearest_plan(transfers(nets), changed)

    assert is_a_plan(plan, changed)
    assert sum(taken) <= TRIED + 2**17, "at most one count more than there are steps"


# --- by example -------------------------------------------------------------------------------------------------------


def flat(lines: Sequence[Transfer]) -> list[tuple[str, str, int]]:
    return [(line.payer, line.payee, line.amount) for line in lines]


def test_a_change_between_two_people_leaves_the_other_lines_unchanged():
    nets = {"ana": 100, "beto": -100, "caro": 200, "dani": -200}
    changed = {**nets, "beto": -150, "ana": 150}
    other = {**nets, "caro": 250, "beto": -150}

    assert [("dani", "caro", 200), ("beto", "ana", 150)] == flat(nearest_plan(transfers(nets), changed))
    assert [("beto", "ana", 100), ("dani", "caro", 200), ("beto", "caro", 50)] == flat(
        nearest_plan(transfers(nets), other)
    )


def test_a_plan_with_one_payment_more_keeps_two_old_lines():
    old = (Transfer("beto", "ana", 100), Transfer("dani", "caro", 50))
    changed = {"ana": 100, "beto": -150, "caro": 150, "dani": -100}

    assert [("beto", "caro", 150), ("dani", "ana", 100)] == sorted(flat(transfers(changed)))
    assert [("beto", "ana", 100), ("beto", "caro", 50), ("dani", "caro", 100)] == sorted(
        flat(nearest_plan(old, changed))
    )


def test_a_line_that_only_a_circle_could_keep_is_dropped():
    old = (Transfer("beto", "ana", 100),)
    changed = {"ana": 150, "beto": -150}

    assert [("beto", "ana", 150)] == flat(nearest_plan(old, changed))


def test_a_line_of_a_person_who_no_longer_owes_or_is_owed_is_dropped():
    old = (Transfer("beto", "ana", 50), Transfer("dani", "caro", 60))

    assert [("eva", "ana", 50)] == flat(nearest_plan(old[:1], {"ana": 50, "beto": 0, "eva": -50}))
    assert [("dani", "caro", 40), ("dani", "eva", 20)] == flat(
        nearest_plan(old[1:], {"caro": 40, "dani": -60, "eva": 20})
    )


def test_a_plan_of_more_than_eight_people_keeps_the_unchanged_parts():
    nets = {f"{side}{pair}": sign * 3**pair for pair in range(6) for side, sign in (("p", -1), ("q", 1))}
    changed = {**nets, "q0": 11, "p1": -13}
    plan = nearest_plan(transfers(nets), changed)

    assert EXACT_UP_TO < len(nets)
    assert set(transfers(nets)) - {Transfer("p0", "q0", 1)} < {*plan} | {Transfer("p1", "q1", 3)}
    assert len(plan) <= len(transfers(changed)) + 1
