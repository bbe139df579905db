"""The summary of a night (noche): the people, how their balances moved, and the winners or leaders."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from datetime import date
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from django.db.models import QuerySet

from games.common import days, event_store
from games.models import COUNTING, Game, Member, Payment, Result, Table
from games.money.services import statements
from games.money.services.accounting import OwedDebt
from games.money.services.balance_causes import BalancePart, CauseId, EntryEffect
from games.scoring.validation import MAX_STEPS
from games.tables.services.roster import People


@dataclass(frozen=True)
class Attendee:
    """A person of a night: the totals of their finished games, and their other movements.

    `net` is the money of these games. `is_playing` is True while they play in an unfinished game.
    `on_the_spot` is the money paid on the table (en la mesa) for games, which cancels that part of `net`.
    `payments` includes forgiven debts.
    """

    member: Member
    games: int = 0
    wins: int = 0
    reentries: int = 0
    net: int = 0
    points: int = 0
    is_playing: bool = False
    expenses: int = 0
    on_the_spot: int = 0
    payments: int = 0

    @property
    def has_played(self) -> bool:
        """True if they have a seat in a game of the night, finished or not."""
        return bool(self.games) or self.is_playing

    @property
    def left(self) -> int:
        """The change of their balance by the night (queda), without starting balances."""
        return self.net + self.expenses + self.on_the_spot + self.payments


@dataclass(frozen=True)
class NightSummary:
    """The totals of a night: the winners by game id, the sum of the pots, and everybody.

    `attendees` are sorted by the money of their games, then by wins and placing points; people who did not
    play come last. Only `summarize` fills in the `games`, oldest first, who is playing, and the movements
    that are not games. `placed_game_ids` are the games with places: one of them without a winner had its pot
    shared.
    """

    winners: Mapping[int, Sequence[Member]]
    pots: int
    attendees: tuple[Attendee, ...]
    games: tuple[Game, ...] = ()
    placed_game_ids: Collection[int] = ()

    @property
    def reentries(self) -> int:
        """The number of re-entries in finished games."""
        return sum(attendee.reentries for attendee in self.attendees)

    @property
    def players(self) -> tuple[Attendee, ...]:
        """Everybody who played, best first."""
        return tuple(attendee for attendee in self.attendees if attendee.has_played)

    @property
    def people(self) -> frozenset[Member]:
        return frozenset(attendee.member for attendee in self.attendees)

    @property
    def has_money(self) -> bool:
        """True if somebody won or lost money over all games together."""
        return any(attendee.net for attendee in self.attendees)

    def figure(self, attendee: Attendee) -> int:
        """Return the figure that decides the night: money or, if nobody won or lost any, games won."""
        return attendee.net if self.has_money else attendee.wins

    @property
    def leaders(self) -> tuple[Attendee, ...]:
        """The people with the highest figure; empty if that is 0."""
        most = max(map(self.figure, self.attendees), default=0)
        return tuple(attendee for attendee in self.attendees if most and self.figure(attendee) == most)


def list_payments(night: date, table: Table) -> QuerySet[Payment]:
    """Return the payments of this night that count, oldest first: those whose ledger entries have it.

    The entries keep their night if the table's time zone changes, so that list and figures agree.
    """
    of_night = table.entries.filter(night=night, payment__isnull=False).values("payment")
    return table.payments.filter(COUNTING, pk__in=of_night).order_by("made_at", "pk")


def debts_match_night(summary: NightSummary, debts: Iterable[OwedDebt]) -> bool:
    """Return whether these debts between the night's people come from this night alone."""
    rest = {attendee.member: attendee.left for attendee in summary.attendees}
    for debt in debts:
        rest[debt.payer] += debt.amount
        rest[debt.payee] -= debt.amount
    return not any(rest.values())


def summarize(night: date, table: Table, people: People) -> NightSummary:
    """Return the summary of a night with its games. An unfinished game adds only its players."""
    games = tuple(days.games_on(night, table))
    states = event_store.load_states([game.pk for game in games if game.ended_at is None], most=MAX_STEPS)
    playing = {people.by_slug[player.id] for state in states.values() if state for player in state.players}
    summary = _build_summary(_load_results([night.toordinal()], table), people, playing)
    attendees = tuple(_with_other_movements(night, summary.attendees, games, table, people))
    return replace(summary, games=games, attendees=attendees)


def _with_other_movements(
    night: date, players: Iterable[Attendee], games: Iterable[Game], table: Table, people: People
) -> Iterator[Attendee]:
    """Yield the players with their other movements, then the people who only paid or shared an expense."""
    effects, spot = statements.load_night_effects(night, table, people), statements.cash_nets(games, people)
    others = dict.fromkeys(people.current_members)
    for attendee in players:
        del others[attendee.member]
        yield _with_effects(attendee, effects[attendee.member.slug], spot[attendee.member.slug])
    for member in others:
        member_effects = [effect for effect in effects[member.slug] if effect.part is not BalancePart.OPENING]
        if any(_sum_by_cause(member_effects).values()):
            yield _with_effects(Attendee(member), member_effects, spot[member.slug])


def _sum_by_cause(effects: Iterable[EntryEffect]) -> Counter[CauseId]:
    sums = Counter[CauseId]()
    for effect in effects:
        sums[effect.cause] += effect.amount
    return sums


def _with_effects(attendee: Attendee, effects: Iterable[EntryEffect], spot: int) -> Attendee:
    sums = Counter[BalancePart]()
    for effect in effects:
        sums[effect.part] += effect.amount
    payments = sums[BalancePart.PAYMENT] + sums[BalancePart.FORGIVEN]
    return replace(attendee, expenses=sums[BalancePart.EXPENSE], on_the_spot=spot, payments=payments)


def players_on(night: date, table: Table, people: People) -> list[Member]:
    """Return the members who played in a game of this night, finished or not, in joining order."""
    players = {attendee.member for attendee in summarize(night, table, people).players}
    return [member for member in people.current_members if member in players]


def summarize_many(nights: Collection[int], table: Table, people: People) -> Mapping[int, NightSummary]:
    """Return the summaries of these nights by number, which is the ordinal of the night's date.

    Nights without a finished game are left out. It runs one query, or none if `nights` is empty.
    """
    by_night = groupby(_load_results(nights, table), key=attrgetter("night_number"))
    return {night: _build_summary(rows, people) for night, rows in by_night}


class ResultRow(NamedTuple):
    """The columns of a result that a summary adds up. Tuples, because a night may have thousands."""

    night_number: int
    game: int
    pot: int
    member: int
    place: int | None
    won: bool
    reentries: int
    net: int
    points: int


def _load_results(nights: Collection[int], table: Table) -> Iterator[ResultRow]:
    rows = Result.objects.filter(game__table=table, night_number__in=nights, game__discarded_at=None)
    columns = ("night_number", "game", "game__pot", "member", "place", "won", "reentries", "net", "points")
    return map(ResultRow._make, rows.order_by("night_number", "game", "place", "pk").values_list(*columns))


def _build_summary(
    rows: Iterable[ResultRow], people: People, playing: Set[Member] = frozenset()
) -> NightSummary:
    winners: dict[int, list[Member]] = {}
    pots: dict[int, int] = {}
    totals: dict[Member, Counter[str]] = {}
    placed_game_ids: set[int] = set()
    for row in rows:
        if row.place:
            placed_game_ids.add(row.game)
        member = people.by_pk[row.member]
        winners.setdefault(row.game, []).extend([member] if row.won else [])
        pots[row.game] = row.pot
        member_totals = totals.setdefault(member, Counter())
        member_totals.update(
            games=1, wins=int(row.won), reentries=row.reentries, net=row.net, points=row.points
        )
    attendees = (
        Attendee(member, **totals.get(member, Counter()), is_playing=member in playing)
        for member in people.current_members
        if member in totals or member in playing
    )
    ordered = sorted(attendees, key=lambda attendee: (-attendee.net, -attendee.wins, -attendee.points))
    return NightSummary(winners, sum(pots.values()), tuple(ordered), placed_game_ids=placed_game_ids)
