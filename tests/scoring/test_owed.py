"""The debts of a game after random payments and corrections, and two faulty versions that the laws detect."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from games.scoring.ledger import Transfer, transfers
from games.scoring.owed import Nets, Owed, owed_after
from tests.examples import examples

Owing = Callable[[Sequence[Nets | Transfer]], Owed]

PEOPLE = ("ana", "beto", "caro", "dani", "eva")
TICK, CORRECT, PAY, TAKE_BACK = "tick", "correct", "pay", "take back"
amounts = st.integers(-5, 5) | st.integers(-500, 500)  # some of the small ones are equal by chance
moves = st.lists(
    st.tuples(st.sampled_from([TICK, TICK, CORRECT, PAY, TAKE_BACK]), st.integers(0, 10**6)), max_size=12
)


@st.composite
def results(draw: st.DrawFn) -> dict[str, int]:
    """Draw the nets of a game of two to five players; they add up to zero."""
    people = PEOPLE[: draw(st.integers(2, len(PEOPLE)))]
    net = {player: draw(amounts) for player in people[1:]}
    return {people[0]: -sum(net.values()), **net}


def flat(lines: Iterable[Transfer]) -> list[tuple[str, str, int]]:
    return [(line.payer, line.payee, line.amount) for line in lines]


def left_of(steps: Sequence[Nets | Transfer]) -> Counter[str]:
    """Return the remaining net of everybody: the last result, less the payments received, plus those made."""
    nets = [step for step in steps if not isinstance(step, Transfer)][-1]
    left = Counter(nets)
    for step in steps:
        if isinstance(step, Transfer):
            left[step.payer] += step.amount
            left[step.payee] -= step.amount
    return left


def check(steps: Sequence[Nets | Transfer], owing: Owing) -> tuple[Transfer, ...]:
    """Assert that the open lines clear all debts exactly; return the lines."""
    lines = owing(steps).lines
    left = left_of(steps)
    for line in lines:
        assert line.amount > 0
        left[line.payer] += line.amount
        left[line.payee] -= line.amount
    assert not any(left.values())
    assert len({(line.payer, line.payee) for line in lines}) == len(lines)
    return lines


def law(nets: dict[str, int], played: list[tuple[str, int]], owing: Owing) -> None:
    """Assert after every step that the open lines clear everybody; a payment must change no other line."""
    steps: list[Nets | Transfer] = [nets]
    lines = check(steps, owing)
    for move, chance in played:
        ticked: Transfer | None = None
        match move:
            case "tick":
                if not lines:
                    continue
                ticked = lines[chance % len(lines)]
                steps.append(ticked)
            case "correct":  # another winner: nets change places, or grow
                order = list(nets)
                turn = 1 + chance % len(order)
                nets = dict(
                    zip(order, [nets[player] * (1 + chance % 3) for player in order[turn:] + order[:turn]],
                        strict=True)
                )  # fmt: skip
                steps.append(nets)
            case "pay":  # a payment that was queued on a phone, whatever is open now
                order = list(nets)
                one, other = order[chance % len(order)], order[(chance + 1) % len(order)]
                steps.append(Transfer(one, other, 1 + chance % 300))
            case "take back":
                paid = [number for number, step in enumerate(steps) if isinstance(step, Transfer)]
                if not paid:
                    continue
                del steps[paid[chance % len(paid)]]
        now_open = check(steps, owing)
        if ticked is not None:
            assert flat(line for line in lines if line != ticked) == flat(now_open)
        lines = now_open


@examples(400)
@given(results(), moves)
def test_the_open_lines_clear_all_debts_and_a_payment_leaves_the_other_lines_unchanged(nets, played):
    law(nets, played, owed_after)


@examples(200)
@given(results(), moves)
def test_a_reverted_correction_restores_the_earlier_lines(nets, played):
    steps: list[Nets | Transfer] = [nets]
    for move, chance in played:
        lines = owed_after(steps).lines
        if move == TICK and lines:
            steps.append(lines[chance % len(lines)])
    other = {player: -amount for player, amount in nets.items()}
    owed = owed_after([*steps, other, nets])

    assert flat(owed_after(steps).lines) == flat(owed.lines)
    assert flat(owed.before) == flat(owed.after)


def paid_where_anything_was_paid(steps: Sequence[Nets | Transfer]) -> Owed:
    """Return the debts of a faulty version: a line counts as paid after any payment between its two people."""
    nets = [step for step in steps if not isinstance(step, Transfer)][-1]
    paid = {(step.payer, step.payee) for step in steps if isinstance(step, Transfer)}
    return Owed(tuple(line for line in transfers(nets) if (line.payer, line.payee) not in paid))


def new_lines_every_time(steps: Sequence[Nets | Transfer]) -> Owed:
    """Return the debts of a faulty version: the sums are right, but every payment changes the other lines."""
    return Owed(transfers(left_of(steps)))


@pytest.mark.parametrize("fault", [paid_where_anything_was_paid, new_lines_every_time])
def test_the_law_detects_a_deliberate_fault(fault):
    @settings(
        max_examples=2000,
        deadline=None,
        derandomize=True,
        database=None,
        phases=(Phase.generate,),
        suppress_health_check=list(HealthCheck),
    )
    @given(results(), moves)
    def tried(nets, played):
        law(nets, played, fault)

    with pytest.raises(AssertionError):
        tried()


# --- by example -------------------------------------------------------------------------------------------------------

ANA_WON = {"ana": 300, "beto": -100, "caro": -100, "dani": -100}
BETO_WON = {"ana": -100, "beto": 300, "caro": -100, "dani": -100}


def test_a_correction_of_the_winner_after_two_payments_leaves_two_open_lines():
    paid = [Transfer("beto", "ana", 100), Transfer("caro", "ana", 100)]
    owed = owed_after([ANA_WON, *paid, BETO_WON])

    assert [("ana", "beto", 300), ("dani", "beto", 100)] == flat(owed.lines)
    assert [("dani", "ana", 100)] == flat(owed.before)


def test_corrections_without_a_payment_between_them_count_as_one():
    lower = {"ana": 30, "beto": -10, "caro": -10, "dani": -10}
    owed = owed_after([ANA_WON, lower, BETO_WON])

    assert flat(transfers(ANA_WON)) == flat(owed.before)
    assert flat(transfers(BETO_WON)) == flat(owed.lines)


def test_a_result_after_a_payment_includes_the_payment():
    owed = owed_after([Transfer("beto", "ana", 40), ANA_WON])

    assert ("beto", "ana", 60) in flat(owed.lines)
