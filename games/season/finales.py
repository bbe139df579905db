"""The end of a season (el final de la temporada): its table in the chosen order, its champion, what records fell. Queries only."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta

from games.models import Season, Table
from games.money.balances import People
from games.season.duels import Duel, duels_between_all
from games.season.filters import Filters
from games.season.ordering import Ordering, ordering_of
from games.season.ranking import Ranked, Ranking
from games.season.records import Best, Feat, feats_of
from games.season.standings import Scope, Standings, standings_of

PODIUM = 3
RIVALS = 5  # games before two people are told to be rivals

# Records of one game or of games in a row; sums over a season grow with the seasons counted, so they are not compared.
COMPARED = frozenset(Feat) - {Feat.IN_ONE_GO}


@dataclass(frozen=True)
class Broken:
    """A record of this season that is better than all before it, and the one it took the place of."""

    best: Best
    before: Best


@dataclass(frozen=True)
class Rivalries:
    """The most even and the most one-sided duel of a season, seen by who is ahead; None where nobody met often enough."""

    even: Duel | None = None
    uneven: Duel | None = None


@dataclass(frozen=True)
class Finale:
    """A season as it ended: `feats` are its records, `broken` those of them that are the table's best so far."""

    season: Season
    standings: Standings
    ordering: Ordering
    ranking: Ranking
    feats: tuple[Best, ...]
    broken: tuple[Broken, ...]
    rivalries: Rivalries

    @property
    def champions(self) -> tuple[Ranked, ...]:
        """The members who stand first: several if they are equal, none if no game counts."""
        return tuple(line for line in self.ranking.lines if line.rank == 1)

    @property
    def podium(self) -> tuple[Ranked, ...]:
        """The first three ranks."""
        return tuple(line for line in self.ranking.lines if line.rank <= PODIUM)


def finale_of(table: Table, people: People, season: Season, seasons: Sequence[Season]) -> Finale:
    """Return the final standings and records of this season, compared with everything played before it."""
    filters = Filters(season)
    scope = filters.scope(table, people, seasons)
    standings = standings_of(scope)
    tallies = standings.tallies.values()
    ordering = ordering_of(filters, tallies)
    feats = feats_of(scope, tallies)
    is_first = season == seasons[0]
    return Finale(
        season=season,
        standings=standings,
        ordering=ordering,
        ranking=ordering.rank(tallies),
        feats=feats,
        broken=() if is_first else tuple(_broken(feats, _before(table, people, season))),
        rivalries=_rivalries(duels_between_all(scope)),
    )


def champions_of(
    table: Table, people: People, season: Season, seasons: Sequence[Season]
) -> tuple[Ranked, ...]:
    """Return the champions of a season, without the rest of its finale."""
    filters = Filters(season)
    tallies = standings_of(filters.scope(table, people, seasons)).tallies.values()
    return tuple(line for line in ordering_of(filters, tallies).rank(tallies).lines if line.rank == 1)


def _before(table: Table, people: People, season: Season) -> Mapping[Feat, Best]:
    """Return the records of everything played before this season."""
    scope = Scope(table, people, last=season.starts_on - timedelta(days=1))
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
