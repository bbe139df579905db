"""Bring the games, payments and costs of a table's file into a table that exists, and take them back.

What comes has one moment of arrival, by which it is taken back. Nothing of the other table's ledger comes:
each row is entered here, in the order of nights.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import date, datetime
from functools import reduce
from itertools import groupby
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet
from django.utils.timezone import now

from games.keys import new_key
from games.locks import ChangedMeanwhile, lock, raise_version, revise
from games.models import EntryKind, Game, Payment, Record, Result, SharedCost, Table
from games.money.debts import Ledger, enter_cost, enter_games, enter_payments
from games.money.opening import openings_of, take_balances_back
from games.nights import night_of
from games.notebook.coming import Coming
from games.notebook.played import called
from games.notebook.restoring import free_codes
from games.notebook.taking_over import ready_for
from games.people.members import add_newcomers
from games.play.history import strikes_of
from games.play.recording import check_running, record
from games.play.writer import ReadyGames, Whole, append, project
from games.rows import Ready
from games.scoring.errors import RuleError
from games.scoring.words import Text, _

BACK = "back "  # the keys of what was taken back begin with this, so that its own keys are free again


def bring(table: Table, look: Callable[[], Coming], *, seen: str, by: User, at: datetime) -> None:
    """Bring what `look` previews, which arrives at this moment. What arrived at it before is not brought again.

    `look` is called again if something was recorded at the table meanwhile. Raise ChangedMeanwhile if the
    preview is no longer what the user has `seen`, and RuleError if the table has no room.
    """
    with ready_for(table, look) as coming:
        if has_arrived(table, at):
            return
        if coming.is_open or coming.seen != seen:
            raise ChangedMeanwhile
        _store(table, coming, by=by, at=at)


def has_arrived(table: Table, at: datetime) -> bool:
    """Return whether something was brought that arrived at this moment and was not taken back since."""
    return _games(table, at).exists() or bool(_money(table, at)) or openings_of(table).filter(at=at).exists()


def _store(table: Table, coming: Coming, *, by: User, at: datetime) -> None:
    check_running(table, coming=sum(not whole.state.is_over for whole in coming.games))
    arriving = Ready(coming.newcomers)
    add_newcomers(table, arriving, apart={member.name for member in arriving.rows})
    members = {member.slug: member for member in table.members.all()}
    free_codes([whole.game for whole in coming.games])
    ReadyGames(coming.games, members).store()
    Ready(coming.payments).insert()
    Ready(coming.costs).insert()
    ledger = Ledger(table, at=at, by=by)
    for entry in coming.openings:
        ledger.enter(EntryKind.OPENED, entry.differences, night=entry.night, key=entry.key)
    ledger.store()
    over = [whole.game for whole in coming.games if whole.state.is_over]
    _enter(table, [*over, *coming.longer, *coming.costs, *coming.payments], EntryKind.ENDED, by=by, at=at)
    for here, there in coming.later:
        act = "ended" if there.ended_at is not None else "confirmed"
        changes = {f"{act}_at": at, f"{act}_by": by, **({"reason": there.reason} if act == "ended" else {})}
        for name, value in changes.items():
            setattr(here, name, value)
        here.save(update_fields=[*changes])
    _enter(table, [here for here, _there in coming.later], EntryKind.ENDED, by=by, at=at)
    raise_version(table)
    revise(table)


@transaction.atomic
def take_back(table: Table, *, arrived_at: datetime, by: User, at: datetime | None = None) -> None:
    """Take back what arrived at this moment, the newest night first. People stay.

    What it continued is undone, what it confirmed or ended stays so. Raise RuleError, naming the games, if
    somebody recorded in them since.
    """
    lock(table)
    taken_at = at or now()
    key = f"{BACK}{arrived_at.isoformat()}"
    longer = _games(table, arrived_at, number__gt=1).exclude(pk__in=_games(table, arrived_at))
    longer = longer.exclude(records__key=key)  # undone already
    games, money = list(_games(table, arrived_at)), _money(table, arrived_at)
    _check_untouched([*games, *longer], arrived_at)
    for game in longer:
        numbers = game.records.filter(arrived_at=arrived_at).values_list("number", flat=True)
        record(game, *strikes_of(tuple(numbers)), after=game.records.count(), key=key, by=by, at=taken_at)
    Result.objects.filter(game__in=games).delete()
    for row in money:
        row.ended_at, row.ended_by, row.key = taken_at, by, f"{BACK}{new_key()}"
        row.save(update_fields=["ended_at", "ended_by", "key"])
    for game in games:
        game.discarded_at, game.key = taken_at, f"{BACK}{new_key()}"
        game.save(update_fields=["discarded_at", "key"])
    _enter(table, [*games, *money], EntryKind.DISCARDED, by=by, at=taken_at)
    for entry in openings_of(table).filter(at=arrived_at):
        take_balances_back(table, entry.number, by=by, at=taken_at)
    raise_version(table)
    revise(table)


def _games(table: Table, at: datetime, **first: int) -> QuerySet[Game]:
    """Return the games that arrived at this moment and were not discarded; by default, as a whole."""
    arrived = Record.objects.filter(arrived_at=at, **(first or {"number": 1}))
    return table.games.filter(pk__in=arrived.filter(game__table=table).values("game"), discarded_at=None)


def _money(table: Table, at: datetime) -> list[Payment | SharedCost]:
    """Return the payments and shared costs that arrived at this moment and were not taken back."""
    return [
        *table.payments.filter(arrived_at=at, ended_at=None),
        *table.costs.filter(arrived_at=at, ended_at=None),
    ]


def _check_untouched(games: Iterable[Game], arrived_at: datetime) -> None:
    """Raise RuleError, naming them, if something was recorded in these games since they arrived."""
    since = Record.objects.filter(game__in=list(games), arrived_at__gt=arrived_at)
    touched = Game.objects.filter(pk__in=since.values("game"))
    names = [called(game.log()[0], date.fromordinal(game.night_number)) for game in touched]
    if names:
        games_named = reduce(lambda some, name: Text("{some}; {name}", {"some": some, "name": name}), names)
        raise RuleError(_("Something was recorded there since: {games}", games=games_named))


def _enter(
    table: Table,
    rows: Iterable[Game | Whole | Payment | SharedCost],
    kind: EntryKind,
    *,
    by: User,
    at: datetime,
) -> None:
    """Enter what these rows move now, in the order of their nights; what goes, the newest first.

    A game that goes on is stored as it is entered.
    """
    is_going = kind is EntryKind.DISCARDED
    ordered = sorted(rows, key=lambda row: _place_of(row, table), reverse=is_going)
    for _kind, group in groupby(ordered, key=type):
        some: list[Any] = list(group)
        match some[0]:
            case Game():
                enter_games(table, some, kind, at=at, by=by)
            case Payment():
                enter_payments(some, at=at, by=by)
            case SharedCost():
                for cost in some:
                    enter_cost(cost, at=at, by=by)
            case Whole():
                for whole in some:
                    for batch in whole.batches:
                        append(whole.game, batch)
                    project(whole.game, whole.state, at=at, by=by)


def _place_of(row: Game | Whole | Payment | SharedCost, table: Table) -> tuple[int, int, datetime]:
    """Return the place of a row: its night, in which games come first and payments last, and its moment."""
    match row:
        case Whole(game=game) | (Game() as game):
            return game.night_number, 0, game.ended_at or game.started_at
        case SharedCost():
            return row.night.toordinal(), 1, row.made_at
        case _:
            return (row.paid_on or night_of(row.made_at, table)).toordinal(), 2, row.made_at
