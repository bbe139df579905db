"""Laws over random books: the setting, taking back, the lines of a balance, and why a debt has its payee."""

from __future__ import annotations

import json
import random
from collections import Counter
from dataclasses import astuple
from itertools import pairwise

import pytest

from games.money.services import balance_causes, entry_rows, payee_reasons
from games.money.services.accounting import OwedDebt
from games.money.services.entry_history import EntryHistory
from games.money.services.payee_reasons import ReasonForm
from games.scoring.debts import balances
from games.scoring.ledger import transfers
from tests.money.random_books import VOIDED_AT, Books
from tests.money.reason_oracle import ReasonOracle

SOME, ALL = range(30), range(30, 4000)
each_book = pytest.mark.parametrize(
    "seeds",
    [SOME, pytest.param(ALL, marks=pytest.mark.long)],
    ids=["some", "all"],
)
STEPS = 18


def books_of(seed, monkeypatch, *, is_fewest):
    return Books(random.Random(seed), monkeypatch, is_fewest=is_fewest)


@each_book
def test_the_setting_changes_no_balance_and_leaves_the_fewest_payments(seeds, monkeypatch):
    for seed in seeds:
        off, on = (books_of(seed, monkeypatch, is_fewest=is_on) for is_on in (False, True))
        for books in (off, on):
            for _step in range(STEPS):
                act = books.step()
                assert_adds_up(books)
                if act.entries and books is on and act.after != act.before:
                    assert_fewest(books, act)


def assert_adds_up(books):
    expected = {slug: amount for slug, amount in books.balances.items() if amount}
    assert expected == {slug: amount for slug, amount in balances(books.ledger.debts).items() if amount}


def assert_fewest(books, act):
    """Check that nobody but visitors pays more than needed, unless the act took the newest one back."""
    latest = max(entry.night for entry in books.ledger.stored).toordinal()
    first = books.ledger.first_nights
    regulars = [slug for slug in books.slugs if first.get(slug, latest) < latest] or books.slugs
    inside = [debt for debt in books.ledger.debts if {debt.payer, debt.payee} <= {*regulars}]
    fewest = transfers({slug: balances(inside).get(slug, 0) for slug in regulars})
    assert len(inside) == len(fewest) or books.ledger._is_restored, [entry.kind for entry in act.entries]


@each_book
def test_an_act_taken_back_at_once_leaves_exactly_the_debts_before_it(seeds, monkeypatch):
    for seed in seeds:
        books = books_of(seed, monkeypatch, is_fewest=True)
        for _step in range(STEPS // 2):
            books.step()
        before = books.ledger.debts
        books.chance.choice((books.play, books.share, books.pay))()
        entries = books.ledger.close()
        if not entries:
            continue
        if entries[-1].game is not None:
            game, nets = books.games[-1]
            books._change(game, nets, {})
        else:
            books.rows = books.rows[-1:]
            books.void()
        books.ledger.close()
        assert set(before) == set(books.ledger.debts), seed


@each_book
def test_every_line_of_a_balance_adds_up_and_the_newest_night_is_named(seeds, monkeypatch):
    for seed in seeds:
        books = books_of(seed, monkeypatch, is_fewest=bool(seed % 2))
        for _step in range(STEPS):
            books.step()
        history = books.history
        for slug in books.slugs:
            reasons = history.causes(slug)
            lines = balance_causes.fold(reasons)
            assert books.balances[slug] == sum(line.amount for line in lines)
            assert sorted(map(id, reasons)) == sorted(id(one) for line in lines for one in line.causes)
            assert len(lines) <= balance_causes.MAX_LINES
            if reasons:
                newest = [line for line in lines if line.night == reasons[-1].night]
                of_night = sum(reason.night == reasons[-1].night for reason in reasons)
                assert len(newest) == of_night or len(newest) >= 5


@each_book
def test_every_sentence_why_is_true_of_the_entry_that_it_names(seeds, monkeypatch):
    forms = Counter[ReasonForm | None]()
    for seed in seeds:
        books = books_of(seed, monkeypatch, is_fewest=bool(seed % 2))
        for step in range(STEPS):
            books.step()
            if step % 3 != 2:  # a search reads the whole ledger
                continue
            found = payee_reasons.find_all(books.debts, books.history)
            for debt in books.ledger.debts:
                reason = found.get((debt.payer, debt.payee))
                forms[reason.form if reason else None] += 1
                if reason is not None:
                    assert_true(reason, debt, books)
    assert {None, ReasonForm.THROUGH, ReasonForm.FEWER} <= forms.keys()


@pytest.mark.parametrize(
    ("seeds", "acts"),
    [(range(3), 240), pytest.param(range(8), 2000, marks=pytest.mark.long)],
    ids=["some", "all"],
)
def test_balances_and_reasons_are_those_of_the_oracle_also_of_people_who_were_merged(
    seeds, acts, monkeypatch
):
    forms = Counter[ReasonForm | None]()
    for seed in seeds:
        books = books_of(seed, monkeypatch, is_fewest=bool(seed % 2))
        for act in range(1, acts + 1):
            books.step()
            if act % (acts // 3) == 0:
                forms.update(find_and_compare(books, books.people))
                forms.update(find_and_compare(books, books.merge_two()))
    assert {None, ReasonForm.THROUGH, ReasonForm.FEWER} <= forms.keys()


def find_and_compare(books, people):
    """Compare everybody's causes and each debt's reason with the oracle's, and yield the forms of the reasons."""
    oracle = ReasonOracle(books.ledger.stored, people)
    history = EntryHistory(books.ledger_rows, people)
    for member in people.current_members:
        causes = {reason.cause: reason.amount for reason in history.causes(member.slug)}
        assert oracle.causes(member.slug) == causes
    debts = [
        OwedDebt(people.by_slug[debt.payer], people.by_slug[debt.payee], debt.amount, 0)
        for debt in people.read_lines(entry_rows.to_lines(books.ledger.debts))
    ]
    found = payee_reasons.find_all(debts, history)
    for debt in debts:
        reason = found.get(debt.ends)
        expected = oracle.explain(*debt.ends, debt.amount)
        assert expected == (reason and (reason.form, reason.row.number, *astuple(reason)[2:]))
        yield reason and reason.form


def assert_true(reason, debt, books):
    """Check every link of a sentence against the entry: each owed the next before, and owes them less after."""
    lines_before, lines_after = json.loads(reason.row.before), json.loads(reason.row.after)
    after = {(payer, payee): amount for payer, payee, amount in lines_after}
    before = {(payer, payee): amount for payer, payee, amount in lines_before}
    moved = Counter(balances(books.people.read_lines(lines_after)))
    moved.subtract(balances(books.people.read_lines(lines_before)))
    own = {
        (line.payer, line.payee): line.amount
        for line in transfers({slug: moved[slug] for slug in books.slugs})
    }
    both = Counter(before)
    both.update(own)
    plain = {pair: amount - both[pair[::-1]] for pair, amount in [*both.items()] if amount > both[pair[::-1]]}
    if reason.form in (ReasonForm.THROUGH, ReasonForm.CHAIN):
        chain = (debt.payer, *reason.between, debt.payee)
        falls = [plain.get(pair, 0) - after.get(pair, 0) for pair in pairwise(chain)]
        assert min(falls) > 0
        assert reason.is_part == (min(falls) < debt.amount)
    if reason.form is not ReasonForm.OWN:
        assert (len(after), len(plain)) == (reason.payments, reason.plain_payments)
        assert after[debt.payer, debt.payee] > 0
    if reason.form is ReasonForm.FEWER:
        assert reason.payments < reason.plain_payments


@each_book
def test_an_expense_corrected_at_once_is_as_if_entered_right_and_taken_back_as_before(seeds, monkeypatch):
    for seed in seeds:
        wrong, right = (books_of(seed, monkeypatch, is_fewest=bool(seed % 2)) for _books in range(2))
        for books in (wrong, right):
            for _step in range(STEPS // 2):
                books.step()
        before = wrong.ledger.debts
        enter(wrong, first := wrong.build_expense(random.Random(seed)))
        as_first = wrong.ledger.debts
        for version in range(2):
            wrong.replace(wrong.rows[-1], wrong.build_expense(random.Random(seed + version)))
            wrong.ledger.close()
        enter(right, right.build_expense(random.Random(seed + 1)))
        assert set(right.ledger.debts) == set(wrong.ledger.debts), seed
        assert_adds_up(wrong)

        wrong.replace(wrong.rows[-1], first)
        wrong.ledger.close()
        assert set(as_first) == set(wrong.ledger.debts), seed
        wrong.rows = wrong.rows[-1:]
        wrong.void()
        wrong.ledger.close()
        assert set(before) == set(wrong.ledger.debts), seed


def enter(books, cost):
    books._enter(cost)
    books.ledger.close()


@each_book
def test_a_proposal_moves_nothing_until_accepted_and_is_then_as_any_expense_at_that_moment(
    seeds, monkeypatch
):
    for seed in seeds:
        waiting, plain = (books_of(seed, monkeypatch, is_fewest=bool(seed % 2)) for _books in range(2))
        proposed, entered = (books.build_expense(random.Random(seed)) for books in (waiting, plain))
        proposed.is_proposal = True
        waiting.ledger.change(proposed)
        assert [] == waiting.ledger.close()
        for books in (waiting, plain):
            for _step in range(STEPS // 2):
                books.step()
        before = waiting.ledger.debts
        assert set(plain.ledger.debts) == set(before)
        proposed.accepted_at = VOIDED_AT
        enter(waiting, proposed)
        enter(plain, entered)
        assert set(plain.ledger.debts) == set(waiting.ledger.debts), seed

        proposed.accepted_at = None
        waiting.ledger.change(proposed)
        waiting.ledger.close()
        assert set(before) == set(waiting.ledger.debts), seed
