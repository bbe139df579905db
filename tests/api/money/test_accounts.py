"""The accounts through the API: balances, who pays whom, fewer payments, payment details, retiring."""

from __future__ import annotations

import pytest

from tests.api.described import wrong_in

pytestmark = pytest.mark.django_db

ACCOUNTS, SIMPLIFY = "tables/{code}/accounts/", "tables/{code}/simplify/"


@pytest.fixture
def members(table, finished):
    """The path of the members of a table at which Ana won 400; Beto owes 200 of it."""
    return f"tables/{table.code}/members/"


@pytest.fixture
def chain(table, play):
    """Play so that Ana owes Beto 100 and Beto owes Caro 100, in games of two, and return the table's path."""
    play("beto", "ana", days=14)
    play("caro", "beto", days=7)
    return f"tables/{table.code}"


def debts_in(answer):
    return [(debt["payer"], debt["payee"], debt["amount"]) for debt in answer]


def test_the_accounts_have_every_balance_and_who_pays_whom(anas, betos, table, members):
    accounts = anas.get(f"tables/{table.code}/accounts/").body
    betos.write(
        f"tables/{table.code}/payments/",
        {"payer": "beto", "payee": "ana", "amount": 60, "method": "transfer"},
        key="said",
    )
    claimed = anas.get(f"tables/{table.code}/accounts/").body["debts"][0]

    assert [] == wrong_in(accounts, ACCOUNTS)
    assert {"ana": 400, "beto": -200, "caro": -100, "dani": -100} == accounts["balances"]
    assert [("beto", "ana", 200), ("caro", "ana", 100), ("dani", "ana", 100)] == debts_in(accounts["debts"])
    assert {accounts["seen"]} == {debt["version"] for debt in accounts["debts"]}
    assert (200, 60) == (claimed["amount"], claimed["claimed"])


def test_debts_are_simplified_after_a_preview(anas, chain):
    look = anas.post(f"{chain}/simplify/?preview=true", {})
    still = anas.get(f"{chain}/accounts/").body["debts"]
    stale = anas.post(f"{chain}/simplify/", {"seen": look.body["seen"] - 1})
    done = anas.post(f"{chain}/simplify/", {"seen": look.body["seen"]})

    assert [] == wrong_in(look.body, SIMPLIFY, method="post")
    assert [("ana", "beto", 100), ("beto", "caro", 100)] == debts_in(look.body["before"]) == debts_in(still)
    assert [("ana", "caro", 100)] == debts_in(look.body["after"])
    assert ((409, "stale"), 200) == (stale.problem[:2], done.status)
    assert [("ana", "caro", 100)] == debts_in(anas.get(f"{chain}/accounts/").body["debts"])


def test_simplifying_needs_the_version_that_was_seen(anas, betos, chain):
    missing = anas.post(f"{chain}/simplify/", {})
    odd = anas.post(f"{chain}/simplify/?preview=maybe", {})

    assert ((400, "misshapen"), "seen") == (missing.problem[:2], missing.place["field"])
    assert ((400, "bad_request"), "preview") == (odd.problem[:2], odd.place["field"])
    assert (403, "forbidden") == betos.post(f"{chain}/simplify/?preview=true", {}).problem[:2]
