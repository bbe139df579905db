"""Records (récords) of a season, the best value of each statistic and who holds it, and one member's career."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import reduce
from operator import attrgetter, itemgetter, or_

from django.db.models import Count, Max, Q, QuerySet, Subquery, Sum

from games.models import Game, Member, Result
from games.seasons.standings import COUNTS, IN_ORDER, Scope, Tally


class Feat(StrEnum):
    """The statistics for which a season keeps records."""

    REENTRIES = "reentries"
    POT = "pot"
    SURVIVED = "survived"
    FEWEST_ROUNDS = "fewest_rounds"
    IN_ONE_GO = "in_one_go"
    STREAK = "streak"


@dataclass(frozen=True)
class Best:
    """A record: the statistic, its best value, and all members who have reached this value.

    `game` is the first game in which somebody reached it; None for a record over several games.
    """

    feat: Feat
    holders: tuple[Member, ...]
    value: int
    game: Game | None = None


def feats_of(scope: Scope, tallies: Iterable[Tally]) -> tuple[Best, ...]:
    """Return the records of the games in this scope with a value above 0; `tallies` are those of the scope."""
    order = list(Feat)
    return tuple(
        sorted(
            (*_in_one_game(scope), *_over_many_games(list(tallies))), key=lambda best: order.index(best.feat)
        )
    )


def _in_one_game(scope: Scope) -> Iterator[Best]:
    results, games = scope.results().filter(COUNTS), scope.games()
    top = _top_games(results, games)
    holders = _holders(
        scope, results, {feat: _is_as_good(feat, value, games) for feat, (value, _game) in top.items()}
    )
    for feat, (value, game) in top.items():
        if holders[feat]:
            yield Best(feat, holders[feat], value, game)


def _top_games(results: QuerySet[Result], games: QuerySet[Game]) -> Mapping[Feat, tuple[int, Game]]:
    """Return for each statistic the best value and the first game in which it was reached, in one query."""
    firsts = (
        results.filter(reentries__gt=0).order_by("-reentries", *IN_ORDER).values("game"),
        results.filter(survived__gt=0).order_by("-survived", *IN_ORDER).values("game"),
        # A pot that was shared by agreement is nobody's record.
        results.filter(won=True, game__pot__gt=0).order_by("-game__pot", *IN_ORDER).values("game"),
        games.filter(decided_in__gt=0).order_by("decided_in", "night_number", "pk").values("pk"),
    )
    is_first = reduce(or_, (Q(pk=Subquery(rows[:1])) for rows in firsts))
    first_games = Game.objects.filter(is_first).order_by("night_number", "pk")
    read = list(
        first_games.annotate(
            reentries=Max("results__reentries"),
            survived=Max("results__survived"),
            won_pot=Max("pot", filter=Q(results__won=True)),
        )
    )
    top: dict[Feat, tuple[int, Game]] = {}
    # For each statistic, `read` has the first game with the best value. `read` is sorted, oldest game first,
    # and `max` and `min` return the first of equals. So they return this game.
    for feat, figure, best in (
        (Feat.REENTRIES, "reentries", max),
        (Feat.SURVIVED, "survived", max),
        (Feat.POT, "won_pot", max),
        (Feat.FEWEST_ROUNDS, "decided_in", min),
    ):
        done = [(getattr(game, figure), game) for game in read if getattr(game, figure)]
        if done:
            top[feat] = best(done, key=itemgetter(0))
    return top


def _is_as_good(feat: Feat, value: int, games: QuerySet[Game]) -> Q:
    """Return a filter for the results of these games that reach this value of the statistic `feat`."""
    match feat:
        case Feat.POT:
            return Q(won=True) & Q(game__in=games.filter(pot=value).values("pk"))
        case Feat.FEWEST_ROUNDS:
            return Q(won=True) & Q(game__in=games.filter(decided_in=value).values("pk"))
        case _:
            return Q(**{feat.value: value})


def _holders(
    scope: Scope, results: QuerySet[Result], as_good: Mapping[Feat, Q]
) -> Mapping[Feat, tuple[Member, ...]]:
    """Return the members who hold each record; `as_good` filters the `results` that reach its value."""
    times = {feat.value: Count("pk", filter=is_as_good) for feat, is_as_good in as_good.items()}
    slugs: dict[Feat, set[str]] = {feat: set() for feat in as_good}
    for row in results.values("member").annotate(**times).values("member", *times) if times else ():
        for feat in as_good:
            if row[feat.value]:
                slugs[feat].add(scope.people.by_pk[row["member"]].slug)
    return {
        feat: tuple(member for member in scope.people.own if member.slug in holders)
        for feat, holders in slugs.items()
    }


def _over_many_games(tallies: Sequence[Tally]) -> Iterator[Best]:
    for feat, figure in ((Feat.IN_ONE_GO, "in_one_go"), (Feat.STREAK, "longest_streak")):
        most = max((getattr(tally, figure) for tally in tallies), default=0)
        if most:
            holders = tuple(tally.member for tally in tallies if getattr(tally, figure) == most)
            yield Best(feat, holders, most)


# --- one member's career ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Played:
    """The sums of one member's games of one variant.

    `net` is money and includes refunded games; the other sums do not. `points` are placing points, one for
    each player placed behind.
    """

    variant: str
    games: int = 0
    wins: int = 0
    points: int = 0
    net: int = 0


@dataclass(frozen=True)
class Career:
    """A member's career: sums by variant (the most played first), and figures over all variants.

    `in_one_go` is the number of rounds closed in one go, `survived` the most rounds in a row survived close to
    going bust, `most_won` the most money won in one game.
    """

    played: tuple[Played, ...]
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
    for row in rows:
        own = played.setdefault(row["variant"], Counter())
        own["net"] += int(row["money"])
        if row["place"] is None:
            continue
        own.update(games=row["times"], wins=row["wins"], points=int(row["placing"]))
    by_game = (Played(variant, **own) for variant, own in played.items())
    return Career(
        played=tuple(sorted(by_game, key=attrgetter("games"), reverse=True)),
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
