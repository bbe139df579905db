"""The seasons of a table in a list, each with the fields of its HTML form, and those of the next one."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from django.utils.timezone import now

from games.common.nights import night_of
from games.models import Season, Table
from games.seasons.pages.tales import span_of
from games.seasons.seasons import next_first_day
from games.seasons.summaries import History


@dataclass(frozen=True)
class SeasonFields:
    """The fields of a season's form: the present values, or those that were typed and refused.

    `mark` ends the ids of this form, `errors` has the refusals by field.
    """

    mark: str
    name: str
    first_day: str
    order: str
    errors: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class SeasonRow:
    """A season in the list. `may_be_dropped` is false for the first season."""

    pk: str
    name: str
    span: str
    may_be_dropped: bool
    fields: SeasonFields


def mark_of(season: Season | None) -> str:
    """Return what ends the ids of this season's form; "" for the form of a new one."""
    return "" if season is None else f"-{season.pk}"


def season_rows(
    newest_first: Sequence[Season], history: History, typed: Mapping[Season | None, SeasonFields]
) -> Sequence[SeasonRow]:
    """Return a row for each season of a table; `typed` has the fields of a refused form.

    The oldest season begins with the table's first game, if that was earlier.
    """
    seasons = newest_first[::-1]
    seasons[0].starts_on = min(seasons[0].starts_on, history.first or seasons[0].starts_on)
    return [
        SeasonRow(
            pk=str(season.pk),
            name=season.name,
            span=span_of(season, seasons),
            may_be_dropped=season != seasons[0],
            fields=typed.get(season)
            or SeasonFields(mark_of(season), season.name, season.starts_on.isoformat(), season.order),
        )
        for season in newest_first
    ]


def fields_of_next(table: Table, seasons: Sequence[Season], history: History) -> SeasonFields:
    """Return the proposed fields of a new season; `seasons` are the table's, newest first."""
    name = _free_name([season.name for season in seasons], table)
    return SeasonFields(
        mark_of(None), name, next_first_day(table, history.last).isoformat(), seasons[0].order
    )


def _free_name(taken: Collection[str], table: Table) -> str:
    """Return the name of the year, with a number if a season has it."""
    year = night_of(now(), table).year
    names = itertools.chain([str(year)], (f"{year} ({number})" for number in itertools.count(2)))
    return next(name for name in names if name not in taken)
