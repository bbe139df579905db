"""A season's standings (tabla de posiciones), ranked by one figure: wins, points, average or money."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from games.models import SeasonOrder
from games.seasons.standings import Tally


@dataclass(frozen=True)
class Ranked:
    """A line of the standings. Members with equal figures share a rank."""

    rank: int
    tally: Tally
    points: int
    average: Fraction


@dataclass(frozen=True)
class Ranking:
    """Standings: the ranked `lines`, best first, and `others`, the members with too few games for a rank."""

    lines: tuple[Ranked, ...]
    others: tuple[Tally, ...]


def ranking_of(tallies: Iterable[Tally], by: SeasonOrder, *, least: int = 1, drop: int = 0) -> Ranking:
    """Rank the members with at least `least` games by the figure `by`, best first.

    The points and averages leave out each member's worst `drop` games; wins and money do not. Members with
    equal figures share a rank and are sorted by the other figures.
    """
    everybody = list(tallies)
    figures = {
        tally.member.slug: {
            SeasonOrder.WINS: tally.wins,
            SeasonOrder.POINTS: tally.points(drop=drop),
            SeasonOrder.AVERAGE: tally.average(drop=drop),
            SeasonOrder.MONEY: tally.net,
        }
        for tally in everybody
        if tally.games >= least
    }
    order = (by, *(other for other in SeasonOrder if other is not by))
    best = sorted(
        (tally for tally in everybody if tally.member.slug in figures),
        key=lambda tally: [figures[tally.member.slug][figure] for figure in order],
        reverse=True,
    )
    ahead = [figures[tally.member.slug][by] for tally in best]
    lines = tuple(
        Ranked(
            1 + ahead.index(figures[tally.member.slug][by]),
            tally,
            tally.points(drop=drop),
            tally.average(drop=drop),
        )
        for tally in best
    )
    return Ranking(lines, tuple(tally for tally in everybody if tally.member.slug not in figures))
