"""The law of reasons: the causes that explain a balance (RULES 1.3), on made-up books."""

from __future__ import annotations

import random
from collections import Counter
from datetime import date, timedelta

import pytest

from games.money.services import balance_causes
from games.money.services.balance_causes import BalanceCause, BalancePart, EntryEffect, LineKind

THURSDAY = date(2026, 3, 5)


def effect(number, cause, night, amount):
    return EntryEffect(number, cause, night, amount, BalancePart.GAME)


def build_effects(*lines):
    """Return effects from (cause, amount) or (cause, amount, weeks after the first Thursday), in this order."""
    return [
        effect(number, ("game", cause), THURSDAY + timedelta(weeks=weeks[0] if weeks else 0), amount)
        for number, (cause, amount, *weeks) in enumerate(lines, start=1)
    ]


def reason_amounts(effects):
    return [(reason.cause[1], reason.amount) for reason in balance_causes.compute(effects)]


def test_a_cause_is_told_with_its_whole_effect():
    assert [(1, -210), (2, -250)] == reason_amounts(build_effects((1, -210), (2, -250)))


def test_whoever_is_even_has_no_reasons():
    assert [] == reason_amounts(build_effects((1, -210), (2, 210)))


def test_only_what_came_after_being_even_is_told():
    assert [(3, -50)] == reason_amounts(build_effects((1, -600), (2, 600), (3, -50)))


def test_what_was_taken_back_leaves_no_trace():
    assert [(1, -210)] == reason_amounts(build_effects((1, -210), (2, 210), (2, -210)))


def test_what_was_undone_and_done_again_stands_where_it_stood():
    undone = build_effects((1, -500), (2, -100), (3, 600), (4, -50, 1), (1, 500))
    again = [*undone, effect(6, ("game", 1), THURSDAY, -500)]

    assert [(2, -100), (3, 600), (4, -50)] == reason_amounts(undone)
    assert [(4, -50)] == reason_amounts(again)


def test_a_game_corrected_after_being_even_is_told_by_what_changed_since():
    corrected = build_effects((1, -210), (2, 210), (3, -100, 1), (1, -90))

    assert (
        BalanceCause(("game", 1), 4, THURSDAY, -90, is_rest=True),
        BalanceCause(("game", 3), 3, THURSDAY + timedelta(weeks=1), -100),
    ) == balance_causes.compute(corrected)
    assert [(3, -100)] == reason_amounts([*corrected, effect(5, ("game", 1), THURSDAY, 90)])


def test_a_game_corrected_before_being_even_is_told_whole():
    assert [(1, 510), (2, -210)] == reason_amounts(build_effects((1, 420), (2, -210), (1, 90)))


NINE_WEEKS = [
    [-100],
    [-200, 50],
    [-70],
    [120],
    [-300],
    [-40, -250],
    [-110],
    [-60, -90],
]


def test_more_than_six_lines_are_folded_by_nights_and_the_oldest_nights_into_one():
    entries = [(amount, week) for week, amounts in enumerate(NINE_WEEKS) for amount in amounts]
    lines = balance_causes.fold(
        balance_causes.compute(build_effects(*((cause, *entry) for cause, entry in enumerate(entries))))
    )

    assert [
        (LineKind.UNTIL, 5, -200),
        (LineKind.CAUSE, 1, -300),
        (LineKind.NIGHT, 2, -290),
        (LineKind.CAUSE, 1, -110),
        (LineKind.CAUSE, 1, -60),
        (LineKind.CAUSE, 1, -90),
    ] == [(line.kind, len(line.causes), line.amount) for line in lines]
    assert THURSDAY + timedelta(weeks=3) == lines[0].night


def test_a_long_newest_night_keeps_its_largest_amounts_in_order():
    night = [
        (cause, amount, 1) for cause, amount in enumerate((-100, 50, -300, 250, 20, -10, 40, -5), start=2)
    ]
    alone = balance_causes.fold(balance_causes.compute(build_effects(*night)))
    after_one = balance_causes.fold(balance_causes.compute(build_effects((1, -7), *night)))

    assert [-100, 50, -300, 250, 40, 5] == [line.amount for line in alone]
    assert (LineKind.OTHERS, 3) == (alone[-1].kind, len(alone[-1].causes))
    assert [-7, -100, 50, -300, 250, 45] == [line.amount for line in after_one]


def test_only_as_many_nights_are_folded_as_are_needed():
    lines = balance_causes.fold(
        balance_causes.compute(
            build_effects((1, 1), (2, 2), (3, 3, 1), (4, 4, 1), (5, 5, 2), (6, 6, 2), (7, 7, 2))
        )
    )

    assert [2, 1, 1, 1, 1, 1] == [len(line.causes) for line in lines]


@pytest.mark.parametrize("seeds", [range(100), pytest.param(range(100, 2000), marks=pytest.mark.long)])
def test_in_random_books_reasons_add_up_and_each_is_its_causes_effect_or_what_changed(seeds):
    for seed in seeds:
        check_random_books(random.Random(seed))


def check_random_books(chance):
    effects: list[EntryEffect] = []
    cause_totals: Counter[tuple[str, int]] = Counter()
    for number in range(1, chance.randint(2, 25)):
        cause = ("game", chance.randint(1, 5))
        amount = chance.choice((-cause_totals[cause], chance.randint(-3, 3) - cause_totals[cause]))
        cause_totals[cause] += amount
        effects.append(effect(number, cause, THURSDAY + timedelta(weeks=cause[1]), amount))
        reasons = balance_causes.compute(effects)

        assert sum(cause_totals.values()) == sum(reason.amount for reason in reasons)
        assert sorted({reason.cause for reason in reasons}) == sorted(reason.cause for reason in reasons)
        assert all(reason.amount == cause_totals[reason.cause] or reason.is_rest for reason in reasons)
        assert sum(cause_totals.values()) == sum(line.amount for line in balance_causes.fold(reasons))
        assert len(balance_causes.fold(reasons)) <= 6
