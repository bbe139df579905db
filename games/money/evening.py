"""The summary of a night (noche): who played, what they won and lost, and who is ahead."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from datetime import date
from itertools import groupby
from operator import attrgetter

from django.db.models import QuerySet

from games.common.book import states_of
from games.common.days import games_of, window_of
from games.models import COUNTING, Game, Member, Payment, Result, Table
from games.money.balances import Owed
from games.scoring.admission import MOST_STEPS
from games.tables.people import People


@dataclass(frozen=True)
class Attendee:
    """A player of a night: the totals of their finished games in that night.

    `is_playing` is True while they also play in an unfinished game.
    """

    member: Member
    games: int = 0
    wins: int = 0
    reentries: int = 0
    net: int = 0
    points: int = 0
    is_playing: bool = False


@dataclass(frozen=True)
class Evening:
    """The totals of a night's finished games: the winners by the game's id, the sum of the pots, and everybody.

    `there` has the highest money first, then the most wins, then the most placing points. Only `evening_of`
    also gives the `games`, in the order in which they began, and who plays in an unfinished one. `placed` are the
    ids of the games with places: without a winner, their players shared the pot.
    """

    winners: Mapping[int, Sequence[Member]]
    pots: int
    there: tuple[Attendee, ...]
    games: tuple[Game, ...] = ()
    placed: Collection[int] = ()

    @property
    def reentries(self) -> int:
        """The number of re-entries in the finished games of the night."""
        return sum(attendee.reentries for attendee in self.there)

    @property
    def has_money(self) -> bool:
        """True if somebody won or lost money, all games together."""
        return any(attendee.net for attendee in self.there)

    def figure(self, attendee: Attendee) -> int:
        """Return the figure by which the night is decided: money or, if nobody won or lost any, games won."""
        return attendee.net if self.has_money else attendee.wins

    @property
    def leaders(self) -> tuple[Attendee, ...]:
        """The players with the highest figure; empty if that is 0."""
        most = max(map(self.figure, self.there), default=0)
        return tuple(attendee for attendee in self.there if most and self.figure(attendee) == most)

    @property
    def margin(self) -> int:
        """The lead of a single leader over the next player; 0 with several leaders or no other player."""
        first, *others = sorted(map(self.figure, self.there), reverse=True)
        return first - others[0] if others else 0


def payments_of(night: date, table: Table) -> QuerySet[Payment]:
    """Return the payments made in this night that count, oldest first."""
    begins, ends = window_of(night, table)
    made = table.payments.filter(COUNTING, made_at__gte=begins, made_at__lt=ends)
    return made.order_by("made_at", "pk")


def company_of(
    night: date, table: Table, people: People, evening: Evening | None = None
) -> tuple[Member, ...]:
    """Return the night's people in joining order: who played, finished or not, paid a cost or shares one.

    `evening` is the summary of the night, if it was read already.
    """
    evening = evening or evening_of(night, table, people)
    there = {attendee.member for attendee in evening.there}
    for payer, borne in table.costs.filter(night=night, ended_at=None).values_list("payer", "borne"):
        there |= {people.by_pk[payer], *(people.by_slug[slug] for slug in borne)}
    return tuple(member for member in people.own if member in there)


def explains(
    night: date, debts: Iterable[Owed], company: Iterable[Member], table: Table, people: People
) -> bool:
    """Return whether the debts among the night's people are just what the night moved among them."""
    rest = dict.fromkeys((member.slug for member in company), 0)
    for differences in table.entries.filter(night=night).values_list("differences", flat=True):
        moved = [(people.by_slug[slug].slug, amount) for slug, amount in differences.items()]
        if all(slug in rest for slug, _amount in moved):
            for slug, amount in moved:
                rest[slug] += amount
    for debt in debts:
        rest[debt.payer.slug] += debt.amount
        rest[debt.payee.slug] -= debt.amount
    return not any(rest.values())


def evening_of(night: date, table: Table, people: People) -> Evening:
    """Return the summary of this night with its games. An unfinished game adds only its players."""
    games = tuple(games_of(night, table))
    states = states_of([game.pk for game in games if game.ended_at is None], most=MOST_STEPS)
    playing = {people.by_slug[player.id] for state in states.values() if state for player in state.players}
    return replace(_evening(_results([night.toordinal()], table), people, playing), games=games)


def present_at(night: date, table: Table, people: People) -> list[Member]:
    """Return the members who played a game of this night, finished or not, in joining order."""
    there = {attendee.member for attendee in evening_of(night, table, people).there}
    return [member for member in people.own if member in there]


def evenings_of(nights: Collection[int], table: Table, people: People) -> Mapping[int, Evening]:
    """Return the summary of each of these nights by the night's number, the ordinal of its date.

    A night without a finished game is left out. This takes one query, and none if `nights` is empty.
    """
    by_night = groupby(_results(nights, table), key=attrgetter("night_number"))
    return {night: _evening(rows, people) for night, rows in by_night}


def _results(nights: Collection[int], table: Table) -> QuerySet[Result]:
    rows = Result.objects.filter(game__table=table, night_number__in=nights, game__discarded_at=None)
    return rows.select_related("game").order_by("night_number", "game", "place", "pk")


def _evening(rows: Iterable[Result], people: People, playing: Set[Member] = frozenset()) -> Evening:
    """Return the summary of these results and of who is `playing` in an unfinished game."""
    winners: dict[int, list[Member]] = {}
    pots: dict[int, int] = {}
    totals: dict[Member, Counter[str]] = {}
    placed: set[int] = set()
    for row in rows:
        if row.place:
            placed.add(row.game_id)
        member = people.by_pk[row.member_id]
        winners.setdefault(row.game_id, []).extend([member] if row.won else [])
        pots[row.game_id] = row.game.pot
        own = totals.setdefault(member, Counter())
        own.update(games=1, wins=int(row.won), reentries=row.reentries, net=row.net, points=row.points)
    there = (
        Attendee(member, **totals.get(member, Counter()), is_playing=member in playing)
        for member in people.own
        if member in totals or member in playing
    )
    ordered = sorted(there, key=lambda one: (-one.net, -one.wins, -one.points))
    return Evening(winners, sum(pots.values()), tuple(ordered), placed=placed)
