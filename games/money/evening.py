"""The summary of a night (noche), and the tally of several: who played, and what they won and lost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby
from operator import attrgetter

from django.db.models import QuerySet

from games.common.book import states_of
from games.common.days import games_of, window_of
from games.models import Game, Member, Payment, Result, Table
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
    """The games of a night in the order in which they began, their results by the game's id, and the totals.

    `there` has everybody who played, finished games or not.
    """

    games: tuple[Game, ...]
    results: Mapping[int, Sequence[Result]]
    there: tuple[Attendee, ...]
    has_money: bool

    @property
    def reentries(self) -> int:
        """The number of re-entries in the finished games of the night."""
        return sum(attendee.reentries for attendee in self.there)

    @property
    def pots(self) -> Sequence[int]:
        """The pots that the winners took, one for each finished game that had a pot."""
        return [game.pot for game in self.games if game.pot and game.pk in self.results]


def payments_of(night: date, table: Table) -> QuerySet[Payment]:
    """Return the payments made in this night that count, oldest first."""
    begins, ends = window_of(night, table)
    made = table.payments.counting().filter(made_at__gte=begins, made_at__lt=ends)
    return made.order_by("made_at", "pk")


def company_of(
    night: date, table: Table, people: People, evening: Evening | None = None
) -> tuple[Member, ...]:
    """Return the night's people in joining order: who played, finished or not, paid a cost or shares one.

    `evening` is the summary of the night, if it was read already.
    """
    evening = evening or evening_of(night, table, people)
    there = {attendee.member for attendee in evening.there}
    for payer, sharers in table.costs.filter(night=night, ended_at=None).values_list("payer", "sharers"):
        there |= {people.by_pk[payer], *(people.by_slug[slug] for slug in sharers)}
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
    """Return the summary of this night. An unfinished game adds only its players."""
    games = tuple(games_of(night, table))
    over_games = {game.pk for game in games if game.ended_at is not None}
    rows = list(Result.objects.filter(game__in=over_games).order_by("game", "place", "pk"))
    results = {game: list(of_game) for game, of_game in groupby(rows, key=attrgetter("game_id"))}
    return Evening(
        games=games,
        results=results,
        there=_attendees(rows, [game for game in games if game.pk not in over_games], people),
        has_money=any(row.net for row in rows),
    )


def _attendees(rows: Iterable[Result], running: Iterable[Game], people: People) -> tuple[Attendee, ...]:
    """Return the players of the night, sorted by money and then by placing points, highest first.

    `rows` are the results of the finished games, `running` the unfinished games.
    """
    totals: dict[str, Counter[str]] = {}
    for row in rows:
        own = totals.setdefault(people.by_pk[row.member_id].slug, Counter())
        own.update(games=1, wins=int(row.won), reentries=row.reentries, net=row.net, points=row.points)
    states = states_of([game.pk for game in running], most=MOST_STEPS)
    playing = {
        people.by_slug[player.id].slug for state in states.values() if state for player in state.players
    }
    attendees = (
        Attendee(member, **totals.get(member.slug, Counter()), is_playing=member.slug in playing)
        for member in people.own
        if member.slug in totals or member.slug in playing
    )
    return tuple(sorted(attendees, key=lambda attendee: (-attendee.net, -attendee.points)))


# --- the tally of a night ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class NightTally:
    """The ids of a night's finished games, the sum of their pots, and everybody's share, highest first."""

    games: tuple[int, ...]
    pots: int
    shares: tuple[Attendee, ...]

    @property
    def has_money(self) -> bool:
        """True if somebody won or lost money, all games together."""
        return any(share.net for share in self.shares)

    def figure(self, share: Attendee) -> int:
        """Return the figure by which the night is decided: the member's money in this share.

        If nobody won or lost money, return the number of games that the member won.
        """
        return share.net if self.has_money else share.wins

    @property
    def leaders(self) -> tuple[Attendee, ...]:
        """The members with the highest figure; empty if that is 0."""
        most = max(map(self.figure, self.shares), default=0)
        return tuple(share for share in self.shares if most and self.figure(share) == most)

    @property
    def runners_up(self) -> tuple[Attendee, ...]:
        """The members with the highest figure below a single leader's; empty if there are several leaders."""
        if len(self.leaders) != 1:
            return ()
        others = [share for share in self.shares if share not in self.leaders]
        most = max(map(self.figure, others), default=0)
        return tuple(share for share in others if self.figure(share) == most)

    @property
    def margin(self) -> int:
        """The lead of a single leader over the next member; 0 with several leaders or no other member."""
        return self.figure(self.leaders[0]) - self.figure(self.runners_up[0]) if self.runners_up else 0


def tallies_of(nights: Collection[int], table: Table, people: People) -> Mapping[int, NightTally]:
    """Return the tally of each of these nights of a table by the night's number, the ordinal of its date.

    A night without a finished game is left out. This takes one query, and none if `nights` is empty.
    """
    rows = Result.objects.filter(game__table=table, night_number__in=nights, game__discarded_at=None)
    pots: dict[int, dict[int, int]] = {}
    sums: dict[int, dict[Member, Counter[str]]] = {}
    for night, game, pot, member, net, won in rows.order_by("game", "pk").values_list(
        "night_number", "game", "game__pot", "member", "net", "won"
    ):
        pots.setdefault(night, {})[game] = pot
        own = sums.setdefault(night, {}).setdefault(people.by_pk[member], Counter())
        own.update(net=net, wins=int(won))
    return {night: _tally(pots[night], sums[night]) for night in pots}


def _tally(pots: Mapping[int, int], sums: Mapping[Member, Counter[str]]) -> NightTally:
    shares = (Attendee(member, net=own["net"], wins=own["wins"]) for member, own in sums.items())
    ordered = sorted(shares, key=lambda share: (-share.net, -share.wins, share.member.pk))
    return NightTally(tuple(pots), sum(pots.values()), tuple(ordered))
