"""The plan of payments of a large table, where the fewest payments are known only from a whole settlement."""

from __future__ import annotations

import pytest
from django.utils.timezone import now
from django.utils.translation import override

from games.models import Method
from games.money import payments
from games.money.balances import read_accounts
from games.shown.money.plans import fewest_in_words
from tests.tables import a_key, make_table

pytestmark = pytest.mark.django_db

# Each of these people owes one of three others; no other division settles apart.
OWED = {1: "p11", 2: "p11", 4: "p11", 8: "p11", 16: "p12", 32: "p12", 64: "p12", 128: "p12",
        256: "p13", 512: "p13", 1024: "p13"}  # fmt: skip
FEWEST = [[f"p{number}", payee, amount] for number, (amount, payee) in enumerate(OWED.items())]


@pytest.fixture
def large(owner):
    """A table of 14 people with debts that take 11 payments, and no stored plan."""
    table = make_table(owner, people=tuple(f"P{number}" for number in range(14)))
    for payer, payee, amount in FEWEST:
        record(table, payee, payer, amount, owner)
    return table


def record(table, payer, payee, amount, by):
    payer, payee = (table.members.get(slug=slug) for slug in (payer, payee))
    return payments.pay(table, payer, payee, amount, method=Method.CASH, key=a_key(), by=by)


def store(table, lines):
    table.plans.create(lines=lines, made_at=now())


def lines_of(table):
    return sorted([line.payer.slug, line.payee.slug, line.left] for line in read_accounts(table).to_pay)


def test_an_optimal_plan_of_a_large_table_is_not_said_to_have_one_payment_too_many(large):
    store(large, FEWEST)

    assert sorted(FEWEST) == lines_of(large)
    with override("en"):
        words = fewest_in_words(read_accounts(large))
    assert "At least 10 payments are needed; these are few." == words


def test_cancelling_a_payment_at_a_large_table_restores_the_previous_plan(large, owner):
    p0, p4 = ["p0", "p12", 1], ["p4", "p12", 15]
    before = [p0, *FEWEST[1:4], p4, ["p4", "p11", 1], *FEWEST[5:]]
    store(large, before)
    assert sorted(before) == lines_of(large)
    payment = record(large, "p0", "p11", 1, owner)
    assert sorted(before) != lines_of(large)
    payments.take_back(payment, by=owner)

    assert sorted(before) == lines_of(large)
