"""The history of a table, the champions of a season, and the changes of a game that alter one.

`seasons` are always all seasons of the table, oldest first.

This module reads from the database and writes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from django.db.models import Count, Max, Min

from games.models import Season, Table
from games.seasons.filters import Filters
from games.seasons.ordering import ordering_of
from games.seasons.ranking import Ranked, Ranking
from games.seasons.standings import Scope, standings_of
from games.tables.people import People


@dataclass(frozen=True)
class History:
    """The variants that a table ever played, the most played first, and its first and last night."""

    variants: tuple[str, ...] = ()
    first: date | None = None
    last: date | None = None

    @property
    def years(self) -> range:
        """The years from the first finished game to the last."""
        return range(self.first.year, self.last.year + 1) if self.first and self.last else range(0)


def history_of(table: Table, people: People) -> History:
    """Return what the table ever played, in one query."""
    games = Scope(table, people).games().values("variant")
    counted = games.annotate(times=Count("pk"), first=Min("night_number"), last=Max("night_number"))
    rows = list(counted.order_by("-times", "variant"))
    if not rows:
        return History()
    first, last = min(row["first"] for row in rows), max(row["last"] for row in rows)
    variants = tuple(row["variant"] for row in rows)
    return History(variants, date.fromordinal(first), date.fromordinal(last))


def champions_of(ranking: Ranking) -> tuple[Ranked, ...]:
    """Return the lines in first place: several if they are tied, none if no game counts."""
    return tuple(line for line in ranking.lines if line.rank == 1)


def past_champions(
    table: Table, people: People, season: Season, seasons: Sequence[Season]
) -> tuple[Ranked, ...]:
    """Return the champions of a season of which nothing else is read."""
    filters = Filters(season)
    tallies = standings_of(filters.scope(table, people, seasons)).tallies.values()
    return champions_of(ordering_of(filters, tallies).rank(tallies))
