"""What can be done with the seasons (temporadas) of a table: close one, move its first day, rename it. Only writes.

They follow each other without a gap, so a game's season is that of its night; the newest has no end.
"""

from __future__ import annotations

from datetime import date, timedelta

from django.db import transaction
from django.utils.timezone import now

from games.models import SEASON_NAME_LENGTH, Season, Table
from games.names import read_name
from games.nights import night_of
from games.scoring.errors import RuleError
from games.scoring.words import _
from games.services import lock

DAY = timedelta(days=1)


@transaction.atomic
def close_season(season: Season, *, last_day: date, next_name: str) -> Season:
    """The season that begins the day after `last_day`, with whatever was played since.

    Closing a season that is closed already gives the one that followed it.
    """
    table = season.table
    lock(table)
    season.refresh_from_db()
    if season.ends_on is not None:
        return table.seasons.get(starts_on=season.ends_on + DAY)
    name = read_name(next_name, longest=SEASON_NAME_LENGTH, field="next-name")
    if last_day < season.starts_on:
        raise RuleError(_("A season ends after it begins."), field="last-day")
    if last_day > night_of(now(), table):
        raise RuleError(_("A season is closed on a day that has come."), field="last-day")
    season.ends_on = last_day
    season.save(update_fields=["ends_on"])
    following = Season.objects.create(table=table, name=name, starts_on=last_day + DAY)
    _sort_games(table)
    return following


@transaction.atomic
def change_season(season: Season, *, name: str, first_day: date) -> None:
    """Renames a season and moves its first day; the one before ends where it begins."""
    table = season.table
    lock(table)
    season.refresh_from_db()
    season.name = read_name(name, longest=SEASON_NAME_LENGTH)
    before = table.seasons.filter(starts_on__lt=season.starts_on).last()
    if before is not None and first_day <= before.starts_on:
        raise RuleError(_("It begins after the season before it."), field="first-day")
    latest = season.ends_on or max(season.starts_on, night_of(now(), table))
    if first_day > latest:
        raise RuleError(_("A season ends after it begins."), field="first-day")
    season.starts_on = first_day
    season.save(update_fields=["name", "starts_on"])
    if before is not None:
        before.ends_on = first_day - DAY
        before.save(update_fields=["ends_on"])
    _sort_games(table)


@transaction.atomic
def reopen_season(season: Season) -> None:
    """Opens the season closed last again: what was played since is of it, and the one that followed is gone."""
    table = season.table
    lock(table)
    season.refresh_from_db()
    if season.ends_on is None:
        return
    following = table.seasons.get(ends_on=None)
    if following.starts_on != season.ends_on + DAY:
        raise RuleError(_("Only the season closed last can be opened again."))
    following.games.update(season=season)
    following.delete()
    season.ends_on = None
    season.save(update_fields=["ends_on"])


def read_day(text: str, *, field: str) -> date:
    """The day a form sent; RuleError where it is none."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise RuleError(_("Choose a day."), field=field) from None


def _sort_games(table: Table) -> None:
    """Puts every game into the season of its night; those from before the first season are of the first."""
    first, *_others = seasons = list(table.seasons.all())
    for season in seasons:
        games = table.games.exclude(season=season)
        if season != first:
            games = games.filter(night_number__gte=season.starts_on.toordinal())
        if season.ends_on is not None:
            games = games.filter(night_number__lte=season.ends_on.toordinal())
        games.update(season=season)
