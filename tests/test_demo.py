"""`manage.py demo` fills a table, and does nothing when run again."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.contrib.auth import authenticate
from django.contrib.auth.models import User
from django.utils.timezone import now

from games.models import Game, Member, Payment, Record, Result, Role, Table
from tests.commands import output_of

pytestmark = pytest.mark.django_db


def demo(*arguments: str) -> str:
    """Run the command and return its output."""
    return output_of("demo", *arguments)


@pytest.mark.parametrize("seed", ["1", *(pytest.param(seed, marks=pytest.mark.slow) for seed in "234")])
def test_one_game_is_under_way_with_a_reentry_on_a_rising_ladder(seed):
    demo("--seed", seed)
    game = Game.objects.get(ended_at=None)
    state = game.state()

    assert "linear" == state.house["reentry_price"]
    assert 1 <= sum(player.reentries for player in state.players)
    assert (False, ()) == (state.is_over, state.pending)
    assert game == Game.objects.first()


def test_one_payment_waits_to_be_confirmed():
    demo()
    payment = Payment.objects.claimed().get()

    assert Role.WITNESS == payment.recorded_by.accesses.get().role


# A Thursday; the other days of a week are slow tests.
@pytest.mark.parametrize("day", [19, *(pytest.param(day, marks=pytest.mark.slow) for day in range(20, 26))])
def test_nothing_was_recorded_in_the_future(day, time_machine):
    time_machine.move_to(datetime(2026, 11, day, 3, 5, tzinfo=UTC))  # just after midnight in Buenos Aires
    demo()

    assert Record.objects.latest("recorded_at").recorded_at <= now()
    assert Game.objects.get(ended_at=None) == Game.objects.first()


@pytest.mark.slow
def test_the_same_seed_plays_the_same_games():
    demo("--seed", "7")
    first = [[(r.kind, r.data) for r in game.records.all()] for game in Game.objects.order_by("pk")]
    Table.objects.update(name="Otra mesa")
    demo("--seed", "7")

    assert first == [
        [(r.kind, r.data) for r in game.records.all()] for game in Game.objects.order_by("pk")[9:]
    ]


# --- a long season ----------------------------------------------------------------------------------------------------


def test_a_long_season_is_added_to_the_table_that_is_there():
    demo()
    printed = demo("--games", "4")

    assert ["Mesa de los jueves", "Mesa del club"] == list(
        Table.objects.order_by("pk").values_list("name", flat=True)
    )
    assert "Mesa de los jueves" in printed
    assert "nothing was added" in demo("--games", "9")
    assert 4 == Game.objects.filter(table__name="Mesa del club").count()


@pytest.mark.slow
def test_running_it_twice_adds_nothing_and_says_so():
    demo()
    before = [model.objects.count() for model in (User, Table, Member, Game, Record, Result)]

    assert "nothing was added" in demo("--seed", "5")
    assert before == [model.objects.count() for model in (User, Table, Member, Game, Record, Result)]


def test_running_it_again_with_a_password_lets_one_in_again():
    demo()
    demo("--password", "naipes")

    assert authenticate(username="demo", password="naipes") is not None


@pytest.mark.slow
def test_a_table_that_waits_to_be_gone_is_not_called_there_and_another_one_is_filled():
    demo()
    erased = Table.objects.get()
    Table.objects.update(erased_at=now())
    printed = demo("--password", "naipes")

    assert f"Mesa de los jueves ({erased.code}) was erased and can be brought back until" in printed
    assert "nothing was added" not in printed
    assert [9, 9] == [table.games.count() for table in Table.objects.all()]
    assert f"({erased.code}) is there already" not in demo()
