"""Whether the database has the tables that this version of the program reads and writes."""

from __future__ import annotations

from django.core.management.base import CommandError
from django.db import connection
from django.db.migrations.executor import MigrationExecutor


def is_up_to_date() -> bool:
    """Whether no migration is left to be run."""
    executor = MigrationExecutor(connection)
    return not executor.migration_plan(executor.loader.graph.leaf_nodes())


def refuse_an_old_schema() -> None:
    """CommandError, with what to do, where a migration is left: reading would fail halfway through."""
    if not is_up_to_date():
        raise CommandError(
            "The database is not prepared yet: run `manage.py serve` or `manage.py migrate` first."
        )
