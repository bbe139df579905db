"""Payments, their people, and concurrent writes of two users; `test_debts.py` has the ledger."""

from __future__ import annotations

import threading
import time
from datetime import timedelta
from functools import partial

import pytest
from django.db import connection

from games.common.locks import IdempotencyKeyReused
from games.models import Game, Payment
from games.money.services import payments
from games.money.services.movements import AlreadyVoided
from games.play.services import game_results, recording
from games.scoring.errors import RuleError
from games.scoring.events import Corrected, RulesAgreed
from tests.concurrency import run_concurrently
from tests.factories import build_round, end_season, load_balances, make_table, new_key, start, winning_round

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]


def test_a_game_that_moves_more_money_than_a_column_can_hold_is_refused_with_a_sentence(table, owner):
    """Two such games would add up to more than a database column holds."""
    game = start(table, owner, variant="chinchon", stake=10**9, chinchon_prize=10**9)
    chinchon = build_round("ana", closing="chinchon", beto=5, caro=5, dani=5)
    with pytest.raises(RuleError) as refusal:
        recording.record(game, chinchon, after=1, key=new_key(), by=owner)

    assert "Ana would win or lose 3000000003000000003" in str(refusal.value)
    assert 1 == game.records.count()
    cheaper = Corrected(1, RulesAgreed("chinchon", (("stake", 10), ("cut_prize", 0)), "", "right"))
    recording.record(game, cheaper, after=1, key=new_key(), by=owner)
    recording.record(game, chinchon, after=2, key=new_key(), by=owner)
    assert 60 == load_balances(table)["ana"]


# --- payments ---------------------------------------------------------------------------------------------------------


def test_a_key_is_of_one_payment_and_of_none_once_it_was_taken_back(subtests, owner, pay):
    paid = pay("beto", "ana", 100, key="tap")
    assert paid == pay("beto", "ana", 100, key="tap")
    for other in [("beto", "ana", 99), ("caro", "ana", 100), ("beto", "dani", 100)]:
        with subtests.test(other=other), pytest.raises(IdempotencyKeyReused):
            pay(*other, key="tap")
    payments.void(paid, by=owner)
    with pytest.raises(AlreadyVoided):
        pay("beto", "ana", 100, key="tap")
    assert [paid] == list(Payment.objects.all())


def test_a_member_of_another_table_can_be_neither_payer_nor_payee(table, owner, members_by_slug):
    other = make_table(owner, name="Otra").members.get(slug="ana")
    for payer, payee, field in (
        (other, members_by_slug["beto"], "payer"),
        (members_by_slug["beto"], other, "payee"),
    ):
        with pytest.raises(RuleError) as refusal:
            payments.create(table, payer, payee, 5, key=new_key(), by=owner)
        assert field == refusal.value.field


# --- two at once ------------------------------------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(connection.vendor == "sqlite", reason="SQLite lets one write at a time")
def test_two_games_that_end_concurrently_both_count_in_the_balances(table, owner):
    games = [start(table, owner, stake=100), start(table, owner, stake=10)]

    def end(game, winner):
        recording.record(game, winning_round(winner), after=1, key=new_key(), by=owner)

    run_concurrently(*(partial(end, *pair) for pair in zip(games, ("ana", "beto"), strict=True)))

    assert 2 == Game.objects.exclude(ended_at=None).count()
    assert {"ana": 290, "beto": -70, "caro": -110, "dani": -110} == load_balances(table)
    assert [1, 2] == [entry.number for entry in table.entries.all()]


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(connection.vendor == "sqlite", reason="SQLite lets one write at a time")
def test_ending_a_game_and_a_season_concurrently_do_not_deadlock(table, owner, monkeypatch):
    """Every writer locks the table before its games, so two of them cannot deadlock."""
    game = start(table, owner, stake=100)
    season = table.seasons.get()
    table.seasons.update(starts_on=season.starts_on - timedelta(days=9))
    is_held, others_began, check_money = threading.Event(), threading.Event(), game_results.check_money

    def wait(state):
        is_held.set()
        others_began.wait(5)
        time.sleep(0.3)
        check_money(state)

    monkeypatch.setattr(game_results, "check_money", wait)

    def end():
        recording.record(game, winning_round("ana"), after=1, key=new_key(), by=owner)

    def end_the_season():
        is_held.wait(5)
        others_began.set()
        end_season(season.table, last_day=season.starts_on - timedelta(days=1), next_name="La que viene")

    assert [None, None] == run_concurrently(end, end_the_season)
    game.refresh_from_db()
    assert "La que viene" == game.season.name
    assert 300 == load_balances(table)["ana"]
