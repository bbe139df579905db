"""Imports of games, payments and expenses from a table's file into an existing table, and their reversal.

All imported rows share one arrival time, which is how an import is reverted. The other table's ledger is not
imported: each row is posted here, in the order of nights. Rows and entries are prepared before the table is
locked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from functools import reduce

from django.contrib.auth.models import User
from django.db import IntegrityError
from django.db.models import Q, QuerySet
from django.utils.timezone import now

from games.common import bulk, days, event_store, locks, naming
from games.common.bulk import BulkRows
from games.common.locks import ConcurrentChange
from games.files.services import game_reader, table_import
from games.files.services.import_preview import ImportPreview
from games.models import Arrival, EntryKind, Game, Member, Payment, Record, Result, SharedCost, Table
from games.money.services import accounting, starting_balances
from games.money.services.ledgers import Ledger
from games.play.services import duplicates, snapshots
from games.play.services.writer import Batch, ContinuedGames, NewGame, PreparedGames
from games.scoring.errors import RuleError
from games.scoring.i18n import Text, _
from games.scoring.ledger import Transfer, nets
from games.scoring.replay import replay
from games.tables.services import membership
from games.tables.services.roster import People


def run(
    table: Table, look: Callable[[], ImportPreview], *, seen: str, by: User, at: datetime, file: str = ""
) -> None:
    """Import what `look` previews, with `at` as the arrival time. Repeating it with that time does nothing.

    `file` is the name of the file. `look` is called again if somebody recorded at the table meanwhile. Raise
    ConcurrentChange if the preview no longer has the digest `seen` by the user or the table changes too
    often, and RuleError if the table has no room or the database refuses a row. Opens its own transaction.
    """

    def store(_locked: Table, arriving: _ImportedRows) -> None:
        if not table.arrivals.filter(at=at).exists():
            arriving.store(seen, file=file)

    version = locks.get_version(table)
    try:
        locks.write_unless_changed(table, lambda: _ImportedRows(table, look(), by=by, at=at), store)
    except IntegrityError:  # a batch has the key of one recorded meanwhile, or the file contradicts itself
        if version == locks.get_version(table):
            raise RuleError(table_import.CONTRADICTION) from None
        raise ConcurrentChange from None


class _ImportedRows:
    """The rows of an import, with their ledger entries, prepared for storing."""

    def __init__(self, table: Table, preview: ImportPreview, *, by: User, at: datetime) -> None:
        self._table, self._preview, self._by, self._at = table, preview, by, at
        people = People((*table.members.all(), *preview.newcomers))
        self._newcomers = BulkRows(preview.newcomers)
        self._games = PreparedGames(preview.games, _by_slug(people))
        self._payments, self._costs = BulkRows(preview.payments), BulkRows(preview.costs)
        longer = [whole.game for whole in preview.continued_games]
        self._ledger = Ledger(table, at=at, by=by, people=people, causes=Q(game__in=longer))
        finished_new_games = [whole for whole in preview.games if whole.state.is_over]
        finished_games = [
            *finished_new_games,
            *(whole for whole in preview.continued_games if whole.state.is_over),
        ]
        self._ledger.include_unsaved(
            [
                (player.id, whole.game.night_number)
                for whole in finished_games
                for player in whole.state.players
            ],
            [Transfer(row.payer.slug, row.payee.slug, row.amount) for row in preview.claims],
        )
        for entry in preview.openings:
            self._ledger.post(EntryKind.OPENED, entry.differences, night=entry.night, key=entry.key)
        rows: list[NewGame | Payment | SharedCost] = [*finished_new_games, *preview.costs, *preview.payments]
        for row in sorted(rows, key=lambda row: _sort_key(row, table)):
            if isinstance(row, NewGame):
                self._ledger.change_game(row.game, EntryKind.ENDED, nets(row.state))
            else:
                self._ledger.change(row)
        # Existing games get their further events after the new rows.
        self._continued_games = ContinuedGames(preview.continued_games, _by_slug(people), self._ledger)
        self._ledger.prepare()

    def store(self, seen: str, *, file: str) -> None:
        """Store everything. Raise ConcurrentChange if the preview has another digest than `seen`."""
        preview, table = self._preview, self._table
        if preview.is_open or preview.preview_digest != seen:
            raise ConcurrentChange
        duplicates.check_running_limit(
            table, new_count=sum(not whole.state.is_over for whole in preview.games)
        )
        with locks.single_version(table) as version:
            membership.insert_members(table, self._newcomers, by=naming.casefold_key)
            self._games.store(version)
            self._payments.insert()
            self._costs.insert()
            self._continued_games.store(version)
            self._ledger.store(version)
        games = len(preview.games) + len(preview.continued_games)
        counts = {"games": games, "payments": len(preview.payments), "expenses": preview.expense_count}
        Arrival.objects.create(table=table, at=self._at, user=self._by, file=file, **counts)
        locks.bump_revision(table)


def revert(arrival: Arrival, *, by: User) -> None:
    """Revert an import, the newest night first. New members stay.

    Continued games lose the imported events. Raise RuleError, naming the games, if somebody has recorded in
    them since, and ConcurrentChange if the table changes too often meanwhile. Opens its own transaction.
    """
    table, ended_at = arrival.table, now()

    def store(_locked: Table, departure: _RevertedRows) -> None:
        departure.store()
        table.arrivals.filter(pk=arrival.pk, ended_at=None).update(ended_at=ended_at, ended_by=by)

    locks.write_unless_changed(table, lambda: _RevertedRows(table, arrival.at, by=by, at=ended_at), store)


def balances_without(arrival: Arrival, *, by: User) -> Mapping[str, int]:
    """Return the balances that reverting this import would leave, by slug. Raise RuleError like `revert`."""
    return _RevertedRows(arrival.table, arrival.at, by=by, at=now()).balances


class _RevertedRows:
    """The rows of an import to revert, with the ledger entries that reverse it."""

    def __init__(self, table: Table, arrived_at: datetime, *, by: User, at: datetime) -> None:
        self._table, self._arrived_at, self._by, self._at = table, arrived_at, by, at
        # The key of the batches that undo a part of a game.
        self._key = f"{starting_balances.REVERSAL_KEY_PREFIX}{arrived_at.isoformat()}"
        whole_games = _games_with_record(table, arrived_at=arrived_at, number=1)
        longer = _games_with_record(table, arrived_at=arrived_at, number__gt=1).exclude(pk__in=whole_games)
        self._undone_games = list(longer.exclude(records__key=self._key))  # the others are already undone
        self._games = list(whole_games)
        self._payments = list(table.payments.filter(arrived_at=arrived_at, ended_at=None))
        self._costs = _arrived_costs(table, arrived_at)
        current_costs = [cost for cost in self._costs if cost.replaced_at is None]
        _check_untouched([*self._games, *self._undone_games], arrived_at)
        causes = (
            Q(game__in=[*self._games, *self._undone_games])
            | Q(payment__in=self._payments)
            | Q(cost__in=[cost.first_pk for cost in current_costs])
        )
        self._ledger = Ledger(table, at=at, by=by, causes=causes)
        rows: list[Game | Payment | SharedCost] = [*self._games, *current_costs, *self._payments]
        arrived: list[Game | Payment | SharedCost] = [*self._games, *self._costs, *self._payments]
        for row in arrived:
            # Its own key is free again, so that it can be imported once more.
            row.key = f"{starting_balances.REVERSAL_KEY_PREFIX}{locks.new_form_key()}"
        for row in sorted(rows, key=lambda row: _sort_key(row, table), reverse=True):
            if isinstance(row, Game):
                row.discarded_at = at
                self._ledger.change_game(row, EntryKind.DISCARDED, {})
            else:
                row.ended_at, row.ended_by = at, by
                self._ledger.change(row)
        for entry in starting_balances.list_valid(table).filter(at=arrived_at):
            key = f"{starting_balances.REVERSAL_KEY_PREFIX}{entry.number}"
            self._ledger.reverse(EntryKind.UNOPENED, entry, key=key)
        self._undo_batches = ContinuedGames(
            list(self._undo(self._undone_games)), _by_slug(self._ledger.people), self._ledger
        )
        self._ledger.prepare()

    def _undo(self, games: Sequence[Game]) -> Iterator[NewGame]:
        """Yield these games with a batch that undoes the imported events."""
        logs = event_store.load_logs(game.pk for game in games)
        arrived = Record.objects.filter(game__in=games, arrived_at=self._arrived_at)
        numbers = bulk.group_values(arrived.order_by("number").values_list("game", "number"))
        for game in games:
            strikes, log = tuple(snapshots.build_strikes(tuple(numbers[game.pk]))), logs[game.pk]
            game.table = self._table
            batch = Batch(len(log), strikes, self._key, self._at, self._by, now())
            yield NewGame(game, [batch], replay((*log, *strikes)))

    @property
    def balances(self) -> Mapping[str, int]:
        """The balances after the reversal, by slug."""
        return accounting.total_balances(self._ledger.people, self._ledger.debts)

    def store(self) -> None:
        Result.objects.filter(game__in=self._games).delete()
        Game.objects.bulk_update(self._games, ["discarded_at", "key"])
        Payment.objects.bulk_update(self._payments, ["ended_at", "ended_by", "key"])
        SharedCost.objects.bulk_update(self._costs, ["ended_at", "ended_by", "key"])
        with locks.single_version(self._table) as version:
            self._undo_batches.store(version)
            self._ledger.store(version)
        locks.bump_revision(self._table)


def _games_with_record(table: Table, **lookups: object) -> QuerySet[Game]:
    """Return the games that have such a record, without discarded games."""
    records = Record.objects.filter(game__table=table, **lookups)
    return table.games.filter(pk__in=records.values("game"), discarded_at=None)


def _arrived_costs(table: Table, at: datetime) -> list[SharedCost]:
    """Return all versions of the expenses that arrived at this moment, without voided expenses."""
    firsts = {cost.first_pk for cost in table.costs.filter(arrived_at=at)}
    versions = list(table.costs.filter(Q(pk__in=firsts) | Q(first__in=firsts)).select_related("first"))
    ended = {cost.first_pk for cost in versions if cost.ended_at is not None}
    return [cost for cost in versions if cost.first_pk not in ended]


def _by_slug(people: People) -> Mapping[str, Member]:
    return {member.slug: member for member in people.members}


def _check_untouched(games: Iterable[Game], arrived_at: datetime) -> None:
    """Raise RuleError, naming the games, if something was recorded in them after they arrived."""
    since = Record.objects.filter(game__in=list(games), arrived_at__gt=arrived_at)
    touched = Game.objects.filter(pk__in=since.values("game"))
    names = [
        game_reader.game_description(game.log()[0], date.fromordinal(game.night_number)) for game in touched
    ]
    if names:
        games_named = reduce(lambda some, name: Text("{some}; {name}", {"some": some, "name": name}), names)
        raise RuleError(_("More was recorded there since: {games}", games=games_named))


def _sort_key(row: NewGame | Game | Payment | SharedCost, table: Table) -> tuple[int, int, datetime]:
    """Return the sort key of a row: its night, then games, expenses and payments, then its moment."""
    match row:
        case NewGame(game=game) | (Game() as game):
            return game.night_number, 0, game.ended_at or game.started_at
        case SharedCost():
            return row.night.toordinal(), 1, row.made_at
        case Payment():
            return (row.paid_on or days.night_for(row.made_at, table)).toordinal(), 2, row.made_at
