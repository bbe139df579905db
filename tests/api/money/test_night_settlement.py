"""Settling the last night through the API: the payments due, ticks, and the choice to include older debts."""

from __future__ import annotations

import pytest

from tests.api.described import wrong_in
from tests.tables import the_night

pytestmark = pytest.mark.django_db

PATH = "tables/{code}/nights/{night}/settlement/"
TICK = {"payer": "beto", "payee": "ana", "amount": 200}


@pytest.fixture
def path(table, finished):
    """Return the path of the settlement of a night that Ana won; Beto owes 200, Caro and Dani 100 each."""
    night = the_night(table)
    return f"tables/{table.code}/nights/{night.isoformat()}/settlement/"


def test_a_payment_sent_twice_is_ticked_once_and_listed(anas, path):
    before = anas.get(path).body
    made, again = (anas.write(path, TICK, key="k1") for _time in range(2))
    after = anas.get(path).body

    assert [] == wrong_in(after, PATH)
    assert [("beto", 200), ("caro", 100), ("dani", 100)] == [
        (line["from"], line["to_tick"]) for line in before["lines"]
    ]
    assert (201, made.body) == (again.status, again.body)
    assert [("caro", 100), ("dani", 100)] == [(line["from"], line["amount"]) for line in after["lines"]]
    assert [("beto", "ana", 200, path.split("/")[3])] == [
        (paid["payer"], paid["payee"], paid["amount"], paid["night"]) for paid in after["ticked"]
    ]


def test_the_sentences_of_the_settlement_are_in_the_language_of_the_request(anas, path):
    english = anas.get(path).body["sentences"]
    spanish = anas.get(path, headers={"accept-language": "es-AR"}).body["sentences"]
    for payer, amount in (("beto", 200), ("caro", 100), ("dani", 100)):
        anas.write(path, {"payer": payer, "payee": "ana", "amount": amount}, key=payer)

    assert ["Beto pays Ana $\xa0200.", "Caro pays Ana $\xa0100.", "Dani pays Ana $\xa0100."] == english
    assert [
        "Beto le paga $\xa0200 a Ana.",
        "Caro le paga $\xa0100 a Ana.",
        "Dani le paga $\xa0100 a Ana.",
    ] == spanish
    assert ["Nobody owes anything for this night."] == anas.get(path).body["sentences"]


def test_a_tick_of_a_wrong_amount_is_stale_and_a_night_without_games_is_a_404(anas, path):
    assert (409, "stale") == anas.write(path, {**TICK, "amount": 7}, key="k1").problem[:2]
    assert 404 == anas.get("/".join((*path.split("/")[:3], "2020-01-01", "settlement", ""))).status


def test_the_choice_to_include_older_debts_is_saved_and_cannot_change_after_a_tick(anas, path):
    chosen = anas.patch(path, {"with_before": True})
    assert (200, True) == (chosen.status, chosen.body["with_before"])
    anas.write(path, TICK, key="k1")

    refused = anas.patch(path, {"with_before": False})
    assert 422 == refused.status
    assert anas.get(path).body["with_before"]
