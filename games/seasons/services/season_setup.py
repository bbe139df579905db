"""The seasons (temporadas) of a table: create, update and delete them. All of these lock the table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from typing import Literal

from django.db import transaction
from django.db.models import Count, Min, Q
from django.utils.timezone import now

from games.common import days, locks, naming
from games.common.locks import StaleData
from games.models import SEASON_NAME_LENGTH, Season, SeasonOrder, Table
from games.scoring.errors import RuleError
from games.scoring.i18n import _


class StaleSeasons(StaleData):
    """The season was deleted meanwhile."""


def create(
    table: Table, *, name: str, first_day: date, order: SeasonOrder | Literal[""] | None = None
) -> Season:
    """Begin a new season, which ends the one before it, and return it.

    Games from `first_day` on move to the new season. `order` is the order of its standings: "" is automatic,
    and None copies that of the season before. Raise RuleError if the name is invalid or taken, or if the day
    is in the future or not after the first day of the newest season.
    """
    name = naming.clean_name(name, longest=SEASON_NAME_LENGTH)
    with transaction.atomic():
        table = locks.lock(table)
        before = table.seasons.latest("starts_on", "pk")
        _check_name_free(name, table.seasons.all())
        season = Season(
            table=table, name=name, starts_on=first_day, order=before.order if order is None else order
        )
        _check_first_day(season, before, None)
        _move_start_to_first_game(before)
        season.save()
        _reassign_games([before, season])
        locks.bump_version(table)
        return season


def update(
    season: Season,
    *,
    name: str | None = None,
    first_day: date | None = None,
    order: SeasonOrder | Literal[""] | None = None,
) -> None:
    """Change the name, first day or order of a season; None leaves each as it is.

    The previous season then ends on the day before `first_day`, and games between the two move. An `order` of
    "" is automatic. Raise StaleSeasons if the season was deleted, and RuleError if the name is invalid or
    taken or the day is not between the neighboring seasons.
    """
    if name is not None:
        name = naming.clean_name(name, longest=SEASON_NAME_LENGTH)
    with transaction.atomic():
        table = _lock(season)
        if name is not None:
            _check_name_free(name, table.seasons.exclude(pk=season.pk))
            season.name = name
        if first_day is not None and first_day != season.starts_on:
            before = table.seasons.filter(starts_on__lt=season.starts_on).last()
            next_season = table.seasons.filter(starts_on__gt=season.starts_on).first()
            season.starts_on = first_day
            _check_first_day(season, before, next_season)
            if before is not None:
                _move_start_to_first_game(before)
                _reassign_games([before, season])
        if order is not None:
            season.order = order
        season.save(update_fields=["name", "starts_on", "order"])
        locks.bump_version(table)


@transaction.atomic
def delete(season: Season) -> None:
    """Delete a season, whose games move to the one before it.

    Raise StaleSeasons if it was deleted already, and RuleError for the table's first season.
    """
    table = _lock(season)
    before = table.seasons.filter(starts_on__lt=season.starts_on).last()
    if before is None:
        raise RuleError(_("A table has at least one season."))
    season.games.update(season=before)
    season.delete()
    locks.bump_version(table)


def find_last_day(season: Season, seasons: Sequence[Season]) -> date | None:
    """Return the last day of a season, None for the newest. `seasons` are all, oldest first."""
    next_season = next((other for other in seasons if other.starts_on > season.starts_on), None)
    return None if next_season is None else next_season.starts_on - days.ONE_DAY


def effective_first_day(season: Season) -> date:
    """Return the first day of a season, or the night of its oldest game if that was earlier."""
    return min(season.starts_on, _find_first_night(season) or season.starts_on)


def propose_first_day(table: Table, last: date | None) -> date:
    """Return a first day for a new season: tonight, or tomorrow if the last game was tonight."""
    tonight = days.night_for(now(), table)
    return tonight + days.ONE_DAY if last == tonight else tonight


def load_with_game_counts(table: Table) -> list[Season]:
    """Return the seasons, newest first, with the number of finished games (`played`).

    The oldest season starts on its `effective_first_day`; this is not saved.
    """
    is_finished = Q(games__ended_at__isnull=False, games__discarded_at=None)
    seasons: list[Season] = [
        *table.seasons.annotate(played=Count("games", filter=is_finished)).order_by("-starts_on", "-pk")
    ]
    seasons[-1].starts_on = effective_first_day(seasons[-1])
    return seasons


def parse_order(text: str, *, field: str = "order") -> SeasonOrder | Literal[""]:
    """Return the order that a form sent, "" for automatic. Raise RuleError if it is invalid."""
    if text and text not in SeasonOrder.values:
        raise RuleError(_("Choose what the standings are sorted by."), field=field)
    return SeasonOrder(text) if text else ""


def _lock(season: Season) -> Table:
    """Lock the season's table and reload the season. Raise StaleSeasons if it no longer exists."""
    table = locks.lock(season.table)
    try:
        season.refresh_from_db()
    except Season.DoesNotExist:
        raise StaleSeasons from None
    return table


def _check_name_free(name: str, others: Iterable[Season]) -> None:
    if any(naming.names_match(name, other.name) for other in others):
        raise RuleError(_("There is already a season called {name}.", name=name), field="name")


def _move_start_to_first_game(season: Season) -> None:
    """Move the first day of a season back to its oldest game, so that the next season can begin after it."""
    season.starts_on = effective_first_day(season)
    season.save(update_fields=["starts_on"])


def _find_first_night(season: Season) -> date | None:
    night = season.games.filter(discarded_at=None).aggregate(first=Min("night_number"))["first"]
    return None if night is None else date.fromordinal(night)


def _check_first_day(season: Season, before: Season | None, next_season: Season | None) -> None:
    day = season.starts_on
    if day.year < days.FIRST_YEAR:
        raise RuleError(_("That day is too long ago: check the year."), field="first_day")
    if before is not None and day <= effective_first_day(before):
        raise RuleError(_("It must start after the previous season."), field="first_day")
    played = _find_first_night(season) if season.pk and before is None else None
    if played is not None and day > played:
        raise RuleError(
            _("It must start on {day} or earlier, the day of its first game.", day=played), field="first_day"
        )
    if next_season is not None and day >= next_season.starts_on:
        raise RuleError(_("It must start before the next season."), field="first_day")
    if day > days.night_for(now(), season.table) + days.ONE_DAY:
        raise RuleError(_("That day is in the future."), field="first_day")


def _reassign_games(neighbours: Sequence[Season]) -> None:
    """Move the games of two neighboring seasons to the season of their night, after the border moved."""
    earlier, later = neighbours
    first_night = later.starts_on.toordinal()
    later.games.filter(night_number__lt=first_night).update(season=earlier)
    earlier.games.filter(night_number__gte=first_night).update(season=later)
