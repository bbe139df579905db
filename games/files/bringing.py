"""Bring the games, payments and costs of a table's file into a table that exists, and take them back.

What comes has one moment of arrival, by which it is taken back. Nothing of the other table's ledger comes:
each row is entered here, in the order of nights. Rows and entries are made ready before the table is locked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import date, datetime
from functools import reduce
from typing import TypeVar

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet
from django.utils.timezone import now

from games.common.days import night_of
from games.common.locks import ChangedMeanwhile, lock, new_key, one_version, revise, version_of
from games.common.names import likeness
from games.common.rows import PreparedRows
from games.files.coming import Incoming
from games.files.played import called
from games.files.restoring import CONTRADICTION
from games.models import Arrival, EntryKind, Game, Payment, PaymentState, Record, Result, SharedCost, Table
from games.money.balances import read_accounts
from games.money.debts import Ledger
from games.money.opening import BACK, openings_of
from games.play.begun import check_running
from games.play.recording import record
from games.play.snapshot import strikes_of
from games.play.writer import NewGame, PreparedGames, append, project
from games.scoring.errors import RuleError
from games.scoring.ledger import Transfer, nets
from games.scoring.words import Text, _
from games.tables.members import add_newcomers
from games.tables.people import People

T = TypeVar("T")


@contextmanager
def _made_ready(table: Table, make_ready: Callable[[], T]) -> Iterator[T]:
    """Lock the table and yield what was made ready before, because that is slow.

    It is made ready again if something was recorded at the table meanwhile.
    """
    version = version_of(table)
    made = make_ready()
    with transaction.atomic():
        if lock(table).version != version:
            made = make_ready()
        yield made


def bring(
    table: Table, look: Callable[[], Incoming], *, seen: str, by: User, at: datetime, file: str = ""
) -> None:
    """Bring what `look` previews, which arrives at this moment. What arrived at it before is not brought again.

    `file` is the name of the file. `look` is called again if something was recorded at the table meanwhile. Raise ChangedMeanwhile if the
    preview is no longer what the user has `seen`, and RuleError if the table has no room or the database
    refuses a row.
    """
    version = version_of(table)
    try:
        with _made_ready(table, lambda: _Arriving(table, look(), by=by, at=at)) as arriving:
            if not table.arrivals.filter(at=at).exists():
                arriving.store(seen, file=file)
    except IntegrityError:  # a batch has the key of one recorded meanwhile, or the file contradicts itself
        if version == version_of(table):
            raise RuleError(CONTRADICTION) from None
        raise ChangedMeanwhile from None


class _Arriving:
    """The rows that come, with their entries."""

    def __init__(self, table: Table, coming: Incoming, *, by: User, at: datetime) -> None:
        self._table, self._coming, self._by, self._at = table, coming, by, at
        people = People((*table.members.all(), *coming.newcomers))
        self._newcomers = PreparedRows(coming.newcomers)
        self._games = PreparedGames(coming.games, {member.slug: member for member in people.members})
        self._payments, self._costs = PreparedRows(coming.payments), PreparedRows(coming.costs)
        self._ledger = Ledger(table, at=at, by=by, people=people)
        over = [whole for whole in coming.games if whole.state.is_over]
        claims = [row for row in coming.payments if row.state is PaymentState.CLAIMED]
        self._ledger.foresee(
            [(player.id, whole.game.night_number) for whole in over for player in whole.state.players],
            [Transfer(row.payer.slug, row.payee.slug, row.amount) for row in claims],
        )
        for entry in coming.openings:
            self._ledger.enter(EntryKind.OPENED, entry.differences, night=entry.night, key=entry.key)
        rows: list[NewGame | Payment | SharedCost] = [*over, *coming.costs, *coming.payments]
        for row in sorted(rows, key=lambda row: _place_of(row, table)):
            if isinstance(row, NewGame):
                self._ledger.change_game(row.game, EntryKind.ENDED, nets(row.state))
            else:
                self._ledger.change(row)
        self._ledger.make_ready()

    def store(self, seen: str, *, file: str) -> None:
        """Store everything. Games that are here already take what the file has more of them after what is new."""
        coming, table, by, at = self._coming, self._table, self._by, self._at
        if coming.is_open or coming.seen != seen:
            raise ChangedMeanwhile
        check_running(table, coming=sum(not whole.state.is_over for whole in coming.games))
        with one_version(table) as version:
            add_newcomers(table, self._newcomers, by=likeness)
            self._games.store(version)
            self._payments.insert()
            self._costs.insert()
            self._ledger.store(version)
            for whole in coming.longer:
                for batch in whole.batches:
                    append(whole.game, batch)
                project(whole.game, whole.state, version=version, at=at, by=by)
        games, money = (*coming.games, *coming.longer), (coming.payments, coming.costs)
        counts = dict(zip(("games", "payments", "expenses"), map(len, (games, *money)), strict=True))
        Arrival.objects.create(table=table, at=at, user=by, file=file, **counts)
        revise(table)


def take_back(arrival: Arrival, *, by: User, at: datetime | None = None) -> None:
    """Take back what arrived, the newest night first. People stay.

    What it continued is undone. Raise RuleError, naming the games, if somebody recorded in them since.
    """
    table, ended_at = arrival.table, at or now()
    with _made_ready(table, lambda: _Departure(table, arrival.at, by=by, at=ended_at)) as departure:
        departure.store()
        table.arrivals.filter(pk=arrival.pk, ended_at=None).update(ended_at=ended_at, ended_by=by)


def balances_without(arrival: Arrival, *, by: User) -> Mapping[str, int]:
    """Return the balances that would be left if this were taken back, by slug. Raise RuleError as `take_back` does."""
    with transaction.atomic():
        take_back(arrival, by=by)
        balances = read_accounts(arrival.table).balances
        transaction.set_rollback(True)
    return balances


class _Departure:
    """The rows that are taken back, with the entries that do so."""

    def __init__(self, table: Table, arrived_at: datetime, *, by: User, at: datetime) -> None:
        self._table, self._arrived_at, self._by, self._at = table, arrived_at, by, at
        self._key = f"{BACK}{arrived_at.isoformat()}"  # of what undoes a part of a game
        longer = _games(table, arrived_at, number__gt=1).exclude(pk__in=_games(table, arrived_at))
        self._longer = list(longer.exclude(records__key=self._key))  # the others were undone already
        self._games = list(_games(table, arrived_at))
        payments, costs = _money(table, arrived_at)
        self._payments, self._costs = list(payments), list(costs)
        _check_untouched([*self._games, *self._longer], arrived_at)
        causes = Q(game__in=self._games) | Q(payment__in=self._payments) | Q(cost__in=self._costs)
        self._ledger = Ledger(table, at=at, by=by, causes=causes)
        rows: list[Game | Payment | SharedCost] = [*self._games, *self._costs, *self._payments]
        for row in sorted(rows, key=lambda row: _place_of(row, table), reverse=True):
            row.key = f"{BACK}{new_key()}"  # its own key is free again
            if isinstance(row, Game):
                row.discarded_at = at
                self._ledger.change_game(row, EntryKind.DISCARDED, {})
            else:
                row.ended_at, row.ended_by = at, by
                self._ledger.change(row)
        for entry in openings_of(table).filter(at=arrived_at):
            key = f"{BACK}{entry.number}"
            self._ledger.take_back(EntryKind.UNOPENED, entry, key=key)
        self._ledger.make_ready()

    def store(self) -> None:
        """Take everything back."""
        Result.objects.filter(game__in=self._games).delete()
        Game.objects.bulk_update(self._games, ["discarded_at", "key"])
        Payment.objects.bulk_update(self._payments, ["ended_at", "ended_by", "key"])
        SharedCost.objects.bulk_update(self._costs, ["ended_at", "ended_by", "key"])
        with one_version(self._table) as version:
            self._ledger.store(version)
            for game in self._longer:
                numbers = game.records.filter(arrived_at=self._arrived_at).values_list("number", flat=True)
                strikes = strikes_of(tuple(numbers))
                record(game, *strikes, after=game.records.count(), key=self._key, by=self._by, at=self._at)
        revise(self._table)


def _games(table: Table, at: datetime, **first: int) -> QuerySet[Game]:
    """Return the games that arrived at this moment and were not discarded; by default, as a whole."""
    arrived = Record.objects.filter(arrived_at=at, **(first or {"number": 1}))
    return table.games.filter(pk__in=arrived.filter(game__table=table).values("game"), discarded_at=None)


def _money(table: Table, at: datetime) -> tuple[QuerySet[Payment], QuerySet[SharedCost]]:
    """Return the payments and shared costs that arrived at this moment and were not taken back."""
    arrived = {"arrived_at": at, "ended_at": None}
    return table.payments.filter(**arrived), table.costs.filter(**arrived)


def _check_untouched(games: Iterable[Game], arrived_at: datetime) -> None:
    """Raise RuleError, naming them, if something was recorded in these games since they arrived."""
    since = Record.objects.filter(game__in=list(games), arrived_at__gt=arrived_at)
    touched = Game.objects.filter(pk__in=since.values("game"))
    names = [called(game.log()[0], date.fromordinal(game.night_number)) for game in touched]
    if names:
        games_named = reduce(lambda some, name: Text("{some}; {name}", {"some": some, "name": name}), names)
        raise RuleError(_("Something was recorded there since: {games}", games=games_named))


def _place_of(row: NewGame | Game | Payment | SharedCost, table: Table) -> tuple[int, int, datetime]:
    """Return the place of a row: its night, in which games come first and payments last, and its moment."""
    match row:
        case NewGame(game=game) | (Game() as game):
            return game.night_number, 0, game.ended_at or game.started_at
        case SharedCost():
            return row.night.toordinal(), 1, row.made_at
        case Payment():
            return (row.paid_on or night_of(row.made_at, table)).toordinal(), 2, row.made_at
