"""Write a table's file: one JSON text with every game, payment and shared cost, and the ledger.

Equal tables give equal bytes.

Users, accesses and links are left out; the users who recorded are written as names. The table's `id`, the
codes of its games and the keys of what was recorded are included, so that another copy of the table can be
compared with the file. The table's own code is left out: it is the address at one site only.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any

from django.db import connection

from games.models import (
    Debt,
    Entry,
    Game,
    HandSource,
    Member,
    Payment,
    Record,
    Season,
    SharedCost,
    Table,
)
from games.notebook.recorders import Recorders
from games.rows import grouped
from games.snapshot import SHAPE

FORMAT, VERSION = "anotador-table", 1
AT_ONCE = 500

# Plain SQL, because `transaction.atomic` takes SQLite's write lock (settings.py) and sets no isolation level.
SNAPSHOT = {
    "sqlite": "BEGIN DEFERRED",
    "postgresql": "BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY",
}


def write_table(table: Table) -> str:
    """Return the text of the table's file, as of one moment."""
    with one_moment():
        return "".join(f"{line}\n" for line in _lines(table))


@contextmanager
def one_moment() -> Iterator[None]:
    """Run the `with` block in a read-only snapshot of the database, without blocking other writers."""
    if connection.in_atomic_block:
        yield
        return
    with connection.cursor() as cursor:
        cursor.execute(SNAPSHOT[connection.vendor])
        try:
            yield
        finally:
            cursor.execute("ROLLBACK")


def write_json(value: object) -> str:
    """Return the value as one line of JSON, unescaped, with sorted keys."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True)


def moment_in_text(moment: datetime | None) -> str | None:
    """Return the moment in UTC to the microsecond, as `datetime.fromisoformat` reads it; None for None."""
    return None if moment is None else moment.astimezone(UTC).isoformat()


def _lines(table: Table) -> Iterator[str]:
    members = list(table.members.order_by("pk"))
    slugs = {member.pk: member.slug for member in members}
    games = list(table.games.order_by("started_at", "pk"))
    payments = list(table.payments.order_by("pk"))
    costs = list(table.costs.order_by("pk"))
    numbers = _Numbers(_numbers(games), _numbers(payments), _numbers(costs))
    recorders = Recorders(table)
    yield f'{{"format":{write_json(FORMAT)},"version":{VERSION},"shape":{write_json(SHAPE)},'
    yield f'"table":{write_json(_table(table))},'
    yield from _listed("members", (_member(member, slugs, recorders) for member in members))
    yield from _listed("seasons", map(_season, table.seasons.order_by("starts_on", "pk")))
    yield from _listed("games", _games(games, recorders))
    yield from _listed("payments", _payments(payments, slugs, recorders))
    yield from _listed("costs", (_cost(cost, slugs, recorders) for cost in costs))
    entries = table.entries.order_by("number")
    yield from _listed("entries", (_entry(entry, numbers, slugs, recorders) for entry in entries))
    debts = table.debts.exclude(amount=0).order_by("one", "other")
    yield from _listed("debts", (_debt(debt, slugs) for debt in debts), end="}")


def _listed(name: str, values: Iterable[Mapping[str, Any]], *, end: str = ",") -> Iterator[str]:
    """Yield the JSON text of a list with this name, one line for each value, and then `end`."""
    before = f'"{name}":['
    for value in values:
        yield before + write_json(value)
        before = ","
    yield ("]" if before == "," else before + "]") + end


def _numbers(rows: Iterable[Game | Payment | SharedCost]) -> dict[int, int]:
    """Return the position of each row, counted from 1, by its id. The file refers to rows by position."""
    return {row.pk: number for number, row in enumerate(rows, start=1)}


@dataclass(frozen=True)
class _Numbers:
    """The positions in the file of games, payments and shared costs, by their ids."""

    games: Mapping[int, int]
    payments: Mapping[int, int]
    costs: Mapping[int, int]


def _day(day: date | None) -> str | None:
    return None if day is None else day.isoformat()


def _table(table: Table) -> dict[str, object]:
    fields: dict[str, object] = {
        "id": table.identity,
        "name": table.name,
        "unit": table.unit,
        "decimals": table.decimals,
        "language": table.language,
        "timezone": table.timezone,
        "pays_on_the_spot": table.pays_on_the_spot,
        "created_at": moment_in_text(table.created_at),
    }
    if table.region:
        fields["region"] = table.region
    return fields


def _member(member: Member, slugs: Mapping[int, str], recorders: Recorders) -> dict[str, object]:
    return {
        "id": member.slug,
        "name": member.name,
        "colour": member.colour,
        "account": member.account,
        "merged_into": None if member.merged_into_id is None else slugs[member.merged_into_id],
        "merged_at": moment_in_text(member.merged_at),
        "merged_by": recorders.name_or_none(member.merged_by_id),
        "retired_at": moment_in_text(member.retired_at),
    }


def _season(season: Season) -> dict[str, object]:
    fields: dict[str, object] = {
        "name": season.name,
        "starts_on": _day(season.starts_on),
    }
    return {**fields, "order": season.order} if season.order else fields


# --- games ------------------------------------------------------------------------------------------------------------


def _games(games: Sequence[Game], recorders: Recorders) -> Iterator[dict[str, object]]:
    for first in range(0, len(games), AT_ONCE):
        some = games[first : first + AT_ONCE]
        records = _by_game(Record.objects.filter(game__in=some).order_by("game", "number"))
        sources = _by_game(HandSource.objects.filter(game__in=some).order_by("game", "number", "pk"))
        for game in some:
            of_phones = [_hand_source(source, recorders) for source in sources.get(game.pk, [])]
            yield {
                "code": game.code,
                "key": game.key,
                "started_at": moment_in_text(game.started_at),
                "night": date.fromordinal(game.night_number).isoformat(),
                "discarded_at": moment_in_text(game.discarded_at),
                "batches": _batches(records.get(game.pk, []), recorders),
                **({"hands": of_phones} if of_phones else {}),
                **({"spot": _mark(game, recorders)} if game.spot_nets is not None else {}),
            }


def _mark(game: Game, recorders: Recorders) -> dict[str, object]:
    """Return the mark *paid on the spot* of a game."""
    return {
        "nets": game.spot_nets,
        "at": moment_in_text(game.spot_at),
        "by": recorders.name_or_none(game.spot_by_id),
    }


def _by_game(rows: Iterable[Any]) -> dict[int, list[Any]]:
    return grouped((row.game_id, row) for row in rows)


def _batches(records: Iterable[Record], recorders: Recorders) -> list[dict[str, Any]]:
    """Return the batches (events recorded at once) of these records. The first record of each has a key."""
    batches: list[dict[str, Any]] = []
    for record in records:
        if record.key is not None or not batches:
            at, by = moment_in_text(record.recorded_at), recorders.name(record.recorded_by_id)
            arrived_at = moment_in_text(record.arrived_at)
            key = record.key or f"imported-{record.number}"
            batches.append({"key": key, "at": at, "arrived_at": arrived_at, "by": by, "events": []})
        batches[-1]["events"].append({"kind": record.kind, "data": record.data})
    return batches


def _hand_source(source: HandSource, recorders: Recorders) -> dict[str, object]:
    """Return the source of a recorded hand: the user whose phone sent it, and its round and player."""
    return {
        "number": source.number,
        "player": source.player,
        "brought_by": recorders.name(source.brought_by_id),
        "is_changed": source.is_changed,
    }


# --- money ------------------------------------------------------------------------------------------------------------


def _payments(
    payments: Iterable[Payment], slugs: Mapping[int, str], recorders: Recorders
) -> Iterator[dict[str, object]]:
    for payment in payments:
        yield {
            "key": payment.key,
            "payer": slugs[payment.payer_id],
            "payee": slugs[payment.payee_id],
            "amount": payment.amount,
            "method": payment.method,
            "note": payment.note,
            "made_at": moment_in_text(payment.made_at),
            "paid_on": _day(payment.paid_on),
            "recorded_at": moment_in_text(payment.recorded_at),
            "arrived_at": moment_in_text(payment.arrived_at),
            "by": recorders.name(payment.recorded_by_id),
            "is_claim": payment.is_claim,
            "confirmed_at": moment_in_text(payment.confirmed_at),
            "confirmed_by": recorders.name_or_none(payment.confirmed_by_id),
            "disputed_at": moment_in_text(payment.disputed_at),
            "disputed_by": recorders.name_or_none(payment.disputed_by_id),
            "objection": payment.objection,
            "ended_at": moment_in_text(payment.ended_at),
            "ended_by": recorders.name_or_none(payment.ended_by_id),
            "reason": payment.reason,
        }


def _cost(cost: SharedCost, slugs: Mapping[int, str], recorders: Recorders) -> dict[str, object]:
    return {
        "key": cost.key,
        "night": _day(cost.night),
        "payer": slugs[cost.payer_id],
        "amount": cost.amount,
        "sharers": cost.sharers,
        "note": cost.note,
        "forgiven": cost.is_forgiven,
        "made_at": moment_in_text(cost.made_at),
        "recorded_at": moment_in_text(cost.recorded_at),
        "arrived_at": moment_in_text(cost.arrived_at),
        "by": recorders.name(cost.recorded_by_id),
        "ended_at": moment_in_text(cost.ended_at),
        "ended_by": recorders.name_or_none(cost.ended_by_id),
        "reason": cost.reason,
    }


def _entry(
    entry: Entry, numbers: _Numbers, slugs: Mapping[int, str], recorders: Recorders
) -> dict[str, object]:
    return {
        "number": entry.number,
        "kind": entry.kind,
        "night": _day(entry.night),
        "at": moment_in_text(entry.at),
        "by": recorders.name_or_none(entry.by_id),
        "game": None if entry.game_id is None else numbers.games[entry.game_id],
        "payment": None if entry.payment_id is None else numbers.payments[entry.payment_id],
        "cost": None if entry.cost_id is None else numbers.costs[entry.cost_id],
        "member": None if entry.member_id is None else slugs[entry.member_id],
        "key": entry.key,
        "differences": entry.differences,
        "before": entry.before,
        "after": entry.after,
    }


def _debt(debt: Debt, slugs: Mapping[int, str]) -> dict[str, object]:
    one, other = slugs[debt.one_id], slugs[debt.other_id]
    debtor, creditor = (other, one) if debt.amount > 0 else (one, other)
    return {
        "debtor": debtor,
        "creditor": creditor,
        "amount": abs(debt.amount),
        "version": debt.version,
        "since": debt.since,
    }
