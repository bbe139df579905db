"""Seasons follow each other without a gap, and every game belongs to the season of its night.

`seasons/views/test_seasons.py` has their pages.
"""

from __future__ import annotations

from datetime import date, datetime
from zoneinfo import ZoneInfo

import pytest

from games.common import days
from games.models import Season
from games.play.services import recording
from games.scoring.errors import RuleError
from games.seasons.services import season_setup
from games.seasons.services.season_setup import StaleSeasons
from tests.factories import end_season, loba_start, make_table, new_key

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("tonight")]

BUENOS_AIRES = ZoneInfo("America/Argentina/Buenos_Aires")


@pytest.fixture
def table(owner):
    """A table whose season 2026 began on 1 March."""
    table = make_table(owner)
    table.seasons.update(starts_on=date(2026, 3, 1))
    return table


@pytest.fixture
def season(table):
    return table.seasons.get()


@pytest.fixture
def start_game_on(table, owner):
    """`start_game_on(5, 7, hour=23)` returns a game that started on 7 May at 11 p.m."""

    def start_game(month, day, *, hour=22, year=2026):
        at = datetime(year, month, day, hour, tzinfo=BUENOS_AIRES)
        return recording.start_game(table, loba_start(table), key=new_key(), by=owner, at=at)

    return start_game


def season_names(*games):
    return [Season.objects.get(games=game).name for game in games]


def season_spans(table):
    """Return every season with its first and last day."""
    seasons = list(table.seasons.all())
    return [
        (season.name, season.starts_on, season_setup.find_last_day(season, seasons)) for season in seasons
    ]


def test_a_table_made_after_midnight_begins_its_season_with_the_night_still_going_on(owner, time_machine):
    time_machine.move_to(datetime(2027, 1, 1, 2, 0, tzinfo=BUENOS_AIRES), tick=False)
    (season,) = make_table(owner, name="Año nuevo").seasons.all()

    assert ("2026", date(2026, 12, 31)) == (season.name, season.starts_on)

    end_season(season.table, last_day=date(2026, 12, 31), next_name="2027")  # a day that has come


def test_a_season_ends_the_day_before_the_next_one_begins(table, season):
    next_season = end_season(season.table, last_day=date(2026, 6, 30), next_name="  Invierno ")

    assert [
        ("2026", date(2026, 3, 1), date(2026, 6, 30)),
        ("Invierno", date(2026, 7, 1), None),
    ] == season_spans(table)
    assert next_season == table.seasons.latest("starts_on")


def test_a_game_belongs_to_the_season_of_its_night_also_if_it_arrives_late(table, season, start_game_on):
    early = (
        start_game_on(1, 8, year=2025),
        start_game_on(5, 7),
        start_game_on(7, 1, hour=3),
        start_game_on(11, 18),
    )
    end_season(season.table, last_day=date(2026, 6, 30), next_name="Invierno")

    assert ["2026", "2026", "2026", "Invierno"] == season_names(*early)
    assert ["2026", "Invierno"] == season_names(start_game_on(7, 1, hour=3), start_game_on(7, 1, hour=12))
    assert "2026" == days.season_on(date(1999, 1, 1), table).name


def test_a_season_may_begin_tomorrow_and_tonights_games_stay_in_the_one_before(table, season, start_game_on):
    end_season(season.table, last_day=date(2026, 11, 19), next_name="Verano")

    assert ["2026"] == season_names(start_game_on(11, 19, hour=23))
    assert date(2026, 11, 20) == table.seasons.latest("starts_on").starts_on


def test_moving_a_first_day_moves_the_last_day_of_the_season_before_and_its_games(
    table, season, start_game_on
):
    game = start_game_on(6, 18)
    winter = end_season(season.table, last_day=date(2026, 6, 30), next_name="Invierno")
    season_setup.update(winter, name="Invierno", first_day=date(2026, 6, 15))

    assert [
        ("2026", date(2026, 3, 1), date(2026, 6, 14)),
        ("Invierno", date(2026, 6, 15), None),
    ] == season_spans(table)
    assert ["Invierno"] == season_names(game)

    season_setup.update(winter, name="Invierno", first_day=date(2026, 7, 1))
    assert ["2026"] == season_names(game)


def test_a_dropped_season_gives_its_games_to_the_one_before(table, season, start_game_on):
    game = start_game_on(7, 2)
    winter = end_season(table, last_day=date(2026, 6, 30), next_name="Invierno")
    season_setup.delete(winter)

    assert [("2026", date(2026, 3, 1), None)] == season_spans(table)
    assert ["2026"] == season_names(game)


@pytest.mark.parametrize(
    "write",
    [
        season_setup.delete,
        lambda season: season_setup.update(season, name="Verano", first_day=date(2026, 7, 2)),
    ],
    ids=["drop", "change"],
)
def test_a_write_to_a_dropped_season_is_refused_as_stale(table, season, write):
    gone = end_season(table, last_day=date(2026, 6, 30), next_name="Invierno")
    season_setup.delete(table.seasons.get(pk=gone.pk))

    with pytest.raises(StaleSeasons):
        write(gone)


# --- refused ----------------------------------------------------------------------------------------------------------


def test_a_season_keeps_its_name_and_its_place_among_the_others(table, season, start_game_on):
    start_game_on(5, 7)
    before_winter = end_season(table, last_day=date(2026, 6, 1), next_name="Otoño")
    winter = end_season(table, last_day=date(2026, 6, 30), next_name="Invierno")
    season_setup.update(winter, name="INVIERNO", first_day=date(2026, 7, 1))
    season_setup.update(season, first_day=date(2026, 5, 7))
    before = season_spans(table)
    for act, field, sentence in (
        (lambda: season_setup.update(winter, name="2026"), "name", "already a season called 2026"),
        (
            lambda: season_setup.update(season, first_day=date(2026, 7, 1)),
            "first_day",
            "It must start on 2026-05-07",
        ),
        (
            lambda: season_setup.update(winter, first_day=date(2026, 5, 7)),
            "first_day",
            "after the previous season",
        ),
        (
            lambda: season_setup.update(before_winter, first_day=date(2026, 7, 1)),
            "first_day",
            "before the next season",
        ),
        (lambda: season_setup.delete(season), "", "at least one season"),
    ):
        with pytest.raises(RuleError, match=sentence) as refusal:
            act()
        assert field == refusal.value.field
    assert before == season_spans(table)


def test_the_first_season_begins_with_its_oldest_game_if_that_is_older_than_its_first_day(
    season, start_game_on
):
    assert date(2026, 3, 1) == season_setup.effective_first_day(season)
    old = start_game_on(5, 2, year=2024)
    start_game_on(5, 7)

    assert date(2024, 5, 2) == season_setup.effective_first_day(season)
    recording.discard_game(old)
    assert date(2026, 3, 1) == season_setup.effective_first_day(season)


def test_the_second_season_may_begin_among_the_oldest_games_of_the_first(table, season, start_game_on):
    oldest, old = start_game_on(5, 2, year=2024), start_game_on(6, 6, year=2024)
    winter = end_season(season.table, last_day=date(2026, 6, 30), next_name="Invierno")
    table.seasons.filter(pk=season.pk).update(starts_on=date(2026, 3, 1))
    season_setup.update(winter, name="Invierno", first_day=date(2024, 6, 1))

    assert [
        ("2026", date(2024, 5, 2), date(2024, 5, 31)),
        ("Invierno", date(2024, 6, 1), None),
    ] == season_spans(table)
    assert ["2026", "Invierno"] == season_names(oldest, old)
