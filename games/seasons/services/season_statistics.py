"""Records (récords) of a season, a member's career, and head-to-head results (mano a mano)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import reduce
from operator import attrgetter, itemgetter, or_
from typing import Any

from django.db.models import Count, Exists, F, Max, OuterRef, Q, QuerySet, Subquery, Sum

from games.models import Game, Member, Result
from games.seasons.services import season_standings
from games.seasons.services.season_standings import GameScope, MemberTotals


class RecordKind(StrEnum):
    """A statistic that a season keeps a record of."""

    REENTRIES = "reentries"
    POT = "pot"
    SURVIVED = "survived"
    FEWEST_ROUNDS = "fewest_rounds"
    IN_ONE_GO = "in_one_go"
    STREAK = "streak"


# Results of games whose pot was shared by agreement: with places, without a winner.
HAS_SHARED_POT = Q(place__isnull=False) & ~Exists(
    Result.objects.filter(game=OuterRef("game"), won=True).values("pk")
)


@dataclass(frozen=True)
class SeasonRecord:
    """A record: the statistic, its best value, and all members who have reached it.

    `game` is the first game to reach the value, None for a record over several games.
    """

    kind: RecordKind
    holders: tuple[Member, ...]
    value: int
    game: Game | None = None


def load_records(scope: GameScope, tallies: Iterable[MemberTotals]) -> tuple[SeasonRecord, ...]:
    """Return the records in this scope that are above 0. `tallies` are the totals of the same scope."""
    order = list(RecordKind)
    return tuple(
        sorted(
            (*_single_game_records(scope), *_multi_game_records(list(tallies))),
            key=lambda record: order.index(record.kind),
        )
    )


def _single_game_records(scope: GameScope) -> Iterator[SeasonRecord]:
    results, games = scope.results().filter(season_standings.COUNTED_RESULTS), scope.games()
    top = _find_top_games(results, games)
    holders = _load_holders(
        scope, results, {kind: _reaching_value(kind, value, games) for kind, (value, _game) in top.items()}
    )
    for kind, (value, game) in top.items():
        if holders[kind]:
            yield SeasonRecord(kind, holders[kind], value, game)


def _find_top_games(
    results: QuerySet[Result], games: QuerySet[Game]
) -> Mapping[RecordKind, tuple[int, Game]]:
    """Return the best value of each statistic and the first game that reached it, in one query."""
    firsts = (
        results.filter(reentries__gt=0).order_by("-reentries", *season_standings.GAME_ORDER).values("game"),
        results.filter(survived__gt=0).order_by("-survived", *season_standings.GAME_ORDER).values("game"),
        # A pot that was shared by agreement is nobody's record.
        results.filter(won=True, game__pot__gt=0)
        .order_by("-game__pot", *season_standings.GAME_ORDER)
        .values("game"),
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
    top: dict[RecordKind, tuple[int, Game]] = {}
    # For each statistic, `read` has the first game with the best value. `read` is sorted with the oldest game
    # first, and `max` and `min` return the first of equals, so they return this game.
    for kind, figure, best in (
        (RecordKind.REENTRIES, "reentries", max),
        (RecordKind.SURVIVED, "survived", max),
        (RecordKind.POT, "won_pot", max),
        (RecordKind.FEWEST_ROUNDS, "decided_in", min),
    ):
        done = [(getattr(game, figure), game) for game in read if getattr(game, figure)]
        if done:
            top[kind] = best(done, key=itemgetter(0))
    return top


def _reaching_value(kind: RecordKind, value: int, games: QuerySet[Game]) -> Q:
    """Return a filter for results in these games that reach this value of the statistic `kind`."""
    match kind:
        case RecordKind.POT:
            return Q(won=True) & Q(game__in=games.filter(pot=value).values("pk"))
        case RecordKind.FEWEST_ROUNDS:
            return Q(won=True) & Q(game__in=games.filter(decided_in=value).values("pk"))
        case _:
            return Q(**{kind.value: value})


def _load_holders(
    scope: GameScope, results: QuerySet[Result], as_good: Mapping[RecordKind, Q]
) -> Mapping[RecordKind, tuple[Member, ...]]:
    """Return the holders of each record. `as_good` has a filter for the results that reach its value."""
    times = {kind.value: Count("pk", filter=is_as_good) for kind, is_as_good in as_good.items()}
    slugs: dict[RecordKind, set[str]] = {kind: set() for kind in as_good}
    for row in results.values("member").annotate(**times).values("member", *times) if times else ():
        for kind in as_good:
            if row[kind.value]:
                slugs[kind].add(scope.people.by_pk[row["member"]].slug)
    return {
        kind: tuple(member for member in scope.people.current_members if member.slug in holders)
        for kind, holders in slugs.items()
    }


def _multi_game_records(tallies: Sequence[MemberTotals]) -> Iterator[SeasonRecord]:
    for kind, figure in ((RecordKind.IN_ONE_GO, "in_one_go"), (RecordKind.STREAK, "longest_streak")):
        most = max((getattr(tally, figure) for tally in tallies), default=0)
        if most:
            holders = tuple(tally.member for tally in tallies if getattr(tally, figure) == most)
            yield SeasonRecord(kind, holders, most)


# --- one member's career ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class VariantTotals:
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

    `in_one_go` is the number of rounds closed in one go, `survived` the most rounds in a row survived close
    to going bust, `most_won` the most money won in one game.
    """

    variants: tuple[VariantTotals, ...]
    rounds_won: int
    in_one_go: int
    reentries: int
    most_reentries: int
    survived: int
    most_won: int


def load_career(scope: GameScope, member: Member) -> Career:
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
        sums = played.setdefault(row["variant"], Counter())
        sums["net"] += int(row["money"])
        if row["place"] is None:
            continue
        sums.update(games=row["times"], wins=row["wins"], points=int(row["placing"]))
    by_game = (VariantTotals(variant, **sums) for variant, sums in played.items())
    return Career(
        variants=tuple(sorted(by_game, key=attrgetter("games"), reverse=True)),
        rounds_won=sum(int(row["rounds"]) for row in counted),
        in_one_go=sum(int(row["closed"]) for row in counted),
        reentries=sum(int(row["back"]) for row in counted),
        most_reentries=max((row["most_back"] for row in counted), default=0),
        survived=max((row["most_survived"] for row in counted), default=0),
        most_won=max((row["most_money"] for row in rows), default=0),
    )


@dataclass(frozen=True)
class CareerGame:
    """A member's result in one game. If its pot was shared by agreement, nobody's place counts as one."""

    result: Result
    has_shared_pot: bool


def load_results(
    scope: GameScope, member: Member, *, start: int, count: int
) -> tuple[list[CareerGame], bool]:
    """Return `count` of the member's results with their games, newest first, and whether more follow.

    The newest `start` results are skipped.
    """
    newest = scope.results(member).order_by(*(f"-{field}" for field in season_standings.GAME_ORDER))
    rows = list(newest.select_related("game").annotate(shared=HAS_SHARED_POT)[start : start + count + 1])
    return [CareerGame(row, row.shared) for row in rows[:count]], len(rows) > count


def load_nets(scope: GameScope, member: Member) -> list[int]:
    """Return the member's net of each game, oldest first."""
    return list(scope.results(member).order_by(*season_standings.GAME_ORDER).values_list("net", flat=True))


CLASSIC_CANDIDATES = 3  # members with the most games, who are compared for the classic
CLASSIC_MIN_GAMES = 3  # shared games that a classic needs
AHEAD, BEHIND = Q(place__lt=F("theirs")), Q(place__gt=F("theirs"))


@dataclass(frozen=True)
class HeadToHead:
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
        """The number of games that both finished in the same place."""
        return self.games - self.ahead - self.behind

    @property
    def share(self) -> int:
        """The percentage of games that `one` placed ahead in, level games aside; 50 if all were level."""
        return 100 * self.ahead // (self.ahead + self.behind) if self.ahead + self.behind else 50

    @property
    def swapped(self) -> HeadToHead:
        """The same result from the other member's side."""
        return HeadToHead(self.other, self.one, self.games, self.behind, self.ahead)


@dataclass(frozen=True)
class SharedGame:
    """A game that both members played: their places and nets, as pairs like `(one, other)`.

    If its pot was shared by agreement, nobody has a place: `places` is None.
    """

    game: Game
    places: tuple[int, int] | None
    nets: tuple[int, int]


@dataclass(frozen=True)
class HeadToHeadDetail:
    """A head-to-head result with both members' wins and money, and their newest shared games.

    `wins` and `nets` are pairs: first `head_to_head.one`, then `head_to_head.other`.
    """

    head_to_head: HeadToHead
    wins: tuple[int, int]
    nets: tuple[int, int]
    shared_games: tuple[SharedGame, ...]


def load_head_to_heads(scope: GameScope, member: Member) -> tuple[HeadToHead, ...]:
    """Return the member's head-to-head results against everybody they played with, most games first."""
    rows = _paired_results(scope.results(member)).exclude(other__in=scope.people.member_pks(member))
    duels = [duel for duel in _head_to_heads(scope, rows) if duel.one == member]
    return tuple(sorted(duels, key=lambda duel: -duel.games))


def load_all_head_to_heads(scope: GameScope) -> Mapping[tuple[str, str], HeadToHead]:
    """Return all head-to-head results by slugs, each pair twice: as `(one, other)` and `(other, one)`."""
    rows = _paired_results(scope.results()).filter(other__gt=F("member"))
    return {(duel.one.slug, duel.other.slug): duel for duel in _head_to_heads(scope, rows)}


def find_classic(scope: GameScope, tallies: Iterable[MemberTotals]) -> HeadToHead | None:
    """Return the classic (*el clásico*): the pair that met most often; of equals, the closest.

    `one` was ahead at least as often as `other`. None if nobody met CLASSIC_MIN_GAMES times. Only the
    CLASSIC_CANDIDATES members with the most games are compared, because comparing everybody takes longer than
    the rest of the page.
    """
    busiest = [
        tally.member for tally in sorted(tallies, key=attrgetter("games"), reverse=True)[:CLASSIC_CANDIDATES]
    ]
    there = [row for member in busiest for row in scope.people.member_pks(member)]
    rows = _paired_results(scope.results(*busiest)).filter(other__in=there, other__gt=F("member"))
    met = [
        duel
        for duel in _head_to_heads(scope, rows)
        if duel.games >= CLASSIC_MIN_GAMES and duel.ahead >= duel.behind
    ]
    return max(met, key=lambda duel: (duel.games, duel.behind - duel.ahead), default=None)


def load_head_to_head(scope: GameScope, member: Member, other: Member, *, last: int) -> HeadToHeadDetail:
    """Return the head-to-head result of two members in detail, with their newest `last` shared games."""
    rows = _paired_results(scope.results(member)).filter(other__in=scope.people.member_pks(other))
    sums = rows.aggregate(
        games=Count("pk"),
        ahead=Count("pk", filter=AHEAD),
        behind=Count("pk", filter=BEHIND),
        wins=Count("pk", filter=Q(won=True)),
        their_wins=Count("pk", filter=Q(they_won=True)),
        money=Sum("net"),
        their_money=Sum("their_net"),
    )
    newest = rows.order_by(*(f"-{field}" for field in season_standings.GAME_ORDER))
    figures = ("game_id", "place", "theirs", "net", "their_net", "shared")
    meetings = list(newest.annotate(shared=HAS_SHARED_POT).values_list(*figures)[:last])
    games = Game.objects.in_bulk([game for game, *_figures in meetings])
    return HeadToHeadDetail(
        HeadToHead(member, other, sums["games"], sums["ahead"], sums["behind"]),
        wins=(sums["wins"], sums["their_wins"]),
        nets=(int(sums["money"] or 0), int(sums["their_money"] or 0)),
        shared_games=tuple(
            SharedGame(games[game], None if shared else (place, theirs), (net, their_net))
            for game, place, theirs, net, their_net, shared in meetings
        ),
    )


def _paired_results(results: QuerySet[Result]) -> QuerySet[Any]:
    """Return these results, each paired with every result of the same game, itself included.

    The second result is annotated as `other` (the member), `theirs` (the place), `they_won` and `their_net`.
    Results without a place are left out.
    """
    return (
        results.filter(season_standings.COUNTED_RESULTS)
        .annotate(
            other=F("game__results__member"),
            theirs=F("game__results__place"),
            they_won=F("game__results__won"),
            their_net=F("game__results__net"),
        )
        .filter(theirs__isnull=False)
    )


def _head_to_heads(scope: GameScope, rows: QuerySet[Any]) -> Iterator[HeadToHead]:
    """Yield each pair's result twice, once from either side, from rows of `_paired_results`.

    The rows of merged members are added up.
    """
    sums: dict[tuple[str, str], Counter[str]] = {}
    counted = rows.values("member", "other").annotate(
        games=Count("pk"), ahead=Count("pk", filter=AHEAD), behind=Count("pk", filter=BEHIND)
    )
    by_pk = scope.people.by_pk
    for row in counted.order_by("member", "other"):
        first, other = by_pk[row["member"]].slug, by_pk[row["other"]].slug
        ahead, behind = row["ahead"], row["behind"]
        if (other, first) in sums:
            first, other, ahead, behind = other, first, behind, ahead
        sums.setdefault((first, other), Counter()).update(games=row["games"], ahead=ahead, behind=behind)
    for (first, other), figures in sums.items():
        duel = HeadToHead(scope.people.by_slug[first], scope.people.by_slug[other], **figures)
        yield duel
        yield duel.swapped
