"""The filters of a season page, read from the query parameters. Invalid parameters are ignored.

A *scope* is the filter for games that the queries take: nights and a variant.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from games.common.nights import FIRST_YEAR
from games.models import Season, SeasonOrder, Table
from games.scoring.errors import RuleError
from games.scoring.variants import find_titled
from games.seasons.standings import Scope
from games.tables.people import People

ALL = "all"
LEAST = (1, 3, 5, 10, 20)
DROPS = (0, 1, 2, 3, 5)


@dataclass(frozen=True)
class Filters:
    """The filters for the games that count. `season` is None for all seasons, and for the days of a year.

    `by` is the order of the standings, `least` the minimum of games for a rank; None if not given. `drop` is
    the number of worst games that give no points.
    """

    season: Season | None
    by: SeasonOrder | None = None
    variant: str = ""
    first: date | None = None
    last: date | None = None
    least: int | None = None
    drop: int = DROPS[0]

    def scope(self, table: Table, people: People, seasons: Sequence[Season]) -> Scope:
        """Return the scope of games that match these filters.

        `seasons` are all seasons of the table, oldest first.
        """
        wanted = Scope(table, people, self.first, self.last, self.variant)
        return wanted if self.season is None else wanted.within(self.season, seasons)


def read_filters(query: Mapping[str, str], seasons: Sequence[Season]) -> Filters:
    """Read the filters of a page. They select a season, all seasons or a year; by default the newest season.

    `seasons` are all seasons of the table, oldest first. All seasons and a year have the order of the newest.
    """
    newest, year, season_key = seasons[-1], _year(query.get("year", "")), query.get("season", "")
    known = {str(season.pk): season for season in seasons}
    season = None if year or season_key == ALL else known.get(season_key, newest)
    by = query.get("by") or (newest.order if season is None else "")
    return Filters(
        season=season,
        by=SeasonOrder(by) if by in set(SeasonOrder) else None,
        variant=_variant(query.get("game", "")),
        first=date(year, 1, 1) if year else None,
        last=date(year, 12, 31) if year else None,
    )


def _variant(title: str) -> str:
    try:
        find_titled(title)
    except RuleError:
        return ""
    return title


def _year(text: str) -> int | None:
    if not (text.isascii() and text.isdigit() and len(text) == 4):
        return None
    return int(text) if int(text) >= FIRST_YEAR else None
