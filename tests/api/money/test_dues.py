"""The dues of a game through the API, for scorekeepers and for the members who owe them."""

from __future__ import annotations

import pytest

from tests.api.described import wrong_in
from tests.tables import start

pytestmark = pytest.mark.django_db


def test_a_ticked_due_moves_from_the_lines_to_the_paid_ones(anas, finished):
    path = f"games/{finished.code}/dues/"
    due = anas.get(path).body
    assert [] == wrong_in(due, "games/{code}/dues/")
    assert [("beto", 200), ("caro", 100), ("dani", 100)] == [
        (line["from"], line["to_tick"]) for line in due["lines"]
    ]

    line = {"payer": "beto", "payee": "ana", "amount": due["lines"][0]["to_tick"]}
    paid = anas.write(path, {"after": due["after"], **line}, key="paid").body["payments"]
    left = anas.get(path).body

    assert [one["id"] for one in paid] == [one["id"] for one in left["paid"]]
    assert ["caro", "dani"] == [one["from"] for one in left["lines"]]


def test_payments_in_the_accounts_are_deducted_from_the_dues_of_a_game(anas, betos, table, finished):
    anas.write(f"tables/{table.code}/payments/", PAID, key="paid")
    betos.write(f"tables/{table.code}/payments/", {**PAID, "amount": 50}, key="said")
    due = anas.get(f"games/{finished.code}/dues/").body

    assert {("beto", 80, 50, 30), ("caro", 100, 0, 100), ("dani", 100, 0, 100)} == {
        (line["from"], line["amount"], line["claimed"], line["to_tick"]) for line in due["lines"]
    }


PAID = {"payer": "beto", "payee": "ana", "amount": 120, "method": "cash"}


def test_a_running_game_has_no_dues_and_a_witness_gets_403(anas, waldos, table, owner):
    path = f"games/{start(table, owner, stake=100).code}/dues/"

    assert ([], 1) == (anas.get(path).body["lines"], anas.get(path).body["after"])
    assert (403, "forbidden") == waldos.get(path).problem[:2]
