"""The summary of a table's year (el año): the games, the nights, and the flows of money.

This module reads from the database and writes nothing.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from itertools import groupby
from operator import itemgetter

from django.db.models import Count, Max, Min, Q, Sum

from games.models import Game, Member, Result, Table
from games.money.balances import People
from games.season.standings import COUNTS, IN_ORDER, Scope


@dataclass(frozen=True)
class Share:
    """The sums of one member's year. The money includes refunded games; the other sums do not."""

    member: Member
    games: int
    wins: int
    net: int
    gains: int
    """The sum over the games in which the member won money; what was lost in others is not subtracted."""
    reentries: int
    best: int
    """The most money won in one game; 0 if the member won money in none."""


@dataclass(frozen=True)
class Flow:
    """A net amount, above zero, that one member lost to another over the year."""

    giver: Member
    taker: Member
    amount: Fraction


@dataclass(frozen=True)
class Comeback:
    """The most consecutive rounds that a member survived close to going bust in a game that they won."""

    member: Member
    rounds: int
    game: Game


@dataclass(frozen=True)
class Year:
    """The summary of a year. `shares` has one item for each member, the most games first.

    `nights` has the number of games of each night, and `dearest` is the game with the largest pot.
    """

    number: int
    shares: tuple[Share, ...]
    nights: Mapping[date, int]
    flows: tuple[Flow, ...]
    dearest: Game | None
    comeback: Comeback | None

    @property
    def games(self) -> int:
        """The number of finished games in this year."""
        return sum(self.nights.values())

    @property
    def moved(self) -> int:
        """The money that changed hands: the sum over the games of what their winners won."""
        return sum(share.gains for share in self.shares)


def years_of(table: Table, people: People) -> range:
    """Return the years from the first finished game to the last. Without games, the range is empty."""
    extent = Scope(table, people).games().aggregate(first=Min("night_number"), last=Max("night_number"))
    if extent["first"] is None:
        return range(0)
    return range(date.fromordinal(extent["first"]).year, date.fromordinal(extent["last"]).year + 1)


def year_of(table: Table, people: People, number: int, member: Member | None = None) -> Year:
    """Return the summary of the year `number`, for the whole table or only for one member."""
    scope = Scope(table, people, date(number, 1, 1), date(number, 12, 31))
    results = scope.results() if member is None else scope.results(member)
    games = scope.games()
    if member is not None:
        games = games.filter(pk__in=results.values("game"))
    nights = games.values("night_number").annotate(times=Count("pk")).order_by("night_number")
    flows = _flows(scope)
    return Year(
        number,
        shares=_shares(scope, member),
        nights={
            date.fromordinal(night): times for night, times in nights.values_list("night_number", "times")
        },
        flows=tuple(flow for flow in flows if member is None or member in (flow.giver, flow.taker)),
        dearest=games.filter(pot__gt=0).order_by("-pot", "night_number", "pk").first(),
        comeback=_comeback(scope, member),
    )


def _shares(scope: Scope, member: Member | None) -> tuple[Share, ...]:
    results = scope.results() if member is None else scope.results(member)
    rows = results.values("member").annotate(
        games=Count("pk", filter=COUNTS),
        wins=Count("pk", filter=Q(won=True)),
        money=Sum("net"),
        gained=Sum("net", filter=Q(net__gt=0)),
        back=Sum("reentries", filter=COUNTS),
        most=Max("net"),
    )
    sums: dict[str, Counter[str]] = {}
    best: Counter[str] = Counter()
    for row in rows:
        slug = scope.people.by_pk[row["member"]].slug
        sums.setdefault(slug, Counter()).update(
            games=row["games"],
            wins=row["wins"],
            net=int(row["money"]),
            gains=int(row["gained"] or 0),
            reentries=int(row["back"] or 0),
        )
        best[slug] = max(best[slug], row["most"])
    shares = [Share(scope.people.by_slug[slug], best=best[slug], **own) for slug, own in sums.items()]
    return tuple(sorted(shares, key=lambda share: (-share.games, share.member.slug)))


def _flows(scope: Scope) -> tuple[Flow, ...]:
    """Return the net amounts that members lost to each other in the games of this scope, greatest first.

    In each game, each loser's amount is divided among the winners in proportion to the winners' amounts.
    """
    moved: dict[tuple[str, str], Fraction | int] = defaultdict(int)
    rows = scope.results().exclude(net=0).order_by("game").values_list("game", "member", "net")
    for _game, group in groupby(rows.iterator(), key=itemgetter(0)):
        nets = [(scope.people.by_pk[member].slug, net) for _game, member, net in group]
        takers = [one for one in nets if one[1] > 0]
        givers = [one for one in nets if one[1] < 0]
        won = sum(gain for _slug, gain in takers)
        for taker, gain in takers:
            for giver, loss in givers:
                moved[giver, taker] += -loss if gain == won else Fraction(-loss * gain, won)
    return tuple(
        sorted(_net(moved, scope), key=lambda flow: (-flow.amount, flow.giver.slug, flow.taker.slug))
    )


def _net(moved: Mapping[tuple[str, str], Fraction | int], scope: Scope) -> Iterator[Flow]:
    for (giver, taker), amount in moved.items():
        left = amount - moved.get((taker, giver), 0)
        if left > 0 and giver != taker:
            yield Flow(scope.people.by_slug[giver], scope.people.by_slug[taker], Fraction(left))


def _comeback(scope: Scope, member: Member | None) -> Comeback | None:
    results = scope.results() if member is None else scope.results(member)
    won = results.filter(won=True, survived__gt=0).order_by("-survived", *IN_ORDER)
    best: Result | None = won.select_related("game").first()
    if best is None:
        return None
    return Comeback(scope.people.by_pk[best.member_id], best.survived, best.game)
