"""The writer of a table's file: one JSON text with every game, payment and expense, and the ledger.

Equal tables give equal bytes.

Users, accesses and links are left out; the users who recorded are written as names. The table's `id`, the
codes of its games and the idempotency keys are included, so that another copy of the table can be compared
with the file. The table's own code is left out: it is a URL at one site only.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date
from typing import Any

from django.db import connection
from django.db.models import Model

from games.common import bulk, days, schema_version
from games.files.services import file_schema
from games.files.services.file_contents import RecorderNames
from games.files.services.file_schema import FieldSpecs, ReferenceNames
from games.files.services.ledger_proof import LedgerDebt
from games.models import Game, HandSource, Record, Table

FORMAT, VERSION = "anotador-table", 1
BATCH_SIZE = 500

# Plain SQL, because `transaction.atomic` takes SQLite's write lock (settings.py) and sets no isolation level.
SNAPSHOT = {
    "sqlite": "BEGIN DEFERRED",
    "postgresql": "BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY",
}


def write_table(table: Table) -> str:
    """Return the text of the table's file, read in one snapshot of the database."""
    with read_snapshot():
        return "".join(f"{line}\n" for line in _lines(table))


@contextmanager
def read_snapshot() -> Iterator[None]:
    """Run the `with` block in a read-only snapshot of the database, without blocking writers.

    Inside a transaction this does nothing.
    """
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
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True)


def _lines(table: Table) -> Iterator[str]:
    members = list(table.members.order_by("pk"))
    games = list(table.games.order_by("started_at", "pk"))
    payments, costs = list(table.payments.order_by("pk")), list(table.costs.order_by("pk"))
    rows: Mapping[str, Sequence[Model]] = {"game": games, "payment": payments, "cost": costs}
    positions = {what: _positions(some) for what, some in rows.items()}
    names = ReferenceNames({member.pk: member.slug for member in members}, RecorderNames(table), positions)

    def row_list(name: str, some: Iterable[Model], parts: FieldSpecs) -> Iterator[str]:
        return _json_list(name, (file_schema.write_row(row, parts, names) for row in some))

    yield f'{{"format":{write_json(FORMAT)},"version":{VERSION},"shape":{write_json(schema_version.SHAPE)},'
    yield f'"table":{write_json(file_schema.write_row(table, file_schema.TABLE, names))},'
    yield from row_list("members", members, file_schema.PERSON)
    yield from row_list("seasons", table.seasons.order_by("starts_on", "pk"), file_schema.SEASON)
    yield from _json_list("games", _games(games, names.recorders))
    yield from row_list("payments", payments, file_schema.PAYMENT)
    yield from row_list("costs", costs, file_schema.COST)
    yield from row_list("entries", table.entries.order_by("number"), file_schema.ENTRY)
    debts = table.debts.exclude(amount=0).select_related("one", "other").order_by("one", "other")
    yield from _json_list("debts", (vars(LedgerDebt.of(debt)) for debt in debts), end="}")


def _json_list(name: str, values: Iterable[Mapping[str, Any]], *, end: str = ",") -> Iterator[str]:
    """Yield the JSON text of a list with this name, one line for each value, and then `end`."""
    before = f'"{name}":['
    for value in values:
        yield before + write_json(value)
        before = ","
    yield ("]" if before == "," else before + "]") + end


def _positions(rows: Iterable[Model]) -> dict[int, int]:
    """Return each row's position in the file, counted from 1, by its id."""
    return {row.pk: number for number, row in enumerate(rows, start=1)}


# --- games ------------------------------------------------------------------------------------------------------------


def _games(games: Sequence[Game], recorders: RecorderNames) -> Iterator[dict[str, object]]:
    for first in range(0, len(games), BATCH_SIZE):
        some = games[first : first + BATCH_SIZE]
        records = _by_game(Record.objects.filter(game__in=some).order_by("game", "number"))
        sources = _by_game(HandSource.objects.filter(game__in=some).order_by("game", "number", "pk"))
        for game in some:
            of_phones = [_hand_source(source, recorders) for source in sources.get(game.pk, [])]
            yield {
                "code": game.code,
                "key": game.key,
                "started_at": days.to_iso(game.started_at),
                "night": file_schema.day_to_iso(date.fromordinal(game.night_number)),
                "discarded_at": days.to_iso(game.discarded_at),
                "batches": _batches(records.get(game.pk, []), recorders),
                **({"hands": of_phones} if of_phones else {}),
                **({"spot": _spot_mark(game, recorders)} if game.spot_nets is not None else {}),
            }


def _spot_mark(game: Game, recorders: RecorderNames) -> dict[str, object]:
    return {
        "nets": game.spot_nets,
        "at": days.to_iso(game.spot_at),
        "by": recorders.name_or_none(game.spot_by_id),
    }


def _by_game(rows: Iterable[Any]) -> dict[int, list[Any]]:
    return bulk.group_values((row.game_id, row) for row in rows)


def _batches(records: Iterable[Record], recorders: RecorderNames) -> list[dict[str, Any]]:
    """Return the batches (events recorded at once) of these records. The first record of each has a key."""
    batches: list[dict[str, Any]] = []
    for record in records:
        if record.key is not None or not batches:
            at, by = days.to_iso(record.recorded_at), recorders.name(record.recorded_by_id)
            arrived_at = days.to_iso(record.arrived_at)
            key = record.key or f"imported-{record.number}"
            batches.append({"key": key, "at": at, "arrived_at": arrived_at, "by": by, "events": []})
        batches[-1]["events"].append({"kind": record.kind, "data": record.data})
    return batches


def _hand_source(source: HandSource, recorders: RecorderNames) -> dict[str, object]:
    """Return the source of a recorded hand: the user whose phone offered it, and its event and player."""
    return {
        "number": source.number,
        "player": source.player,
        "brought_by": recorders.name(source.brought_by_id),
        "is_changed": source.is_changed,
    }
