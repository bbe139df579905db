"""Differences between the database's schema and this program's models, without a second database.

The expected columns, constraints and indexes are read from the models. Compared are the names of columns and
whether they are nullable, and the names that the models give to constraints and indexes, but neither the
order of columns nor names that the database made up. `games/common/triggers.py` compares the triggers.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Set

from django.apps import apps
from django.db.backends.base.base import BaseDatabaseWrapper

# Indexes that a migration creates and no model has.
_MIGRATION_INDEXES: Mapping[str, Set[str]] = {"auth_user": {"games_folded_name"}}
_COLUMN_QUERIES = {
    "sqlite": """SELECT m.name, c.name, NOT c."notnull" FROM sqlite_master m, pragma_table_info(m.name) c
        WHERE m.type = 'table'""",
    "postgresql": """SELECT c.relname, a.attname, NOT a.attnotnull FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
        WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace AND a.attnum > 0 AND NOT a.attisdropped""",
}
_CONSTRAINT_QUERIES = {
    "sqlite": """SELECT tbl_name, name, sql FROM sqlite_master WHERE sql IS NOT NULL AND type IN ('table', 'index')""",
    "postgresql": """SELECT conrelid::regclass::text, conname, '' FROM pg_constraint
        WHERE contype IN ('c', 'u') AND connamespace = current_schema()::regnamespace
        UNION SELECT tablename, indexname, '' FROM pg_indexes WHERE schemaname = current_schema()""",
}
_SQLITE_CONSTRAINT = re.compile(r'CONSTRAINT "(\w+)"')


def list_differences(connection: BaseDatabaseWrapper) -> list[str]:
    """Return the differences, such as "games_token lacks reads_only"; [] for a database of this program."""
    columns, names = _columns(connection), _constraint_names(connection)
    wrong = []
    for model in apps.get_models(include_auto_created=True):
        if not model._meta.managed or model._meta.proxy:
            continue
        table = model._meta.db_table
        expected = {str(field.column): field.null for field in model._meta.local_concrete_fields}
        wrong += _name_differences(table, expected.keys(), columns[table].keys())
        wrong += [
            f"{table}.{column} {'may not' if may_be_null else 'may'} be empty"
            for column, may_be_null in expected.items()
            if columns[table].get(column, may_be_null) != may_be_null
        ]
        named = {part.name for part in (*model._meta.constraints, *model._meta.indexes)}
        wrong += _name_differences(table, named | _MIGRATION_INDEXES.get(table, set()), names[table])
    return wrong


def _name_differences(table: str, expected: Set[str], actual: Set[str]) -> list[str]:
    lacking = [f"{table} lacks {name}" for name in sorted(expected - actual)]
    return lacking + [f"{table} has {name}" for name in sorted(actual - expected)]


def _columns(connection: BaseDatabaseWrapper) -> Mapping[str, dict[str, bool]]:
    """Return whether each column is nullable, by table and column."""
    columns: dict[str, dict[str, bool]] = defaultdict(dict)
    with connection.cursor() as cursor:
        cursor.execute(_COLUMN_QUERIES[connection.vendor])
        for table, column, may_be_null in cursor.fetchall():
            columns[table][column] = bool(may_be_null)
    return columns


def _constraint_names(connection: BaseDatabaseWrapper) -> Mapping[str, set[str]]:
    """Return the names of each table's constraints and indexes, except those that the database made up.

    The database's own names begin with the table's.
    """
    names: dict[str, set[str]] = defaultdict(set)
    with connection.cursor() as cursor:
        cursor.execute(_CONSTRAINT_QUERIES[connection.vendor])
        for table, name, sql in cursor.fetchall():
            constraint_names = _SQLITE_CONSTRAINT.findall(sql) if name == table else [name]
            names[table] |= {name for name in constraint_names if not name.startswith(f"{table}_")}
    return names
