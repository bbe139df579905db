"""`manage.py demo` imports a table whose dates end now, and does nothing when run again."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.contrib.auth import authenticate
from django.contrib.auth.models import User
from django.utils.timezone import now

from games.common import days
from games.files.services import audit
from games.models import CLAIMED, Game, Member, Payment, Record, Result, Role, Table
from games.scoring.events import Corrected, GameStopped, PlayerLeft, PlayerReentered
from games.tables.services import authorization
from tests.commands import run_command
from tests.factories import make_table

pytestmark = pytest.mark.django_db


def has(game: Game, kind: type) -> bool:
    return any(isinstance(event, kind) for event in game.log())


def test_it_fills_a_table_whose_nights_show_everything_that_happens_at_one_and_one_game_goes_on():
    printed = run_command("demo")
    table = Table.objects.get()
    games = list(table.games.all())
    owner = authenticate(username="demo", password=printed.split()[-1])

    assert (6, 9) == (table.members.count(), len(games))
    assert f"/t/{table.code}/" in printed
    assert isinstance(owner, User)
    assert Role.OWNER is authorization.find_role(owner, table)
    for kind, least in ((PlayerReentered, 3), (Corrected, 2), (PlayerLeft, 1), (GameStopped, 1)):
        assert least <= sum(has(game, kind) for game in games)
    assert [] == audit.check_table(table).differences

    game = Game.objects.get(ended_at=None)
    state = game.state()
    assert "linear" == state.house["reentry_price"]
    assert 1 <= sum(player.reentries for player in state.players)
    assert (False, (), Game.objects.first()) == (state.is_over, state.pending, game)

    assert "blocked" not in run_command("tables", table.code)
    claim = Payment.objects.get(CLAIMED)
    assert (Role.WITNESS, True) == (claim.recorded_by.accesses.get().role, claim.payee.has_phone)


# Before a Thursday, after it, and a day later.
@pytest.mark.parametrize("day", [24, *(pytest.param(day, marks=pytest.mark.slow) for day in (25, 26))])
def test_the_last_night_is_a_recent_thursday_and_nothing_is_in_the_future(day, time_machine):
    time_machine.move_to(datetime(2026, 12, day, 3, 5, tzinfo=UTC))  # just after midnight in Buenos Aires
    run_command("demo")
    running, *played = Game.objects.all()
    start_times = [game.started_at.astimezone(ZoneInfo("America/Argentina/Buenos_Aires")) for game in played]

    assert running.ended_at is None
    assert timedelta(0) <= now() - Record.objects.latest("recorded_at").recorded_at < timedelta(minutes=1)
    assert {3} == {moment.weekday() for moment in start_times if moment.hour > 12}
    assert timedelta(days=1) < now() - start_times[0] < timedelta(days=9)
    assert start_times == sorted(start_times, reverse=True)


@pytest.mark.parametrize(
    "at",
    [
        datetime(2026, 12, 24, hour, minute, tzinfo=UTC)
        for hour, minute in ((3, 5), (8, 59), (9, 0), (9, 7), (12, 0), (15, 30), (18, 45), (23, 59))
    ],
    ids=str,
)
def test_the_game_in_progress_is_of_tonight_at_every_hour(at, time_machine):
    """In Buenos Aires a night begins at 9:00 UTC."""
    time_machine.move_to(at, tick=False)
    run_command("demo")
    running = Game.objects.get(ended_at=None)
    recorded = [record.recorded_at for record in running.records.order_by("number")]
    tonight = days.night_for(at, running.table)
    begins_at = days.night_bounds(tonight, running.table)[0]

    assert tonight == days.night_for(running.started_at, running.table)
    assert begins_at <= running.started_at <= recorded[0]
    assert recorded == sorted(recorded)
    assert recorded[-1] <= at
    assert [] == audit.check_table(running.table).differences


def test_it_prints_whole_addresses(settings):
    settings.SITE_URL = "https://cards.example.org"
    for _time in range(2):
        printed = run_command("demo")
        assert f" at https://cards.example.org/t/{Table.objects.get().code}/" in printed
        assert "Sign in at https://cards.example.org/login/ as demo" in printed


def test_run_again_it_adds_nothing_and_sets_a_password_and_an_erased_table_is_filled_anew():
    run_command("demo")
    before = [model.objects.count() for model in (User, Table, Member, Game, Record, Result)]

    printed = run_command("demo")
    assert "nothing was added" in printed
    assert before == [model.objects.count() for model in (User, Table, Member, Game, Record, Result)]
    assert authenticate(username="demo", password=printed.split()[-1]) is not None

    make_table(User.objects.get(username="demo"))
    code = Table.objects.get(games__key="demo-1").code
    assert f"/t/{code}/" in run_command("demo")

    Table.objects.filter(games__isnull=False).update(erased_at=now())
    run_command("demo")
    assert [0, 9, 9] == sorted(table.games.count() for table in Table.objects.all())
