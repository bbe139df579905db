"""The day since which each balance has been negative."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
import time_machine

from games.money import payments
from games.money.balances import negative_since, read_accounts
from games.money.merging import merge, preview_merge
from games.play import recording as services
from games.scoring.text.notation import read_line

pytestmark = pytest.mark.django_db


@pytest.fixture
def on():
    """`with on(5):` moves the clock to 21:00 UTC on the 5th of November."""

    def day(number):
        return time_machine.travel(moment(number), tick=False)

    return day


def moment(day):
    return datetime(2026, 11, day, 21, tzinfo=UTC)


def since(table):
    return {slug: at.day for slug, at in negative_since(read_accounts(table)).items()}


def test_a_balance_is_negative_since_the_movement_that_made_it_negative(table, on, play, pay):
    """Beto owes twice, with a week of owing nothing in between; Caro owes all the time, ever more."""
    with on(5):
        play("ana", "beto", "caro")
        assert {"beto": 5, "caro": 5} == since(table)
    with on(6):
        pay("beto", "ana", 100)
        pay("caro", "ana", 40)
        assert {"caro": 5} == since(table)
    with on(12):
        play("dani", "caro")
        play("caro", "beto")
    with on(13):
        pay("beto", "ana", 30)
        play("ana", "beto")

    assert {"beto": 12, "caro": 5} == since(table)


def test_winning_back_a_part_of_the_debt_does_not_change_the_day(table, on, play):
    with on(5):
        play("ana", "beto", "caro", stake=200)
    with on(12):
        play("beto", "caro", "dani")

    assert {"caro": 5, "dani": 12} == since(table), "Beto is settled up"


def test_a_cancelled_payment_does_not_change_the_day(table, on, play, pay, owner):
    with on(5):
        play("ana", "beto")
    with on(6):
        payment = pay("beto", "ana", 100)
        payments.take_back(payment, by=owner)

    assert {"beto": 5} == since(table)


def test_a_payee_who_was_paid_too_much_is_in_debt_since_the_payment(table, on, play, pay):
    with on(5):
        play("ana", "beto")
    with on(6):
        pay("beto", "ana", 150)

    assert {"ana": 6} == since(table)


def test_a_corrected_game_counts_from_the_day_of_the_game(table, on, play, write):
    with on(5):
        game = play("ana", "beto")
    with on(12):
        play("ana", "dani", stake=50)
        write(game, *read_line("correct 2 round beto out ana=102"))

    assert {"ana": 5, "dani": 12} == since(table), "Ana lost 100 on the 5th after all, and won 50 later"


def test_a_discarded_game_does_not_count_as_a_debt(table, on, play):
    with on(5):
        game = play("ana", "beto")
    with on(12):
        play("ana", "beto")
        services.discard_game(game)

    assert {"beto": 12} == since(table)


def test_the_movements_of_a_merged_member_count_too(table, on, play, pay, who, owner):
    with on(5):
        play("ana", "caro")
    with on(12):
        play("ana", "dani")
        caro, dani = who["caro"], who["dani"]
        merge(caro, dani, seen=preview_merge(caro, dani).seen, by=owner)

    assert {"dani": 5} == since(table)


def test_the_days_of_all_negative_balances_take_one_query(table, play, django_assert_num_queries):
    for _game in range(3):
        play("ana", "beto", "caro")
    accounts = read_accounts(table)
    with django_assert_num_queries(1):
        assert {"beto", "caro"} == negative_since(accounts).keys()


def test_without_negative_balances_the_result_is_empty(table):
    assert {} == since(table)
