"""The content of the tables that `manage.py demo` fills."""

from __future__ import annotations

from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest
from django.contrib.auth import authenticate
from django.contrib.auth.models import User
from django.utils.timezone import now

from games.models import Game, Record, Result, Role, Table
from games.play.results import results_of
from games.scoring.events import Corrected, GameStopped, PlayerLeft, PlayerReentered
from games.tables.access import role_at
from tests.test_demo import demo
from tests.worlds import kept_for_a_module


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


def has(game: Game, kind: type) -> bool:
    return any(isinstance(event, kind) for event in game.log())


def test_it_fills_a_table_with_six_people_and_their_nights(printed, thursdays):
    assert (6, 9) == (thursdays.members.count(), thursdays.games.count())
    assert thursdays.code in printed
    assert "naipes" in printed
    owner = authenticate(username="demo", password="naipes")
    assert isinstance(owner, User)
    assert Role.OWNER is role_at(owner, thursdays)


def test_the_nights_show_everything_that_happens_at_a_table(thursdays):
    games = list(thursdays.games.all())

    for kind, least in ((PlayerReentered, 3), (Corrected, 2), (PlayerLeft, 1), (GameStopped, 1)):
        assert least <= sum(has(game, kind) for game in games)
    assert 8 == sum(game.ended_at is not None for game in games)


def test_the_games_were_played_on_thursday_evenings(thursdays):
    begun = [
        game.started_at.astimezone(ZoneInfo("America/Argentina/Buenos_Aires"))
        for game in thursdays.games.all()[1:]
    ]

    assert {3} == {moment.weekday() for moment in begun if moment.hour > 12}
    assert begun == sorted(begun, reverse=True)
    assert timedelta(weeks=5) <= now() - thursdays.created_at


def test_its_results_are_those_of_a_replay(thursdays, club):
    for game in Game.objects.exclude(ended_at=None):
        expected = [(r.member_id, r.place, r.net, r.total) for r in results_of(game, game.state())]
        assert sorted(expected, key=str) == sorted(
            game.results.values_list("member_id", "place", "net", "total"), key=str
        )
    assert 0 == sum(Result.objects.values_list("net", flat=True))


def test_it_plays_as_many_games_as_asked_for(printed, club):
    assert club.code in printed
    assert (8, 30, 150) == (
        club.members.count(),
        club.games.exclude(ended_at=None).count(),
        Result.objects.filter(game__table=club).count(),
    )
    assert 1 < len(set(club.games.values_list("variant", flat=True)))


def test_the_long_season_is_one_and_its_games_are_over_before_today(club):
    assert {club.seasons.get().pk} == set(club.games.values_list("season", flat=True))
    assert 8 == len(set(club.games.values_list("night_number", flat=True)))
    assert now() > Record.objects.filter(game__table=club).latest("recorded_at").recorded_at
