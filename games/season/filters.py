"""The filters of a season page, read from the query parameters. Invalid parameters are ignored.

A *scope* is the filter for games that the queries take: nights and a variant.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from games.models import Season, SeasonOrder, Table
from games.money.balances import People
from games.scoring.errors import RuleError
from games.scoring.variants import find_titled
from games.season.standings import Scope

ALL = "all"
LEAST = (1, 3, 5, 10, 20)
DROPS = (0, 1, 2, 3, 5)


@dataclass(frozen=True)
class Filters:
    """The filters in a page's query parameters. `season` is None for all seasons.

    `by` is the order of the standings, `least` the minimum of games for a rank; None if not given. `drop` is
    the number of worst games that give no points. With `is_upwards` the standings are shown in reverse order.
    """

    season: Season | None
    by: SeasonOrder | None = None
    is_upwards: bool = False
    variant: str = ""
    first: date | None = None
    last: date | None = None
    least: int | None = None
    drop: int = DROPS[0]

    @property
    def of_games(self) -> Filters:
        """The filters that select games, without `least` and `drop`, which only affect the standings."""
        return replace(self, least=None, drop=DROPS[0])

    @property
    def is_backwards(self) -> bool:
        """True if the last day is before the first day, so that no game matches."""
        return self.first is not None and self.last is not None and self.last < self.first

    def scope(self, table: Table, people: People, seasons: Sequence[Season]) -> Scope:
        """Return the scope of games that match these filters.

        `seasons` are all seasons of the table, oldest first.
        """
        wanted = Scope(table, people, self.first, self.last, self.variant)
        return wanted if self.season is None else wanted.within(self.season, seasons)


def read_filters(query: Mapping[str, str], seasons: Sequence[Season]) -> Filters:
    """Read the filters from the query parameters. If these name no season, select the newest one.

    `seasons` are all seasons of the table, oldest first.
    """
    season_key = query.get("season", "")
    known = {str(season.pk): season for season in seasons}
    return Filters(
        season=None if season_key == ALL else known.get(season_key, seasons[-1]),
        by=SeasonOrder(query["by"]) if query.get("by") in set(SeasonOrder) else None,
        is_upwards=query.get("up") == "yes",
        variant=_variant(query.get("game", "")),
        first=_day(query.get("from", "")),
        last=_day(query.get("to", "")),
        least=_one_of(LEAST, query.get("least", "")),
        drop=_one_of(DROPS, query.get("drop", "")) or DROPS[0],
    )


def _variant(title: str) -> str:
    try:
        find_titled(title)
    except RuleError:
        return ""
    return title


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def _one_of(offered: Sequence[int], text: str) -> int | None:
    return next((number for number in offered if str(number) == text), None)
