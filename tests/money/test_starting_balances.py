"""Starting balances: earlier debts, recorded as one entry without the games that caused them."""

from __future__ import annotations

import pytest

from games.common.locks import IdempotencyKeyReused
from games.models import MOST_MONEY
from games.money.services import accounting, starting_balances
from games.money.services.movements import AlreadyVoided
from games.scoring.errors import RuleError
from tests.factories import new_key

pytestmark = pytest.mark.django_db

THREE = {"ana": 12_000, "beto": -4_000, "caro": -8_000}


@pytest.fixture
def record_balances(table, owner):
    """`record_balances(balances)` records starting balances as the owner saw them, and returns the entry."""

    def record(balances, *, key="", seen=None, **more):
        seen = accounting.latest_entry_number(table) if seen is None else seen
        return starting_balances.record(table, balances, seen=seen, key=key or new_key(), by=owner, **more)

    return record


def test_a_repeated_request_records_balances_once_and_never_again_after_they_were_taken_back(
    table, record_balances, owner
):
    key = new_key()
    entry = record_balances(THREE, key=key)
    assert (entry, 1) == (record_balances(THREE, key=key), starting_balances.list_valid(table).count())
    with pytest.raises(IdempotencyKeyReused):
        record_balances({"ana": 6, "beto": -6}, key=key)
    starting_balances.void(table, entry.number, by=owner)
    assert not starting_balances.list_valid(table).exists()
    with pytest.raises(RuleError, match="already voided"):
        starting_balances.void(table, entry.number, by=owner)
    with pytest.raises(AlreadyVoided):
        record_balances(THREE, key=key)


@pytest.mark.parametrize(
    ("balances", "message"),
    [
        ({"ana": 300, "beto": -200}, "Debts are 100 short: people owe 200 and are owed 300."),
        (
            {"ana": 100, "caro": 50, "beto": -200},
            "Amounts owed to people are 50 short: they are owed 150 and owe 200.",
        ),
        ({"ana": 0, "beto": 0}, "Enter at least one balance."),
        ({}, "Enter at least one balance."),
        ({"ana": 5, "dani": -5}, "Someone is named twice."),
        ({"ana": 5, "zoe": -5}, "No member has this id."),
        ({"ana": MOST_MONEY + 1, "beto": -MOST_MONEY - 1}, f"A balance is at most {MOST_MONEY}."),
    ],
)
def test_invalid_balances_are_refused_and_store_nothing(table, record_balances, balances, message):
    table.members.filter(slug="dani").update(merged_into=table.members.get(slug="ana"))
    with pytest.raises(RuleError) as refusal:
        record_balances(balances)

    assert message == str(refusal.value.text)
    assert not starting_balances.list_valid(table).exists()
