"""The settlement of a game through the API: net results with their causes, and who pays whom for it."""

from __future__ import annotations

from collections import Counter

import pytest

from games.money.payments import pay
from games.play.recording import record
from games.scoring.events import Corrected, GameStopped, PlayerReentered, Stop
from tests.api.described import wrong_in
from tests.tables import a_round

pytestmark = pytest.mark.django_db


@pytest.fixture
def played(game, owner):
    record(
        game, a_round("ana", beto=110, caro=1, dani=2), PlayerReentered("beto"), after=1, key="k", by=owner
    )
    return game


def stop(game, owner):
    record(game, GameStopped(Stop.LOWEST_WINS), after=len(game.log()), key="stop", by=owner)
    game.refresh_from_db()


def lines(answer):
    return [(line["from"], line["to"], line["amount"]) for line in answer]


def test_the_settlement_of_a_running_game_has_the_pot_and_no_payments(ana, played):
    money = ana.get(f"games/{played.code}/settlement/").body

    assert (500, None, [], {}) == tuple(money[name] for name in ("pot", "over", "transfers", "places"))
    assert {"ana": -100, "beto": -200, "caro": -100, "dani": -100} == money["nets"]


def test_the_causes_add_up_to_each_players_net_result(ana, played, owner):
    stop(played, owner)
    money = ana.get(f"games/{played.code}/settlement/").body
    summed = Counter(dict.fromkeys(money["nets"], 0))
    for cause in money["causes"]:
        summed[cause["to"]] += cause["amount"]
        summed[cause["from"]] -= cause["amount"]

    assert 0 == sum(money["nets"].values()) == summed.pop("(pot)", 0)
    assert money["nets"] == dict(summed)
    assert {"stake", "reentry", "pot"} == {cause["cause"] for cause in money["causes"]}


def test_payments_never_change_the_settlement_of_a_game_and_a_correction_does(ana, played, owner, table):
    stop(played, owner)
    path = f"games/{played.code}/settlement/"
    before = ana.get(path).body
    assert [] == wrong_in(before, "games/{code}/settlement/")
    assert [("beto", "ana", 200), ("caro", "ana", 100), ("dani", "ana", 100)] == lines(before["transfers"])

    beto, ana_herself = (table.members.get(slug=slug) for slug in ("beto", "ana"))
    pay(table, beto, ana_herself, 200, key="paid", by=owner)
    assert before == ana.get(path).body

    record(played, Corrected(2, a_round("caro", beto=110, ana=1, dani=2)), after=4, key="fix", by=owner)
    fixed = ana.get(path).body
    assert ["caro"] == fixed["winners"]
    assert {"caro"} == {payee for _payer, payee, _amount in lines(fixed["transfers"])}
