"""`manage.py demo` fills a table, and does nothing when run again."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.contrib.auth import authenticate
from django.contrib.auth.models import User
from django.utils.timezone import now

from games.models import Game, Member, Payment, Record, Result, Role, Table
from games.scoring.events import Corrected, GameStopped, PlayerLeft, PlayerReentered
from games.tables.access import role_at
from tests.commands import output_of
from tests.worlds import kept_for_a_module

pytestmark = pytest.mark.django_db


def demo(*arguments: str) -> str:
    """Run the command and return its output."""
    return output_of("demo", *arguments)


# A Thursday; the other days of a week are slow tests.
@pytest.mark.parametrize("day", [19, *(pytest.param(day, marks=pytest.mark.slow) for day in range(20, 26))])
def test_nothing_was_recorded_in_the_future(day, time_machine):
    time_machine.move_to(datetime(2026, 11, day, 3, 5, tzinfo=UTC))  # just after midnight in Buenos Aires
    demo()

    assert Record.objects.latest("recorded_at").recorded_at <= now()
    assert Game.objects.get(ended_at=None) == Game.objects.first()


# --- the filled tables ------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def printed(django_db_setup, django_db_blocker):
    """The output of the command, which has filled both tables."""
    with kept_for_a_module(django_db_blocker):
        yield demo("--password", "naipes", "--games", "30")


@pytest.fixture
def thursdays(printed, db):
    """The table of six friends."""
    return Table.objects.get(name="Mesa de los jueves")


@pytest.fixture
def club(printed, db):
    """The table with a long season."""
    return Table.objects.get(name="Mesa del club")


def test_it_prints_the_tables_and_lets_one_in_with_the_password(printed, thursdays, club):
    owner = authenticate(username="demo", password="naipes")
    assert isinstance(owner, User)
    assert Role.OWNER is role_at(owner, thursdays)
    assert [True] * 3 == [text in printed for text in (thursdays.code, club.code, "naipes")]


def test_running_it_again_adds_nothing_and_says_so(printed, thursdays):
    before = [model.objects.count() for model in (User, Table, Member, Game, Record, Result)]
    assert "nothing was added" in demo("--games", "30")
    assert before == [model.objects.count() for model in (User, Table, Member, Game, Record, Result)]


def test_the_nights_show_everything_that_happens_at_a_table(thursdays):
    games = list(thursdays.games.all())
    for kind, least in ((PlayerReentered, 3), (Corrected, 2), (PlayerLeft, 1), (GameStopped, 1)):
        assert least <= sum(any(isinstance(event, kind) for event in game.log()) for game in games)
    state = thursdays.games.get(ended_at=None).state()
    assert (6, 9, "linear") == (thursdays.members.count(), len(games), state.house["reentry_price"])
    assert (False, ()) == (state.is_over, state.pending)
    assert Role.WITNESS == Payment.objects.claimed().get().recorded_by.accesses.get().role


def test_its_results_are_those_of_a_replay_and_its_books_add_up(club, thursdays):
    ended = club.games.exclude(ended_at=None)
    assert (8, 30, 150) == (
        club.members.count(),
        ended.count(),
        Result.objects.filter(game__in=ended).count(),
    )
    assert 1 < len(set(ended.values_list("variant", flat=True)))
    assert "Everything adds up." in output_of("check_books")
