"""Rows grouped by a key, and bulk inserts of rows that are prepared before a lock is taken.

`bulk_create` would prepare the values while the table is locked; here they are prepared before. Only values
that cannot be known earlier, such as the ids of related rows, are filled in under the lock.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Generic, TypeVar

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Field, ForeignKey, Model

AT_ONCE = 500  # the most rows of one statement

Key = TypeVar("Key")
Value = TypeVar("Value")
Row = TypeVar("Row", bound=Model)


def group_values(pairs: Iterable[tuple[Key, Value]]) -> dict[Key, list[Value]]:
    """Return the values of these pairs by key; keys and values keep their order."""
    groups: dict[Key, list[Value]] = {}
    for key, value in pairs:
        groups.setdefault(key, []).append(value)
    return groups


class BulkRows(Generic[Row]):
    """Rows of one model, prepared for insertion.

    Their values are read when this object is created. Only ids, foreign keys that were empty then, and the
    values passed to `insert` are filled in when the rows are inserted.
    """

    def __init__(self, rows: Iterable[Row]) -> None:
        self.rows: Sequence[Row] = tuple(rows)
        if len(self.rows) < 2:
            return
        database = connections[DEFAULT_DB_ALIAS]
        fields: Sequence[Field[Any, Any]] = self.rows[0]._meta.concrete_fields
        self._values: list[list[Any]] = []
        self._late: list[list[tuple[int, Field[Any, Any]]]] = []
        for row in self.rows:
            unknown = [_is_unknown(field, row) for field in fields]
            self._late.append([(place, fields[place]) for place, is_late in enumerate(unknown) if is_late])
            self._values.append(
                [
                    None if is_late else field.get_db_prep_save(field.pre_save(row, add=True), database)
                    for field, is_late in zip(fields, unknown, strict=True)
                ]
            )

    def insert(self, **values_of_all: Any) -> None:
        """Insert the rows in order and set their ids. Call this inside a write transaction."""
        for row in self.rows:
            vars(row).update(values_of_all)
        if len(self.rows) < 2:  # a single row needs no query for its id
            for row in self.rows:
                row.save(force_insert=True)
            return
        database = connections[DEFAULT_DB_ALIAS]
        keys = _new_keys(database, self.rows[0], len(self.rows))
        places = {field.attname: place for place, field in enumerate(self.rows[0]._meta.concrete_fields)}
        for row, values, late, key in zip(self.rows, self._values, self._late, keys, strict=True):
            row.pk = key
            for place, field in late:
                values[place] = _deferred_value(field, row)
            for name, value in values_of_all.items():
                values[places[name]] = value
        self._write(database)
        for row in self.rows:
            row._state.adding, row._state.db = False, database.alias

    def _write(self, database: BaseDatabaseWrapper) -> None:
        fields, quote = self.rows[0]._meta.concrete_fields, database.ops.quote_name
        at_once = min(AT_ONCE, database.ops.bulk_batch_size(fields, self.rows))
        table = quote(self.rows[0]._meta.db_table)
        columns = f"({', '.join(quote(str(field.column)) for field in fields)})"
        row = f"({', '.join(['%s'] * len(fields))})"
        with database.cursor() as cursor:
            for start in range(0, len(self._values), at_once):
                some = self._values[start : start + at_once]
                clauses = ("INSERT INTO", table, columns, "VALUES", ", ".join([row] * len(some)))
                cursor.execute(" ".join(clauses), [value for values in some for value in values])


def _is_unknown(field: Field[Any, Any], row: Model) -> bool:
    """Return whether the field may get its value only on insertion: an id, or an empty foreign key."""
    return field.primary_key or (isinstance(field, ForeignKey) and row.__dict__[field.attname] is None)


def _deferred_value(field: Field[Any, Any], row: Model) -> Any:
    """Return the field's value now; a foreign key gets the id of its row, which has been stored meanwhile."""
    other = field.get_cached_value(row, default=None) if isinstance(field, ForeignKey) else None
    if other is not None:
        # `setattr` would look up and compare the related row again, which is slow for thousands of rows.
        row.__dict__[field.attname] = other.pk
    return row.__dict__[field.attname]


def _new_keys(database: BaseDatabaseWrapper, row: Model, count: int) -> Sequence[int]:
    """Return `count` unused ids for the model of `row`, in ascending order.

    SQLite does not reserve them: the caller's write transaction keeps other writers out.
    """
    table, key = row._meta.db_table, row._meta.pk
    assert key is not None
    with database.cursor() as cursor:
        if database.vendor == "sqlite":
            cursor.execute("SELECT seq FROM sqlite_sequence WHERE name = %s", [table])
            (newest,) = cursor.fetchone() or (0,)
            return range(newest + 1, newest + 1 + count)
        cursor.execute(
            "SELECT nextval(pg_get_serial_sequence(%s, %s)) FROM generate_series(1, %s)",
            [database.ops.quote_name(table), key.column, count],
        )
        return sorted(number for (number,) in cursor.fetchall())
