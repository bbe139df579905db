"""Standings (tablas de posiciones): the sums of each member's games in a scope.

A scope is a filter for games. Placing points are the number of players placed behind in a game. A mark is one
result of a member encoded as one character: the placing points, and whether the game was won, or its pot
shared by agreement. Of a refunded game only the money counts. This module writes nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from fractions import Fraction
from functools import cached_property
from itertools import takewhile
from typing import Any

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Case, Count, F, OuterRef, Q, QuerySet, Subquery, Sum, TextField, Value, When
from django.db.models.functions import Chr
from django.db.models.sql.compiler import SQLCompiler

from games.models import Game, Member, Result, Season, Table
from games.seasons.services import season_setup
from games.tables.services.roster import People

COUNTED_RESULTS = Q(place__isnull=False)  # refunded games have no places: only their money counts
GAME_ORDER = ("night_number", "game_id")


@dataclass(frozen=True)
class GameScope:
    """A filter for games: an inclusive range of nights and a variant. None and "" restrict nothing."""

    table: Table
    people: People
    first: date | None = None
    last: date | None = None
    variant: str = ""

    def within(self, season: Season, seasons: Sequence[Season]) -> GameScope:
        """Return the scope narrowed to this season. `seasons` are all of the table's, oldest first.

        Games from before the first season belong to the first.
        """
        begins = None if season == seasons[0] else season.starts_on
        return replace(
            self,
            first=max(filter(None, (self.first, begins)), default=None),
            last=min(filter(None, (self.last, season_setup.find_last_day(season, seasons))), default=None),
        )

    def games(self) -> QuerySet[Game]:
        return self._filter(self.table.games.filter(ended_at__isnull=False, discarded_at=None)).order_by()

    def results(self, *members: Member) -> QuerySet[Result]:
        """Return the results of these members in the scope, or of all members if none is given."""
        rows = [
            row for member in members or self.people.current_members for row in self.people.member_pks(member)
        ]
        return self._filter(Result.objects.filter(member__in=rows)).order_by()

    def _filter(self, rows: QuerySet[Any]) -> QuerySet[Any]:
        if self.first is not None:
            rows = rows.filter(night_number__gte=self.first.toordinal())
        if self.last is not None:
            rows = rows.filter(night_number__lte=self.last.toordinal())
        return rows.filter(variant=self.variant) if self.variant else rows


# --- one member -------------------------------------------------------------------------------------------------------

# Results are encoded as marks, so that thousands of them are read as one text. A mark's character code is the
# placing points plus the code of "0" or, if the member shared the pot, of "a" or, if they won, of "À".
LOST_CODE, SHARED_CODE, WON_CODE = ord("0"), ord("a"), ord("À")


def is_win(mark: str) -> bool:
    return ord(mark) >= WON_CODE


def is_shared(mark: str) -> bool:
    """Return whether the member was among those who shared the pot by agreement."""
    return SHARED_CODE <= ord(mark) < WON_CODE


def decode_points(mark: str) -> int:
    return ord(mark) - next(code for code in (WON_CODE, SHARED_CODE, LOST_CODE) if ord(mark) >= code)


@dataclass(frozen=True)
class MemberTotals:
    """The sums of one member's games. `marks` has one mark for each game that counts, oldest first."""

    member: Member
    marks: str = ""
    net: int = 0
    in_one_go: int = 0

    @property
    def games(self) -> int:
        return len(self.marks)

    @cached_property
    def wins(self) -> int:
        return sum(times for mark, times in self._mark_counts.items() if is_win(mark))

    @cached_property
    def points(self) -> int:
        return sum(decode_points(mark) * times for mark, times in self._mark_counts.items())

    @property
    def average(self) -> Fraction:
        return Fraction(self.points, self.games) if self.games else Fraction(0)

    @property
    def streak(self) -> int:
        """The number of games won in a row up to the last one."""
        return sum(1 for _mark in takewhile(is_win, reversed(self.marks)))

    @cached_property
    def longest_streak(self) -> int:
        return max(map(len, re.findall(f"[{chr(WON_CODE)}-\uffff]+", self.marks)), default=0)

    @cached_property
    def _mark_counts(self) -> Mapping[str, int]:
        return Counter(self.marks)


# --- everybody --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class GameCount:
    """The number of games and of nights in a scope."""

    games: int
    nights: int


@dataclass(frozen=True)
class Standings:
    """The standings of a scope: everybody's tally by slug, in the order the members joined."""

    extent: GameCount
    tallies: Mapping[str, MemberTotals]


def load(scope: GameScope) -> Standings:
    extent = count_games(scope)
    return Standings(extent, _load_totals(scope) if extent.games else {})


def count_games(scope: GameScope) -> GameCount:
    """Return the numbers of finished games and of their nights in a scope; refunded games are included."""
    counted = scope.games().aggregate(games=Count("pk"), nights=Count("night_number", distinct=True))
    return GameCount(**counted)


def _load_totals(scope: GameScope) -> dict[str, MemberTotals]:
    added: dict[str, Counter[str]] = {}
    sums = (
        scope.results()
        .values("member")
        .annotate(money=Sum("net"), closed=Sum("in_one_go", filter=COUNTED_RESULTS, default=0))
    )
    for row in sums:
        member_sums = added.setdefault(scope.people.by_pk[row["member"]].slug, Counter())
        member_sums.update(net=row["money"], in_one_go=row["closed"])
    marks = _load_marks(scope)
    return {
        member.slug: MemberTotals(member, marks[member.slug], **added[member.slug])
        for member in scope.people.current_members
        if member.slug in added
    }


class _ConcatenatedMarks(Subquery):
    """An expression that concatenates the marks that a subquery selects, in its order."""

    template = "(SELECT GROUP_CONCAT(mark, '') FROM (%(subquery)s) AS marked)"
    output_field = TextField()

    def as_postgresql(
        self, compiler: SQLCompiler, connection: BaseDatabaseWrapper, **context: Any
    ) -> tuple[str, Any]:
        context["template"] = "(SELECT STRING_AGG(mark, '') FROM (%(subquery)s) AS marked)"
        return self.as_sql(compiler, connection, **context)


_MARK = Chr(
    F("points")
    + Case(
        When(won=True, then=Value(WON_CODE)),
        When(place=1, then=Value(SHARED_CODE)),  # first and not won: only a shared pot leaves that
        default=Value(LOST_CODE),
    )
)


def _load_marks(scope: GameScope) -> dict[str, str]:
    """Return everybody's marks by slug, oldest first."""
    marked = scope.results().filter(COUNTED_RESULTS).annotate(mark=_MARK).order_by(*GAME_ORDER)
    member_marks = marked.filter(member=OuterRef("pk")).values("mark")
    rows = (
        Member.objects.filter(pk__in=scope.people.by_pk)
        .order_by()
        .annotate(marks=_ConcatenatedMarks(member_marks))
    )
    marks_of_rows = dict(rows.values_list("pk", "marks"))
    marks = {member.slug: marks_of_rows[member.pk] or "" for member in scope.people.current_members}
    merged = {
        row: member.slug
        for member in scope.people.current_members
        for row in scope.people.member_pks(member)
        if len(scope.people.member_pks(member)) > 1
    }
    if merged:  # the marks of several rows must be joined in the order of the games
        marks.update(dict.fromkeys(merged.values(), ""))
        for row, mark in marked.filter(member__in=merged).values_list("member", "mark"):
            marks[merged[row]] += mark
    return marks
