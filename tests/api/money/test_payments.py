"""Payments through the API: recorded, claimed, confirmed or disputed, and the balances that follow."""

from __future__ import annotations

from typing import Any

import pytest

from tests.api.described import wrong_in

pytestmark = pytest.mark.django_db

ALL, ONE = "tables/{code}/payments/", "tables/{code}/payments/{payment}/"
BETO_PAID = {"payer": "beto", "payee": "ana", "amount": 60, "method": "cash"}


@pytest.fixture
def where(table, finished):
    """The path of the payments of a table at which Ana won 400; Beto owes 200 of it."""
    return f"tables/{table.code}/payments/"


@pytest.fixture
def balances(table, anas):
    """`balances()` returns the balance of each member, as the API answers Ana."""

    def read():
        accounts = anas.get(f"tables/{table.code}/accounts/").body
        assert [] == wrong_in(accounts, "tables/{code}/accounts/")
        return accounts["balances"]

    return read


def test_a_payment_sent_twice_with_one_idempotency_key_is_recorded_once(anas, where, balances):
    before = balances()
    first, again = (anas.write(where, BETO_PAID, key="paid") for _time in range(2))
    changed = anas.write(where, {**BETO_PAID, "amount": 61}, key="paid")
    listed = anas.get(where).body

    assert ([], []) == (wrong_in(first.body, ALL, method="post", status=201), wrong_in(listed, ALL))
    assert (201, first.body) == (again.status, again.body)
    assert (409, "key_reused") == changed.problem[:2]
    assert [first.body["id"]] == [one["id"] for one in listed["payments"]]
    assert {**before, "ana": before["ana"] - 60, "beto": before["beto"] + 60} == balances()


def test_a_payment_of_more_than_is_owed_is_recorded_only_if_the_client_confirms_it(anas, where):
    much = {**BETO_PAID, "amount": 10_000}
    question = anas.write(where, much, key="much")
    nothing = anas.write(where, {**much, "payer": "ana", "payee": "beto"}, key="nothing")
    sure = anas.write(where, {**much, "confirm": True}, key="much")

    assert (409, "unusual", "confirm") == (*question.problem[:2], question.place["field"])
    assert "Beto owes Ana $\xa0200. Was $\xa010,000 really paid?" == question.problem[2]
    assert "Ana owes Beto nothing. Was $\xa010,000 really paid?" == nothing.problem[2]
    assert 201 == sure.status
    assert [sure.body["id"]] == [one["id"] for one in anas.get(where).body["payments"]]


def test_confirming_a_claim_of_more_than_is_owed_is_asked_about(anas, betos, where):
    claimed = betos.write(where, {**BETO_PAID, "amount": 500, "confirm": True}, key="said").body["id"]
    question = anas.post(f"{where}{claimed}/confirm/", {})
    done = anas.post(f"{where}{claimed}/confirm/", {"confirm": True})

    assert (409, "unusual", "confirm") == (*question.problem[:2], question.place["field"])
    assert "counts" == done.body["state"]


def test_beto_claims_a_payment_and_ana_confirms_it(anas, betos, where, balances, table):
    before = balances()
    claimed = betos.write(where, BETO_PAID, key="said").body
    path = f"{where}{claimed['id']}/"
    debt = anas.get(f"tables/{table.code}/accounts/").body["debts"][0]
    still = balances()
    confirmed = anas.post(f"{path}confirm/", {})

    assert ("claimed", before) == (claimed["state"], still)
    assert ("beto", 200, 60) == (debt["payer"], debt["amount"], debt["claimed"])
    assert ([], "counts", "Ana") == (
        wrong_in(confirmed.body, ONE),
        confirmed.body["state"],
        confirmed.body["confirmed_by"],
    )
    assert {**before, "ana": before["ana"] - 60, "beto": before["beto"] + 60} == balances()
    assert confirmed.body == anas.post(f"{path}confirm/", {}).body


def test_a_disputed_payment_does_not_count_and_is_taken_back(anas, where, balances):
    before = balances()
    path = f"{where}{anas.write(where, {**BETO_PAID, 'payer': 'caro'}, key='paid').body['id']}/"
    disputed = anas.post(f"{path}dispute/", {"reason": "Nothing came"}).body
    assert ("disputed", "Nothing came", before) == (disputed["state"], disputed["objection"], balances())
    ended = anas.post(f"{path}take-back/", {"reason": "Another table"}).body

    assert ("ended", "Another table", "Ana") == (ended["state"], ended["reason"], ended["ended_by"])
    assert before == balances()
    assert (422, "refused") == anas.write(where, {**BETO_PAID, "payer": "caro"}, key="paid").problem[:2]


def test_an_invalid_payment_is_refused_with_the_name_of_its_field(subtests, anas, where):
    wrongs: list[tuple[dict[str, Any], str]] = [
        ({"payer": "nobody"}, "refused"),
        ({"payee": "beto"}, "refused"),
        ({"amount": 0}, "misshapen"),
        ({"amount": "60"}, "misshapen"),
        ({"method": "card"}, "misshapen"),
        ({"day": "yesterday"}, "misshapen"),
        ({"day": "2199-01-01"}, "refused"),
        ({"confirm": 1}, "misshapen"),
    ]
    for wrong, code in wrongs:
        with subtests.test(wrong=wrong):
            answer = anas.write(where, {**BETO_PAID, **wrong}, key="odd")

            assert (code, *wrong) == (answer.problem[1], answer.place["field"])
    assert [] == anas.get(where).body["payments"]


def test_the_list_of_payments_is_paginated(anas, where):
    made = [
        anas.write(where, {**BETO_PAID, "amount": 60 + more}, key=f"{more}").body["id"] for more in range(3)
    ]
    first = anas.get(where, data={"limit": 2}).body
    rest = anas.get(where, data={"limit": 2, "cursor": first["next"]}).body

    assert made[::-1] == [one["id"] for page in (first, rest) for one in page["payments"]]
    assert rest["next"] is None
