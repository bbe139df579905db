"""Balances carried over to a new table with another unit: they add up to zero there too."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.models import Change, ChangeKind, Method
from games.money import payments
from games.money.amendments import Words, amend
from games.money.balances import StaleAccounts, accounts_of, balances_of, read_accounts
from games.money.holders import set_account
from games.notebook.books.audit import check_table
from games.notebook.carrying import NewTable, carry_over, in_coins, preview_carry_over
from games.notebook.reading import read_table
from games.notebook.restoring import restore_table
from games.notebook.writing import write_table
from games.scoring.errors import RuleError
from tests.tables import a_key, become, start

pytestmark = pytest.mark.django_db

DOLLARS = NewTable("Los jueves en dólares", "US$", 2, Fraction(1450))


@pytest.fixture
def move(table, owner):
    """`move(wanted)` carries the balances over as the preview showed, and returns the new table."""

    def opened(wanted=DOLLARS, key=""):
        look = preview_carry_over(table, wanted)
        return carry_over(table, wanted, seen=look.seen, key=key or a_key(), by=owner)

    return opened


def test_balances_are_carried_over_by_opening_payments_that_settle_the_old_table(table, play, who, move):
    play("ana", "beto", "caro")
    set_account(who["ana"], "ana.loba.mp")
    who["ana"].user = table.grants.first().user
    who["ana"].save()
    new = move()

    assert {"ana": 14, "beto": -7, "caro": -7, "dani": 0} == balances_of(new)
    assert [("ana", "beto", 7), ("ana", "caro", 7)] == [
        (paid.payer.slug, paid.payee.slug, paid.amount) for paid in new.payments.order_by("pk")
    ]
    assert not any(balances_of(table).values())
    assert {(Method.OPENING, "pasó a la mesa nueva “Los jueves en dólares”")} == set(
        table.payments.values_list("method", "note")
    )
    assert (14, 0, 0) == (
        accounts_of(new)["ana"].carried,
        accounts_of(new)["ana"].paid,
        accounts_of(new)["ana"].received,
    )
    assert [("Ana", 1, "ana.loba.mp", None)] == list(
        new.members.filter(slug="ana").values_list("name", "colour", "account", "user")
    )
    assert ["owner"] == list(new.grants.values_list("role", flat=True))


@given(
    moved=st.lists(st.integers(-(10**6), 10**6), min_size=1, max_size=8),
    coins=st.fractions(min_value="1/100000", max_value=1000),
)
def test_rounding_changes_each_balance_by_less_than_one_coin_and_keeps_the_sum(moved, coins):
    balances = {str(place): amount for place, amount in enumerate([*moved, -sum(moved)])}
    whole = in_coins(balances, coins)

    assert 0 == sum(whole.values())
    assert all(abs(whole[slug] - amount * coins) < 1 for slug, amount in balances.items())
    assert {slug for slug, amount in balances.items() if not amount} <= {
        slug for slug, amount in whole.items() if not amount
    }


def test_of_equal_rounding_losses_the_first_member_gets_the_coin():
    assert {"a": 67, "b": -33, "c": -34} == in_coins({"a": 200, "b": -100, "c": -100}, Fraction(1, 3))


def test_a_repeated_request_opens_one_table_and_a_stale_one_is_refused(table, play, move, owner):
    play("ana", "beto")
    seen, key = preview_carry_over(table, DOLLARS).seen, a_key()
    first = move(key=key)
    assert first == carry_over(table, DOLLARS, seen=seen, key=key, by=owner)
    assert 1 == first.payments.count()
    with pytest.raises(StaleAccounts):
        carry_over(table, DOLLARS, seen=seen, key=a_key(), by=owner)


def test_cancelling_the_opening_payment_restores_the_balances_and_amending_is_refused(
    table, play, move, owner
):
    play("ana", "beto")
    before = read_accounts(table).balances
    move()
    paid = table.payments.get()
    with pytest.raises(RuleError, match="Cancel it instead"):
        amend(paid, Words(5, Method.CASH), after=0, by=owner, is_keeper=True)
    payments.cancel(paid, by=owner)
    assert before == read_accounts(table).balances


def test_a_running_game_or_a_claimed_payment_prevents_carrying_balances_over(table, play, who, owner):
    become(owner, who["beto"])
    claimed = payments.pay(
        table, who["beto"], who["ana"], 5, method=Method.CASH, key=a_key(), by=owner, is_claimed=True
    )
    assert "is still unconfirmed" in str(preview_carry_over(table, DOLLARS).wrong)
    payments.accept(claimed, by=owner)
    assert preview_carry_over(table, DOLLARS).wrong is None
    start(table, owner)
    assert "under way" in str(preview_carry_over(table, DOLLARS).wrong)


def test_an_opening_payment_cannot_be_entered_by_hand(table, who, owner):
    with pytest.raises(RuleError):
        payments.pay(table, who["beto"], who["ana"], 5, method=Method.OPENING, key=a_key(), by=owner)


def test_audit_export_and_change_feed_include_opening_payments(table, play, move, owner):
    play("ana", "beto")
    new = move()
    for one in (table, new):
        assert [] == [str(difference) for difference in check_table(one).differences]
    kinds = Change.objects.filter(table=new).values_list("what", flat=True)
    assert [ChangeKind.MEMBER_ADDED] * 4 + [ChangeKind.PAYMENT_RECORDED] == list(kinds)
    again = restore_table(read_table(write_table(new).encode()), key=a_key(), by=owner, again=True)
    assert balances_of(new) == balances_of(again)
    assert Method.OPENING == again.payments.get().method
