"""The summary of a season or a year (el resumen): standings, champions, broken records, closest duels.

`seasons` are always all seasons of the table, oldest first.

This module reads from the database and writes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from django.db.models import Max, Min

from games.models import Game, Season, Table
from games.money.balances import People
from games.scoring.ledger import nets, places
from games.scoring.state import GameState
from games.season.duels import Duel, duels_between_all
from games.season.filters import Filters
from games.season.ordering import Ordering, ordering_of
from games.season.ranking import Ranked, Ranking
from games.season.records import Best, Feat, feats_of
from games.season.standings import Scope, Standings, standings_of

PODIUM = 3
RIVALS = 5  # the fewest common games of two rivals

# The records that are compared with those of earlier seasons. IN_ONE_GO is left out: it is a sum over a whole
# season, so it cannot be compared with a sum over all seasons before.
COMPARED = frozenset(Feat) - {Feat.IN_ONE_GO}


@dataclass(frozen=True)
class Broken:
    """A record of the season or year that is better than the record of all earlier games (`before`)."""

    best: Best
    before: Best


@dataclass(frozen=True)
class Rivalries:
    """The most even and the most one-sided duel of a season or year: two members' results against each other.

    In each duel, `one` is the member who placed better at least as often as `other`. A duel is None if no two
    members have played together often enough. `uneven` is also None if the most one-sided duel is the `even`
    one, or if nobody leads in it.
    """

    even: Duel | None = None
    uneven: Duel | None = None


@dataclass(frozen=True)
class Summary:
    """The summary of a season or a year.

    `feats` are its records, `broken` those that are better than the record of all earlier games.
    """

    standings: Standings
    ordering: Ordering
    ranking: Ranking
    feats: tuple[Best, ...]
    broken: tuple[Broken, ...]
    rivalries: Rivalries

    @property
    def champions(self) -> tuple[Ranked, ...]:
        """The members in first place: several if they are tied, none if no game counts."""
        return tuple(line for line in self.ranking.lines if line.rank == 1)

    @property
    def podium(self) -> tuple[Ranked, ...]:
        """The lines of the members who rank first, second or third."""
        return tuple(line for line in self.ranking.lines if line.rank <= PODIUM)


def summary_of(table: Table, people: People, filters: Filters, seasons: Sequence[Season]) -> Summary:
    """Return the summary of the games that these filters select: a season, or the days of a year.

    Its records are compared with those of all games before its first night.
    """
    scope = filters.scope(table, people, seasons)
    standings = standings_of(scope)
    tallies = standings.tallies.values()
    ordering = ordering_of(filters, tallies)
    feats = feats_of(scope, tallies)
    return Summary(
        standings=standings,
        ordering=ordering,
        ranking=ordering.rank(tallies),
        feats=feats,
        broken=() if scope.first is None else tuple(_broken(feats, _before(table, people, scope.first))),
        rivalries=_rivalries(duels_between_all(scope)),
    )


def years_of(table: Table, people: People) -> range:
    """Return the years from the first finished game to the last. Without games, the range is empty."""
    extent = Scope(table, people).games().aggregate(first=Min("night_number"), last=Max("night_number"))
    if extent["first"] is None:
        return range(0)
    return range(date.fromordinal(extent["first"]).year, date.fromordinal(extent["last"]).year + 1)


def champions_of(
    table: Table, people: People, season: Season, seasons: Sequence[Season]
) -> tuple[Ranked, ...]:
    """Return the champions of a season, without computing the rest of the summary."""
    filters = Filters(season)
    tallies = standings_of(filters.scope(table, people, seasons)).tallies.values()
    return tuple(line for line in ordering_of(filters, tallies).rank(tallies).lines if line.rank == 1)


def altered_season(game: Game, before: GameState, after: GameState | None) -> Season | None:
    """Return the season of the game if this change alters its standings; else None.

    `before` and `after` are the states of the game before and after the change; `after` is None if the game
    is discarded or removed.
    """
    return None if _counted(before) == _counted(after) else game.season


def _counted(state: GameState | None) -> object:
    """Return a tuple of all values in a game that standings add up, to compare two states of the game.

    Return None if the game does not count: it is unfinished, or `state` is None because the game is discarded
    or cannot be read.
    """
    if state is None or state.outcome is None:
        return None
    players = [(player.id, player.total, player.reentries) for player in state.players]
    return (
        nets(state),
        places(state),
        state.outcome.winners,
        state.outcome.refunded,
        state.outcome.agreed,
        players,
        len(state.rounds),
    )


def _before(table: Table, people: People, first_day: date) -> Mapping[Feat, Best]:
    """Return the records of all games before this day, by statistic."""
    scope = Scope(table, people, last=first_day - timedelta(days=1))
    return {best.feat: best for best in feats_of(scope, standings_of(scope).tallies.values())}


def _broken(feats: Iterable[Best], before: Mapping[Feat, Best]) -> Iterable[Broken]:
    for best in feats:
        old = before.get(best.feat) if best.feat in COMPARED else None
        if old is not None and _is_better(best, old):
            yield Broken(best, old)


def _is_better(best: Best, old: Best) -> bool:
    if best.feat is Feat.FEWEST_ROUNDS:
        return best.value < old.value
    return best.value > old.value


def _rivalries(duels: Mapping[tuple[str, str], Duel]) -> Rivalries:
    met = [
        duel if duel.ahead >= duel.behind else duel.turned for duel in duels.values() if duel.games >= RIVALS
    ]
    if not met:
        return Rivalries()
    even = min(met, key=lambda duel: (duel.ahead - duel.behind, -duel.games))
    uneven = max(met, key=lambda duel: ((duel.ahead - duel.behind) / duel.games, duel.games))
    return Rivalries(even, uneven if uneven is not even and uneven.ahead > uneven.behind else None)
