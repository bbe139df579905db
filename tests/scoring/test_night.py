"""Settling a night: hand-made nights, and laws over generated ones (RULES 1.3)."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from games.scoring.ledger import Transfer, least_payments, transfers
from games.scoring.night import (
    NightPayments,
    OtherPayment,
    left_of,
    lines_tonight,
    lines_with_before,
    open_amounts,
)

PEOPLE = ("ana", "beto", "caro", "dani", "eva", "fede")
NOBODY = dict.fromkeys(PEOPLE, 0)
TWO_GAMES = {"ana": 300, "beto": -200, "caro": -100}


def pay(payer, payee, amount):
    return Transfer(payer, payee, amount)


def paid(nets, whole=(), others=(), *, before=NOBODY, capped=(), is_older=True):
    """Return these payments; the other ones were made at the end of the night."""
    late = [OtherPayment(line, nets, may_be_older=is_older) for line in others]
    return NightPayments(whole, late, before, frozenset(capped))


def balances_after(nets, payments, before=NOBODY):
    balances = Counter(before)
    balances.update(nets)
    for line in payments.lines:
        balances[line.payer] += line.amount
        balances[line.payee] -= line.amount
    return balances


def tonight(nets, *, whole=(), others=(), before=NOBODY):
    payments = paid(nets, whole, others, before=before)
    return lines_tonight(nets, payments, balances_after(nets, payments, before))


def test_a_night_is_settled_in_the_fewest_payments():
    assert (pay("beto", "ana", 200), pay("caro", "ana", 100)) == tonight(TWO_GAMES)


def test_a_paid_line_leaves_the_other_lines_unchanged():
    assert (pay("caro", "ana", 100),) == tonight(TWO_GAMES, whole=[pay("beto", "ana", 200)])


def test_a_payment_that_a_correction_made_too_large_is_paid_back():
    corrected = {"ana": 150, "beto": -50, "caro": -100}
    lines = tonight(corrected, whole=[pay("beto", "ana", 200)])

    assert {pay("caro", "beto", 100), pay("ana", "beto", 50)} == set(lines)


def test_a_payment_pays_older_debts_first():
    older = {**NOBODY, "beto": -50, "ana": 50}

    assert (pay("beto", "ana", 50), pay("caro", "ana", 100)) == tonight(
        TWO_GAMES, others=[pay("beto", "ana", 200)], before=older
    )
    assert (pay("caro", "ana", 100),) == tonight(TWO_GAMES, others=[pay("beto", "ana", 200)])


def test_a_payer_of_too_much_gets_back_no_more_than_their_balance():
    """Beto pays Ana 5,000, so Ana is owed nothing any more, and Caro's 100 go to Beto by the plan of the
    accounts.
    """
    assert () == tonight(TWO_GAMES, others=[pay("beto", "ana", 5000)])


def test_a_payment_by_the_plan_of_the_accounts_is_not_asked_for_again():
    """Beto owes Caro 300 from before. Tonight Ana and Caro lose 100 each to Beto; by the plan, Ana pays
    Caro.
    """
    before, nets = {**NOBODY, "beto": -300, "caro": 300}, {"ana": -100, "beto": 200, "caro": -100}

    assert () == tonight(nets, others=[pay("ana", "caro", 100)], before=before)


def test_a_payment_between_two_games_that_cancel_out_is_paid_back():
    first, both = {"ana": 100, "beto": -100}, {"ana": 0, "beto": 0}
    payments = NightPayments((), [OtherPayment(pay("beto", "ana", 100), first)], NOBODY)

    assert (pay("ana", "beto", 100),) == lines_tonight(both, payments, {"ana": -100, "beto": 100})


def test_a_debt_that_an_absent_member_paid_is_not_asked_for():
    nets = {"ana": -100, "beto": 100}

    assert () == lines_tonight(nets, paid(nets, capped=["beto"]), {**NOBODY, "ana": 0, "beto": 0})


def test_older_debts_between_players_are_added_and_those_with_absent_members_listed_apart():
    """Beto owes Ana 50 and Dani 70 from before; 200 is lost tonight, and Dani did not come."""
    before = {"ana": 50, "beto": -120, "caro": 0, "dani": 70}
    balances = {"ana": 350, "beto": -320, "caro": -100, "dani": 70}
    plan = [pay("beto", "ana", 50), pay("beto", "dani", 70)]
    assert before == {who: balances[who] - TWO_GAMES.get(who, 0) for who in balances}

    lines, absent = lines_with_before(TWO_GAMES, NightPayments(), balances, plan)
    assert (pay("beto", "ana", 250), pay("caro", "ana", 100)) == lines
    assert (pay("beto", "dani", 70),) == absent


def test_the_open_amounts_of_a_game_are_limited_by_the_open_lines_of_the_night():
    lines = [pay("beto", "ana", 200), pay("beto", "caro", 100), pay("dani", "ana", 30)]

    assert [200, 50, 0] == open_amounts(lines, {"beto": 250, "dani": 80}, {"ana": 200, "caro": 100})


def test_an_amount_limited_by_one_balance_goes_to_another_creditor_at_once():
    """Dani is owed only 1, so of Fede's 2 the other 1 goes to Ana at once, not only after a payment."""
    nets = {"ana": -1, "beto": 0, "caro": 0, "dani": 3, "eva": 0, "fede": -2}
    others = [pay("ana", "beto", 2), pay("ana", "dani", 2), pay("beto", "caro", 4)]

    lines = tonight(nets, whole=[pay("ana", "beto", 3)], others=others)
    assert {("fede", "dani"): 1, ("beto", "ana"): 1, ("fede", "ana"): 1} == {
        (line.payer, line.payee): line.amount for line in lines
    }


@st.composite
def nights(draw):
    """Return nets that add up to zero, and payments between the people, oldest first.

    Half of the nights have small amounts, of which some are equal by chance.
    """
    people = PEOPLE[: draw(st.integers(2, len(PEOPLE)))]
    most = draw(st.sampled_from((5, 500)))
    wins = [draw(st.integers(-most, most)) for _person in people[1:]]
    nets = dict(zip(people, (-sum(wins), *wins), strict=True))
    two = st.permutations(people).map(lambda order: order[:2])
    payments = st.lists(
        st.builds(lambda ends, amount: pay(ends[0], ends[1], amount), two, st.integers(1, most)), max_size=4
    )
    return nets, draw(payments), draw(payments)


@given(nights())
def test_paying_all_lines_settles_the_night_with_few_lines(night):
    nets, whole, others = night
    lines = tonight(nets, whole=whole, others=others)
    rest = left_of(nets, paid(nets, whole, others))

    assert 0 == sum(rest.nets.values())
    assert len(lines) <= least_payments(rest.nets) + 1 or len(lines) <= len(transfers(nets))
    after = Counter(rest.nets)
    for line in lines:
        after[line.payer] += line.amount
        after[line.payee] -= line.amount
    assert not any(amount for person, amount in after.items() if not rest.capped)
    assert () == tonight(nets, whole=[*whole, *lines], others=others)


@given(nights())
def test_a_late_payment_neither_increases_nor_reverses_a_debt(night):
    nets, _whole, others = night
    for person, left in left_of(nets, paid(nets, (), others)).nets.items():
        assert abs(left) <= abs(nets[person])
        assert left * nets[person] >= 0


@given(nights(), st.lists(st.integers(-300, 300), min_size=6, max_size=6))
def test_a_player_with_other_payments_is_not_asked_for_more_than_their_balance(night, older):
    nets, whole, others = night
    before = dict(zip((*PEOPLE, "gabi"), (*older, -sum(older)), strict=True))
    payments = paid(nets, whole, others, before=before)
    balances = balances_after(nets, payments, before)
    capped = left_of(nets, payments).capped
    demands: Counter[str] = Counter()
    for line in lines_tonight(nets, payments, balances):
        demands[line.payer] -= line.amount
        demands[line.payee] += line.amount

    for person in capped:
        assert min(balances[person], 0) <= demands[person] <= max(balances[person], 0)


@given(nights(), st.lists(st.integers(-300, 300), min_size=6, max_size=6))
def test_paying_all_lines_with_older_debts_leaves_only_debts_with_absent_members(night, older):
    nets, whole, others = night
    before = Counter(dict(zip((*PEOPLE, "gabi"), (*older, -sum(older)), strict=True)))
    balances = {person: before[person] + nets.get(person, 0) for person in before}
    for line in (*whole, *others):
        balances[line.payer] += line.amount
        balances[line.payee] -= line.amount
    lines, absent = lines_with_before(nets, paid(nets, whole, others), balances, ())
    for line in (*lines, *absent):
        balances[line.payer] += line.amount
        balances[line.payee] -= line.amount

    assert not any(balances[person] for person in nets)
    assert all((line.payer in nets) != (line.payee in nets) for line in absent)
