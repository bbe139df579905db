"""Head-to-head (mano a mano): the results of two members in the games that both played, read from the database."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

from django.db.models import Count, F, Q, QuerySet, Sum

from games.models import Game, Member, Result
from games.seasons.standings import COUNTS, IN_ORDER, Scope, Tally

BUSIEST = 3  # members among whom the classic is sought
RIVALS = 3  # the fewest common games of a classic
AHEAD, BEHIND = Q(place__lt=F("theirs")), Q(place__gt=F("theirs"))


@dataclass(frozen=True)
class Duel:
    """The head-to-head result of two members, `one` and `other`, in the `games` that both played.

    In `ahead` of these games `one` placed better than `other`, in `behind` worse.
    """

    one: Member
    other: Member
    games: int = 0
    ahead: int = 0
    behind: int = 0

    @property
    def level(self) -> int:
        """The number of games in which the two members shared a place."""
        return self.games - self.ahead - self.behind

    @property
    def turned(self) -> Duel:
        """The same duel with the two members swapped."""
        return Duel(self.other, self.one, self.games, self.behind, self.ahead)


@dataclass(frozen=True)
class Meeting:
    """One game that both members played: the places and the money of both, in pairs like `(one, other)`."""

    game: Game
    places: tuple[int, int]
    nets: tuple[int, int]


@dataclass(frozen=True)
class Encounters:
    """A duel with more figures: the wins and the money of both members, and their newest common games.

    `wins` and `nets` are pairs: first the value of `duel.one`, then that of `duel.other`.
    """

    duel: Duel
    wins: tuple[int, int]
    nets: tuple[int, int]
    last: tuple[Meeting, ...]


def duels_of(scope: Scope, member: Member) -> tuple[Duel, ...]:
    """Return the member's duels with all members they have played with, the most games first."""
    rows = _both(scope.results(member)).exclude(other__in=scope.people.rows_of(member))
    duels = [duel for duel in _duels(scope, rows) if duel.one == member]
    return tuple(sorted(duels, key=lambda duel: -duel.games))


def duels_between_all(scope: Scope) -> Mapping[tuple[str, str], Duel]:
    """Return all duels by the slugs of their members, both as `(one, other)` and as `(other, one)`."""
    rows = _both(scope.results()).filter(other__gt=F("member"))
    return {(duel.one.slug, duel.other.slug): duel for duel in _duels(scope, rows)}


def classic_of(scope: Scope, tallies: Iterable[Tally]) -> Duel | None:
    """Return the duel (*el clásico*) of two of the busiest members, who met most often; of equals, the closest.

    Its `one` is the member who came before the other at least as often. None if nobody met often enough. Only
    the busiest are asked about, because the duels of everybody take longer than the whole page.
    """
    busiest = [tally.member for tally in sorted(tallies, key=attrgetter("games"), reverse=True)[:BUSIEST]]
    there = [row for member in busiest for row in scope.people.rows_of(member)]
    rows = _both(scope.results(*busiest)).filter(other__in=there, other__gt=F("member"))
    met = [duel for duel in _duels(scope, rows) if duel.games >= RIVALS and duel.ahead >= duel.behind]
    return max(met, key=lambda duel: (duel.games, duel.behind - duel.ahead), default=None)


def encounters_of(scope: Scope, one: Member, other: Member, *, last: int) -> Encounters:
    """Return the sums of two members' common games, and the newest `last` of these games."""
    rows = _both(scope.results(one)).filter(other__in=scope.people.rows_of(other))
    sums = rows.aggregate(
        games=Count("pk"),
        ahead=Count("pk", filter=AHEAD),
        behind=Count("pk", filter=BEHIND),
        wins=Count("pk", filter=Q(won=True)),
        their_wins=Count("pk", filter=Q(they_won=True)),
        money=Sum("net"),
        their_money=Sum("their_net"),
    )
    newest = rows.order_by(*(f"-{field}" for field in IN_ORDER))
    meetings = list(newest.values_list("game_id", "place", "theirs", "net", "their_net")[:last])
    games = Game.objects.in_bulk([game for game, *_figures in meetings])
    return Encounters(
        Duel(one, other, sums["games"], sums["ahead"], sums["behind"]),
        wins=(sums["wins"], sums["their_wins"]),
        nets=(int(sums["money"] or 0), int(sums["their_money"] or 0)),
        last=tuple(
            Meeting(games[game], (place, theirs), (net, their_net))
            for game, place, theirs, net, their_net in meetings
        ),
    )


def _both(results: QuerySet[Result]) -> QuerySet[Any]:
    """Return rows that pair each of these results with each result of the same game.

    The second result's member, place, win and money are annotated as `other`, `theirs`, `they_won` and
    `their_net`. Results without a place are left out. A result is also paired with itself.
    """
    return (
        results.filter(COUNTS)
        .annotate(
            other=F("game__results__member"),
            theirs=F("game__results__place"),
            they_won=F("game__results__won"),
            their_net=F("game__results__net"),
        )
        .filter(theirs__isnull=False)
    )


def _duels(scope: Scope, rows: QuerySet[Any]) -> Iterator[Duel]:
    """Yield each duel twice, with either member as `one`, from rows of `_both`; merged members are one."""
    sums: dict[tuple[str, str], Counter[str]] = {}
    counted = rows.values("member", "other").annotate(
        games=Count("pk"), ahead=Count("pk", filter=AHEAD), behind=Count("pk", filter=BEHIND)
    )
    by_pk = scope.people.by_pk
    for row in counted.order_by("member", "other"):
        one, other = by_pk[row["member"]].slug, by_pk[row["other"]].slug
        ahead, behind = row["ahead"], row["behind"]
        if (other, one) in sums:
            one, other, ahead, behind = other, one, behind, ahead
        sums.setdefault((one, other), Counter()).update(games=row["games"], ahead=ahead, behind=behind)
    for (one, other), figures in sums.items():
        duel = Duel(scope.people.by_slug[one], scope.people.by_slug[other], **figures)
        yield duel
        yield duel.turned
