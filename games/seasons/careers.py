"""One member's career: sums by card game, the number of times in each place, and the games.

A *scope* is a filter for games: nights and a variant. A *variant* is a card game, such as `chinchon`.

This module reads from the database and writes nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from operator import attrgetter

from django.db.models import Count, Max, Q, Sum

from games.models import Member, Result
from games.seasons.standings import IN_ORDER, Scope


@dataclass(frozen=True)
class Played:
    """The sums of one member's games of one variant.

    `net` is money and includes refunded games; the other sums do not. `points` are placing points, one for
    each player placed behind. `total` adds up the final scores of the `totals` games of which the score is
    known.
    """

    variant: str
    games: int = 0
    wins: int = 0
    points: int = 0
    net: int = 0
    total: int = 0
    totals: int = 0


@dataclass(frozen=True)
class Career:
    """A member's career: sums by variant (the most played first), and figures over all variants.

    `places` has the number of games by place. `in_one_go` is the number of rounds closed in one go,
    `survived` the most rounds in a row survived close to going bust, `most_won` the most money won in one
    game.
    """

    played: tuple[Played, ...]
    places: Mapping[int, int]
    rounds_won: int
    in_one_go: int
    reentries: int
    most_reentries: int
    survived: int
    most_won: int


def career_of(scope: Scope, member: Member) -> Career:
    """Return the member's career in this scope, without the list of games."""
    rows = list(
        scope.results(member)
        .values("variant", "place")
        .annotate(
            times=Count("pk"),
            wins=Count("pk", filter=Q(won=True)),
            placing=Sum("points"),
            money=Sum("net"),
            written=Sum("total"),
            known=Count("total"),
            rounds=Sum("rounds_won"),
            closed=Sum("in_one_go"),
            back=Sum("reentries"),
            most_back=Max("reentries"),
            most_survived=Max("survived"),
            most_money=Max("net"),
        )
        .order_by("variant", "place")
    )
    counted = [row for row in rows if row["place"] is not None]
    played: dict[str, Counter[str]] = {}
    places: Counter[int] = Counter()
    for row in rows:
        own = played.setdefault(row["variant"], Counter())
        own["net"] += int(row["money"])
        if row["place"] is None:
            continue
        places[row["place"]] += row["times"]
        own.update(
            games=row["times"],
            wins=row["wins"],
            points=int(row["placing"]),
            total=int(row["written"] or 0),
            totals=row["known"],
        )
    by_game = (Played(variant, **own) for variant, own in played.items())
    return Career(
        played=tuple(sorted(by_game, key=attrgetter("games"), reverse=True)),
        places=dict(sorted(places.items())),
        rounds_won=sum(int(row["rounds"]) for row in counted),
        in_one_go=sum(int(row["closed"]) for row in counted),
        reentries=sum(int(row["back"]) for row in counted),
        most_reentries=max((row["most_back"] for row in counted), default=0),
        survived=max((row["most_survived"] for row in counted), default=0),
        most_won=max((row["most_money"] for row in rows), default=0),
    )


def games_of(scope: Scope, member: Member, *, start: int, count: int) -> tuple[list[Result], bool]:
    """Return a page of the member's results with their games, newest first, and whether more follow.

    The page has at most `count` results, after skipping the newest `start`.
    """
    newest = scope.results(member).order_by(*(f"-{field}" for field in IN_ORDER))
    rows = list(newest.select_related("game")[start : start + count + 1])
    return rows[:count], len(rows) > count
