"""The seasons (temporadas) of a table: close, rename, reopen a season or move its first day.

Seasons follow each other without gaps, so the night of a game determines its season. The newest season has no
last day.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, timedelta
from typing import Literal

from django.db import transaction
from django.db.models import Count, Min, Q
from django.utils.timezone import now

from games.changes import tell
from games.locks import lock
from games.models import SEASON_NAME_LENGTH, Change, ChangeKind, Season, SeasonOrder, Table
from games.names import read_name, same_name
from games.nights import FIRST_YEAR, night_of
from games.scoring.errors import RuleError
from games.scoring.words import _

DAY = timedelta(days=1)


class StaleSeasons(Exception):
    """Raised when the season no longer exists because the season before it was reopened meanwhile."""


@transaction.atomic
def close_season(
    season: Season, *, last_day: date, next_name: str, order: SeasonOrder | Literal[""] | None = None
) -> Season:
    """Close a season and return the next season, which begins on the day after `last_day`.

    Games after `last_day` move to the next season. `order` is the new order of the closed season's standings,
    "" for automatic; None keeps its order. If the season is closed already, return the season after it.
    """
    table = _hold(season)
    if season.ends_on is not None:
        return table.seasons.get(starts_on=season.ends_on + DAY)
    name = _read_name(next_name, table.seasons.all(), field="next-name")
    season.starts_on = first_day_of(season)
    if last_day < season.starts_on:
        raise RuleError(_("A season cannot end before it begins."), field="last-day")
    if last_day > night_of(now(), table):
        raise RuleError(_("That day is in the future."), field="last-day")
    season.ends_on = last_day
    season.order = season.order if order is None else order
    season.save(update_fields=["starts_on", "ends_on", "order"])
    following = Season.objects.create(table=table, name=name, starts_on=last_day + DAY, order=season.order)
    _sort_games(table)
    tell(table, Change(what=ChangeKind.SEASONS_CHANGED))
    return following


@transaction.atomic
def change_season(
    season: Season, *, name: str, first_day: date, order: SeasonOrder | Literal[""] | None = None
) -> None:
    """Rename a season, move its first day and set the order of its standings.

    The previous season then ends on the day before `first_day`. `order` is "" for the automatic order; None
    keeps the order.
    """
    table = _hold(season)
    season.name = _read_name(name, table.seasons.exclude(pk=season.pk), field="name")
    before = table.seasons.filter(starts_on__lt=season.starts_on).last()
    _check_first_day(season, before, first_day)
    season.starts_on = first_day
    season.order = season.order if order is None else order
    season.save(update_fields=["name", "starts_on", "order"])
    if before is not None:
        before.starts_on, before.ends_on = first_day_of(before), first_day - DAY
        before.save(update_fields=["starts_on", "ends_on"])
    _sort_games(table)
    tell(table, Change(what=ChangeKind.SEASONS_CHANGED))


@transaction.atomic
def reopen_season(season: Season) -> None:
    """Reopen a season. Raise RuleError unless it is the one closed last.

    The next season is deleted, and its games move to the reopened season. An open season stays as it is.
    """
    table = _hold(season)
    if season.ends_on is None:
        return
    following = table.seasons.get(ends_on=None)
    if following.starts_on != season.ends_on + DAY:
        raise RuleError(_("Only the last closed season can be reopened."))
    following.games.update(season=season)
    following.delete()
    season.ends_on = None
    season.save(update_fields=["ends_on"])
    tell(table, Change(what=ChangeKind.SEASONS_CHANGED))


def first_day_of(season: Season) -> date:
    """Return the first day of a season. The table's first season may begin earlier, with its oldest game."""
    return min(season.starts_on, _first_night(season) or season.starts_on)


def counted_seasons(table: Table) -> list[tuple[Season, int]]:
    """Return each season with the number of its finished games, newest season first.

    If the oldest season has an earlier game, its `starts_on` is set to the night of that game, without saving
    the season.
    """
    over = Q(games__ended_at__isnull=False, games__discarded_at=None)
    counted = table.seasons.annotate(played=Count("games", filter=over)).order_by("-starts_on", "-pk")
    counts: list[tuple[Season, int]] = [(season, season.played) for season in counted]
    oldest, _played = counts[-1]
    oldest.starts_on = first_day_of(oldest)
    return counts


def read_order(text: str, *, field: str = "order") -> SeasonOrder | Literal[""]:
    """Return the order of standings that an HTML form sent; "" stands for automatic.

    Raise RuleError if invalid.
    """
    if text and text not in SeasonOrder.values:
        raise RuleError(_("Choose what the table is sorted by."), field=field)
    return SeasonOrder(text) if text else ""


def read_day(text: str, *, field: str) -> date:
    """Return the day that an HTML form sent. Raise RuleError if it is invalid or before FIRST_YEAR."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise RuleError(_("Choose a day."), field=field) from None
    if day.year < FIRST_YEAR:
        raise RuleError(_("That day is too long ago: check the year."), field=field)
    return day


def _hold(season: Season) -> Table:
    """Lock the season's table and read the season anew. Raise StaleSeasons if it no longer exists."""
    table = lock(season.table)
    try:
        season.refresh_from_db()
    except Season.DoesNotExist:
        raise StaleSeasons from None
    return table


def _read_name(text: str, others: Iterable[Season], *, field: str) -> str:
    """Return the new name of a season as it is stored. Raise RuleError if one of the others has this name."""
    name = read_name(text, longest=SEASON_NAME_LENGTH, field=field)
    if any(same_name(name, other.name) for other in others):
        raise RuleError(_("There is already a season called {name}.", name=name), field=field)
    return name


def _first_night(season: Season) -> date | None:
    """Return the night of the season's first game; None if it has no games."""
    night = season.games.filter(discarded_at=None).aggregate(first=Min("night_number"))["first"]
    return None if night is None else date.fromordinal(night)


def _check_first_day(season: Season, before: Season | None, day: date) -> None:
    """Raise RuleError if this season cannot begin on this day.

    `before` is the season before it; None if this is the table's first season.
    """
    if before is not None and day <= first_day_of(before):
        raise RuleError(_("It must begin after the previous season."), field="first-day")
    played = _first_night(season)
    if before is None and played is not None and day > played:
        raise RuleError(
            _("It must begin on {day} or earlier, the day of its first game.", day=played), field="first-day"
        )
    if season.ends_on is not None and day > season.ends_on:
        raise RuleError(_("A season cannot end before it begins."), field="first-day")
    if day > max(season.starts_on, night_of(now(), season.table)):
        raise RuleError(_("That day is in the future."), field="first-day")


def _sort_games(table: Table) -> None:
    """Assign every game to the season of its night. Games before the first season belong to the first."""
    first, *_others = seasons = list(table.seasons.all())
    for season in seasons:
        games = table.games.exclude(season=season)
        if season != first:
            games = games.filter(night_number__gte=season.starts_on.toordinal())
        if season.ends_on is not None:
            games = games.filter(night_number__lte=season.ends_on.toordinal())
        games.update(season=season)
