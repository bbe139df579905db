"""Settle a night (saldar la noche): who hands how much to whom among those who played (RULES 1.3).

A *line* says that one player hands another an amount. A *tick* is a recorded cash payment of a line; it names
the night. *Nets* are the amounts that players won (above zero) or lost, by slug.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import cached_property
from typing import TypeAlias

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q
from django.utils.timezone import now

from games.changes import tell
from games.keys import KeyReused, check_key
from games.locks import lock
from games.models import Change, ChangeKind, Game, Member, Method, Payment, Result, Role, SharedCost, Table
from games.money.balances import Line, People, accounts_of, read_accounts
from games.money.booking import (
    PaymentFact,
    StaleDues,
    fact_of,
    known_under,
    record_payments,
    refusal_of_gone_line,
    two_at_table,
)
from games.money.costs import costs_of, nets_of_cost_row
from games.money.past import balances_at
from games.money.payments import confirm_tick
from games.nights import games_of, last_night
from games.scoring.errors import RuleError
from games.scoring.ledger import Transfer
from games.scoring.night import (
    NightPayments,
    OtherPayment,
    left_of,
    lines_tonight,
    lines_with_before,
    open_amounts,
)
from games.scoring.words import _

Nets: TypeAlias = Mapping[str, int]


@dataclass(frozen=True)
class NightSettlement:
    """The payments that settle a night among those who played in it.

    `nets` are what each player won or lost by slug, in joining order. `lines` are the payments left, and
    `ticked` the payments made as ticks of this night. `played` has each finished game with its nets, and
    `costs` each shared cost with its nets. If `is_with_before`, the lines include older debts between those who
    played, and `absent` are the older debts between one of them and somebody who did not play. `is_playing`
    is true while a game of the night is unfinished.
    """

    night: date
    is_with_before: bool
    nets: Nets
    lines: tuple[Line, ...]
    ticked: tuple[Payment, ...]
    absent: tuple[Line, ...]
    played: tuple[tuple[Game, Nets], ...]
    costs: tuple[tuple[SharedCost, Nets], ...]
    is_playing: bool


@dataclass(frozen=True)
class PlayedNight:
    """The games of a night, the nets of its finished games and its shared costs, and its payments.

    `payments` are those for the night or its games, and all payments in the accounts since the night began.
    """

    table: Table
    night: date
    people: People
    games: Sequence[Game]
    game_nets: Mapping[int, Nets]
    costs: tuple[tuple[SharedCost, Nets], ...]
    payments: Sequence[Payment]

    @classmethod
    def read(cls, night: date, table: Table, people: People) -> PlayedNight:
        """Read the night in four queries."""
        games = list(games_of(night, table))
        if not games:
            return cls(table, night, people, (), {}, (), ())
        rows = Result.objects.filter(game__in=games).order_by("game", "place", "pk")
        game_nets: dict[int, Counter[str]] = {}
        for game, member, net in rows.values_list("game", "member", "net"):
            game_nets.setdefault(game, Counter())[people.by_pk[member].slug] += net
        here = Q(game__night_number=night.toordinal())  # includes games that were discarded after the payment
        since = Q(night=night) | here | Q(game=None, made_at__gte=games[0].started_at)
        payments = table.payments.counting().filter(since).select_related("payer", "payee")
        costs = tuple(
            (cost, {member.slug: net for member, net in nets_of_cost_row(cost, people).items()})
            for cost in costs_of(night, table)
        )
        paid = tuple(payments.order_by("made_at", "pk"))
        return cls(table, night, people, games, game_nets, costs, paid)

    def nets(self, until: datetime | None = None) -> dict[str, int]:
        """Return by slug, in joining order, the money won or lost in the games ended by the moment `until`.

        With None, return the sum of all finished games and of the shared costs.
        """
        counted = [self.game_nets[game.pk] for game in self._over(until)]
        cost_nets = [nets for _cost, nets in self.costs]
        if until is None:
            counted += cost_nets
        present = {slug for nets in (*self.game_nets.values(), *cost_nets) for slug in nets}
        return {
            member.slug: sum(nets.get(member.slug, 0) for nets in counted)
            for member in self.people.own
            if member.slug in present
        }

    def paid(self, until: datetime | None = None, *, are_ticks_whole: bool = True) -> NightPayments:
        """Return the payments since the night began, as two groups that count differently.

        `whole` are the payments made for the night: on the spot for its games, and its ticks. They count in
        full. `others` are all other payments between two players of the night. Each counts only as far as it
        pays something that is or was owed for the night. Without `are_ticks_whole`, ticks are among the
        others. Payments for games that ended after the moment `until` are left out.
        """
        present, over = self.nets().keys(), {game.pk for game in self._over(until)}
        whole, others, capped = list[Transfer](), list[OtherPayment](), set[str]()
        for payment in self.payments:
            ends = self.people.slugs_of(payment)
            there, is_tick = {*ends} & present, payment.night == self.night
            if ends[0] == ends[1] or (payment.game_id in self.game_nets and payment.game_id not in over):
                continue
            if len(there) < 2 or payment.night not in (None, self.night):
                capped |= there
            elif payment.game_id in over or (are_ticks_whole and is_tick):
                whole.append(Transfer(*ends, payment.amount))
            else:
                then = self.nets(payment.made_at if until is None else min(until, payment.made_at))
                is_free = payment.game_id is None and not is_tick
                others.append(OtherPayment(Transfer(*ends, payment.amount), then, may_be_older=is_free))
        before = self._before if any(other.may_be_older for other in others) else {}
        return NightPayments(whole, others, before, frozenset(capped))

    @cached_property
    def _before(self) -> Nets:
        """Everybody's balance by slug, just before the first game of the night began."""
        (balances,) = balances_at(
            self.table, self.people, [self.games[0].started_at - timedelta(microseconds=1)]
        )
        return balances

    def _over(self, until: datetime | None) -> Iterator[Game]:
        for game in self.games:
            is_over = game.pk in self.game_nets and game.ended_at is not None
            if is_over and (until is None or (game.ended_at or until) <= until):
                yield game


def settlement_of(played: PlayedNight) -> NightSettlement:
    """Return who pays whom for the table's last night, alone or with older debts, as the table has chosen."""
    night, table, people = played.night, played.table, played.people
    accounts = read_accounts(table, people)
    nets, paid = played.nets(), played.paid()
    absent: Sequence[Transfer] = ()
    if table.settles_before:
        lines, absent = lines_with_before(nets, paid, accounts.balances, _plan_before(played))
    else:
        lines = lines_tonight(nets, paid, accounts.balances)
    claimed = _claimed_since(played)
    return NightSettlement(
        night=night,
        is_with_before=table.settles_before,
        nets=nets,
        lines=_lines(lines, people, claimed),
        ticked=tuple(payment for payment in played.payments if payment.night == night),
        absent=_lines(absent, people, claimed),
        played=tuple(
            (game, played.game_nets[game.pk]) for game in played.games if game.pk in played.game_nets
        ),
        costs=played.costs,
        is_playing=any(game.ended_at is None for game in played.games),
    )


def _plan_before(played: PlayedNight) -> Sequence[Transfer]:
    """Return the lines of the accounts' plan (who pays whom) as it was when the night began."""
    plan = played.table.plans.filter(made_at__lt=played.games[0].started_at).first() if played.games else None
    return played.people.read_lines(plan.lines) if plan else ()


def _claimed_since(played: PlayedNight) -> Counter[tuple[str, str]]:
    """Return the sums of the claimed payments since the night began, by the slugs of payer and payee."""
    claimed: Counter[tuple[str, str]] = Counter()
    if played.games:
        since = played.games[0].started_at
        for payment in played.table.payments.claimed().filter(game=None, made_at__gte=since):
            claimed[played.people.slugs_of(payment)] += payment.amount
    return claimed


def _lines(
    lines: Iterable[Transfer], people: People, claimed: Mapping[tuple[str, str], int]
) -> tuple[Line, ...]:
    return tuple(
        Line(
            people.by_slug[line.payer],
            people.by_slug[line.payee],
            line.amount,
            line.amount,
            claimed.get((line.payer, line.payee), 0),
        )
        for line in lines
    )


def uncovered(game: Game, lines: Sequence[Transfer], played: PlayedNight) -> list[int]:
    """Return, for each of these lines of the game's result, the amount that is still to be paid.

    Later payments, or the settling of the game's night `played`, may cover a line or a part of it.
    """
    assert game.ended_at is not None, "only a finished game has lines"
    touched = _touched(game, played)
    if not touched:
        return [line.amount for line in lines]
    debts, credits = _caps(played, game.ended_at)
    is_touched = [line.payer in touched or line.payee in touched for line in lines]
    capped = iter(
        open_amounts((line for line, is_one in zip(lines, is_touched, strict=True) if is_one), debts, credits)
    )
    return [next(capped) if is_one else line.amount for line, is_one in zip(lines, is_touched, strict=True)]


def _touched(game: Game, played: PlayedNight) -> set[str]:
    """Return the slugs of players whose lines of this game a later payment, or settling, may cover.

    Payments count from the beginning of the game, because a reopened game gets a new end. A payment for a
    discarded game counts whenever it was made.
    """
    since = [
        payment
        for payment in played.payments
        if payment.game_id not in played.game_nets
        and (payment.game_id is not None or payment.made_at > game.started_at)
    ]
    if any(payment.night == played.night for payment in since):
        return {*played.nets()}
    return {slug for payment in since for slug in played.people.slugs_of(payment)}


def _caps(played: PlayedNight, until: datetime) -> tuple[Nets, Nets]:
    """Return, by slug, the most that each player still owes and the most that each is still owed.

    Each is the smaller of two amounts: the amount left open by the games that ended by the moment `until`,
    and the amount left open by all games of the night. For a player who also made or got a payment for
    something else since the night began, it is at most their present balance.
    """
    rests = [
        left_of(played.nets(moment), played.paid(moment, are_ticks_whole=False)) for moment in (until, None)
    ]
    sums: list[Nets] = [rest.nets for rest in rests]
    capped = frozenset().union(*(rest.capped for rest in rests))
    if capped:
        balances = accounts_of(played.table, played.people)
        sums.append({slug: balances[slug].balance for slug in capped})
    debts, credits = (
        {slug: min(max(0, sign * each[slug]) for each in sums if slug in each) for slug in played.nets()}
        for sign in (-1, 1)
    )
    return debts, credits


# --- ticks ------------------------------------------------------------------------------------------------------------


@transaction.atomic
def tick_night(
    table: Table, night: date, line: Transfer, *, key: str, by: User, at: datetime | None = None
) -> Payment:
    """Record the cash payment of one line of the settling of a night (a tick), and return it.

    Raise StaleDues if the line is no longer due.
    """
    check_key(key)
    lock(table)
    if known := known_under(table, key):
        payment, *others = known
        sent = fact_of(payment)
        if others or sent.night != night or Transfer(sent.payer.slug, sent.payee.slug, sent.amount) != line:
            raise KeyReused
        return payment
    due = _due_line(table, night, line, People.of(table))
    if due is None:
        raise StaleDues
    return _record_tick(table, night, due.payer, due.payee, line.amount, key=key, by=by, at=at or now())


@transaction.atomic
def note_night_tick(
    table: Table,
    night: date,
    payer: Member,
    payee: Member,
    amount: int,
    *,
    key: str,
    by: User,
    ticked_at: datetime,
    at: datetime | None = None,
) -> Payment:
    """Record a tick that waited on a phone, and return its payment, or the same payment recorded before.

    `ticked_at` is the moment of the tap on the phone. An equal tick of this night, from another phone, is the
    same payment if it was recorded after that moment, or if the line is no longer due. Raise RuleError if the
    line is not due and there is no such tick.
    """
    check_key(key)
    lock(table)
    people = People.of(table)
    payer, payee = two_at_table(payer, payee, people)
    if known_under(table, key):
        return _record_tick(table, night, payer, payee, amount, key=key, by=by, at=at or now())
    same = _equal_tick(table, night, payer, payee, amount, people)
    due = _due_line(table, night, Transfer(payer.slug, payee.slug, amount), people)
    if same is not None and (due is None or same.recorded_at >= ticked_at):
        return confirm_tick(same, by=by, role=Role.SCORER, at=at)
    if due is None:
        raise refusal_of_gone_line(payer, payee)
    return _record_tick(table, night, payer, payee, amount, key=key, by=by, at=at or now())


@transaction.atomic
def choose_settling(table: Table, *, with_before: bool) -> None:
    """Choose whether nights are settled with older debts between those who played, or alone.

    Raise RuleError if payments of the last night were ticked off already: they followed the present choice.
    """
    locked, night = lock(table), last_night(table)
    if locked.settles_before == with_before:
        return
    if night is not None and table.payments.standing().filter(night=night).exists():
        raise RuleError(_("Payments of this night are already ticked. To choose again, cancel them first."))
    locked.settles_before = table.settles_before = with_before
    locked.save(update_fields=["settles_before"])
    tell(table, Change(what=ChangeKind.TABLE_CHANGED))


def _due_line(table: Table, night: date, line: Transfer, people: People) -> Line | None:
    """Return the line with this payer, payee and amount that is still due for the night, or None."""
    if night != last_night(table):
        return None
    for due in settlement_of(PlayedNight.read(night, table, people)).lines:
        if Transfer(due.payer.slug, due.payee.slug, due.unsaid) == line:
            return due
    return None


def _equal_tick(
    table: Table, night: date, payer: Member, payee: Member, amount: int, people: People
) -> Payment | None:
    """Return the newest tick of this night with this payer, payee and amount, or None."""
    ticks = table.payments.standing().filter(
        night=night,
        amount=amount,
        payer__in=people.rows_of(payer),
        payee__in=people.rows_of(payee),
    )
    return ticks.order_by("-recorded_at", "-pk").first()


def _record_tick(
    table: Table, night: date, payer: Member, payee: Member, amount: int, *, key: str, by: User, at: datetime
) -> Payment:
    tick = PaymentFact(payer, payee, amount, Method.CASH, night=night)
    (payment,) = record_payments(table, [tick], key=key, by=by, at=at)
    return payment
