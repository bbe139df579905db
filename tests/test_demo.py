"""`manage.py demo` fills a table to look at, once."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from io import StringIO
from zoneinfo import ZoneInfo

import pytest
from django.contrib.auth import authenticate
from django.contrib.auth.models import User
from django.core.management import call_command
from django.utils.timezone import now

from games.models import Game, Member, Record, Result, Role, Table
from games.people.access import role_at
from games.play.results import results_of
from games.scoring.events import Corrected, GameStopped, PlayerLeft, PlayerReentered

pytestmark = pytest.mark.django_db


def demo(*arguments: str) -> str:
    """What the command prints."""
    output = StringIO()
    call_command("demo", *arguments, stdout=output)
    return output.getvalue()


def has(game: Game, kind: type) -> bool:
    return any(isinstance(event, kind) for event in game.log())


def test_it_fills_a_table_with_six_people_and_their_nights():
    printed = demo("--password", "naipes")
    table = Table.objects.get()

    assert ("Mesa de los jueves", 6, 9) == (table.name, table.members.count(), table.games.count())
    assert table.code in printed
    assert "naipes" in printed
    owner = authenticate(username="demo", password="naipes")
    assert isinstance(owner, User)
    assert Role.OWNER is role_at(owner, table)


def test_the_nights_show_everything_that_happens_at_a_table():
    demo()
    games = list(Game.objects.all())

    for kind, least in ((PlayerReentered, 3), (Corrected, 2), (PlayerLeft, 1), (GameStopped, 1)):
        assert least <= sum(has(game, kind) for game in games)
    assert 8 == sum(game.ended_at is not None for game in games)


@pytest.mark.parametrize("seed", ["1", "2", "3", "4"])
def test_one_game_is_under_way_with_a_reentry_on_a_rising_ladder(seed):
    demo("--seed", seed)
    game = Game.objects.get(ended_at=None)
    state = game.state()

    assert "linear" == state.house["reentry_price"]
    assert 1 <= sum(player.reentries for player in state.players)
    assert (False, ()) == (state.is_over, state.pending)
    assert game == Game.objects.first()


def test_the_games_were_played_on_thursday_evenings():
    demo()
    begun = [
        game.started_at.astimezone(ZoneInfo("America/Argentina/Buenos_Aires"))
        for game in Game.objects.all()[1:]
    ]

    assert {3} == {moment.weekday() for moment in begun if moment.hour > 12}
    assert begun == sorted(begun, reverse=True)
    assert timedelta(weeks=5) <= now() - Table.objects.get().created_at


@pytest.mark.parametrize("day", range(19, 26))
def test_nothing_was_recorded_in_the_future(day, time_machine):
    time_machine.move_to(datetime(2026, 11, day, 3, 5, tzinfo=UTC))  # just after midnight in Buenos Aires
    demo()

    assert Record.objects.latest("recorded_at").recorded_at <= now()
    assert Game.objects.get(ended_at=None) == Game.objects.first()


def test_its_results_are_those_of_a_replay():
    demo()

    for game in Game.objects.exclude(ended_at=None):
        expected = [(r.member_id, r.place, r.net) for r in results_of(game, game.state())]
        assert sorted(expected) == sorted(game.results.values_list("member_id", "place", "net"))
    assert 0 == sum(Result.objects.values_list("net", flat=True))


def test_the_same_seed_plays_the_same_games():
    demo("--seed", "7")
    first = [[(r.kind, r.data) for r in game.records.all()] for game in Game.objects.order_by("pk")]
    Table.objects.update(name="Otra mesa")
    demo("--seed", "7")

    assert first == [
        [(r.kind, r.data) for r in game.records.all()] for game in Game.objects.order_by("pk")[9:]
    ]


# --- a long season ----------------------------------------------------------------------------------------------------


def test_it_plays_as_many_games_as_asked_for():
    printed = demo("--games", "30")
    club = Table.objects.get(name="Mesa del club")

    assert club.code in printed
    assert (8, 30, 150) == (
        club.members.count(),
        club.games.exclude(ended_at=None).count(),
        Result.objects.filter(game__table=club).count(),
    )
    assert 1 < len(set(club.games.values_list("variant", flat=True)))


def test_the_long_season_is_one_and_its_games_are_over_before_today():
    demo("--games", "30")
    club = Table.objects.get(name="Mesa del club")

    assert {club.seasons.get().pk} == set(club.games.values_list("season", flat=True))
    assert 8 == len(set(club.games.values_list("night_number", flat=True)))
    assert now() > Record.objects.filter(game__table=club).latest("recorded_at").recorded_at


def test_the_results_of_the_long_season_are_those_of_a_replay():
    demo("--games", "30")

    for game in Game.objects.filter(table__name="Mesa del club"):
        expected = [(r.member_id, r.place, r.net, r.total) for r in results_of(game, game.state())]
        assert sorted(expected, key=str) == sorted(
            game.results.values_list("member_id", "place", "net", "total"), key=str
        )
    assert 0 == sum(Result.objects.values_list("net", flat=True))


def test_the_same_seed_plays_the_same_long_season():
    demo("--games", "12", "--seed", "4")
    Table.objects.update(name="Otra mesa")
    demo("--games", "12", "--seed", "4")
    first, second = Table.objects.filter(members__name="Pocho")

    assert [[(r.kind, r.data) for r in game.records.all()] for game in first.games.order_by("pk")] == [
        [(r.kind, r.data) for r in game.records.all()] for game in second.games.order_by("pk")
    ]


def test_a_long_season_is_added_to_the_table_that_is_there():
    demo()
    printed = demo("--games", "4")

    assert ["Mesa de los jueves", "Mesa del club"] == list(
        Table.objects.order_by("pk").values_list("name", flat=True)
    )
    assert "Mesa de los jueves" in printed
    assert "nothing was added" in demo("--games", "9")
    assert 4 == Game.objects.filter(table__name="Mesa del club").count()


def test_running_it_twice_adds_nothing_and_says_so():
    demo()
    before = [model.objects.count() for model in (User, Table, Member, Game, Record, Result)]

    assert "nothing was added" in demo("--seed", "5")
    assert before == [model.objects.count() for model in (User, Table, Member, Game, Record, Result)]


def test_running_it_again_with_a_password_lets_one_in_again():
    demo()
    demo("--password", "naipes")

    assert authenticate(username="demo", password="naipes") is not None
