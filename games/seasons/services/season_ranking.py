"""A season's standings (tabla de posiciones): the games that count, their order, and the champions."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from math import ceil
from operator import attrgetter

from django.db.models import Count, Max, Min

from games.common import days
from games.models import Season, SeasonOrder, Table
from games.scoring.errors import RuleError
from games.scoring.variants import get_variant_by_title
from games.seasons.services.season_standings import GameScope, MemberTotals
from games.tables.services.roster import People

ALL_SEASONS = "all"


@dataclass(frozen=True)
class Filters:
    """The filters for the games that count. `season` is None for all seasons and for a year.

    `by` is the order of the standings, None if none was requested. `first` and `last` are nights.
    """

    season: Season | None
    by: SeasonOrder | None = None
    variant: str = ""
    first: date | None = None
    last: date | None = None

    def scope(self, table: Table, people: People, seasons: Sequence[Season]) -> GameScope:
        """Return the games that match these filters. `seasons` are all of the table's, oldest first."""
        scope = GameScope(table, people, self.first, self.last, self.variant)
        return scope if self.season is None else scope.within(self.season, seasons)


def parse_filters(query: Mapping[str, str], seasons: Sequence[Season], today: date) -> Filters:
    """Return the filters in a page's query: a season, all seasons or a year; by default the current season.

    `seasons` are all of the table's, oldest first. All seasons and a year use the current season's order.
    """
    current, year = days.season_among(seasons, today), _parse_year(query.get("year", ""))
    season_key, known = query.get("season", ""), {str(season.pk): season for season in seasons}
    season = None if year or season_key == ALL_SEASONS else known.get(season_key, current)
    by = query.get("by") or (current.order if season is None else "")
    return Filters(
        season=season,
        by=SeasonOrder(by) if by in set(SeasonOrder) else None,
        variant=_clean_variant(query.get("game", "")),
        first=date(year, 1, 1) if year else None,
        last=date(year, 12, 31) if year else None,
    )


def _clean_variant(title: str) -> str:
    try:
        get_variant_by_title(title)
    except RuleError:
        return ""
    return title


def _parse_year(text: str) -> int | None:
    if not (text.isascii() and text.isdigit() and len(text) == 4):
        return None
    return int(text) if int(text) >= days.FIRST_YEAR else None


@dataclass(frozen=True)
class RankedLine:
    """A line of the standings. Members with equal figures share a rank.

    `place` is the rank, or None as long as everybody's figure is zero, as after a pot that was shared: then
    nobody leads.
    """

    rank: int
    place: int | None
    tally: MemberTotals


@dataclass(frozen=True)
class Ranking:
    """Standings: the ranked `lines`, best first, and `others`, the members with too few games for a rank."""

    lines: tuple[RankedLine, ...]
    others: tuple[MemberTotals, ...]


ORDER_FIGURES = {
    SeasonOrder.WINS: attrgetter("wins"),
    SeasonOrder.POINTS: attrgetter("points"),
    SeasonOrder.AVERAGE: attrgetter("average"),
    SeasonOrder.MONEY: attrgetter("net"),
}

# --- order and minimum of games ---------------------------------------------------------------------------------------

# points per game rank only members with at least a third of the most games anybody played
MIN_GAMES_DIVISOR = 3


@dataclass(frozen=True)
class Ordering:
    """The order of standings: the figure `by`, and `least`, the minimum of games for a rank."""

    by: SeasonOrder
    least: int

    def rank(self, tallies: Collection[MemberTotals], by: SeasonOrder | None = None) -> Ranking:
        """Return the standings in this order, or in the order `by` with the same minimum.

        Ties are sorted by the other figures, but share a rank.
        """
        by = by or self.by
        order = [ORDER_FIGURES[by], *(figure for other, figure in ORDER_FIGURES.items() if other is not by)]
        eligible = [tally for tally in tallies if tally.games >= self.least]
        best = sorted(eligible, key=lambda tally: [figure(tally) for figure in order], reverse=True)
        ahead = [ORDER_FIGURES[by](tally) for tally in best]
        ranks = [1 + ahead.index(figure) for figure in ahead]
        places = ranks if any(ahead) else [None] * len(ranks)
        lines = tuple(map(RankedLine, ranks, places, best))
        others = tuple(tally for tally in tallies if tally.games < self.least)
        return Ranking(lines, others)


def resolve_ordering(filters: Filters, tallies: Collection[MemberTotals]) -> Ordering:
    """Return the requested order, or the season's, or by money if there is any, or by wins."""
    suited = SeasonOrder.MONEY if any(tally.net for tally in tallies) else SeasonOrder.WINS
    by = filters.by or SeasonOrder((filters.season and filters.season.order) or suited)
    most = max((tally.games for tally in tallies), default=0)
    return Ordering(by, max(1, ceil(most / MIN_GAMES_DIVISOR)) if by is SeasonOrder.AVERAGE else 1)


# --- history and champions --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class TableHistory:
    """The variants ever played at a table, most played first, and its first and last night."""

    variants: tuple[str, ...] = ()
    first: date | None = None
    last: date | None = None

    @property
    def years(self) -> range:
        return range(self.first.year, self.last.year + 1) if self.first and self.last else range(0)


def load_history(table: Table, people: People) -> TableHistory:
    """Return the table's history in one query."""
    games = GameScope(table, people).games().values("variant")
    counted = games.annotate(times=Count("pk"), first=Min("night_number"), last=Max("night_number"))
    rows = list(counted.order_by("-times", "variant"))
    if not rows:
        return TableHistory()
    first, last = min(row["first"] for row in rows), max(row["last"] for row in rows)
    variants = tuple(row["variant"] for row in rows)
    return TableHistory(variants, date.fromordinal(first), date.fromordinal(last))


def champions(ranking: Ranking) -> tuple[RankedLine, ...]:
    """Return the lines in first place: several if they are tied, none if nobody leads."""
    return tuple(line for line in ranking.lines if line.place == 1)
