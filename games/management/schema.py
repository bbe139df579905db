"""Checks that the database belongs to this version of the program, and the base of commands that need it.

A database is lost if it was created here before and is missing now (`site_folder.py`).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder

from games.common import program, schema_version, triggers
from games.management import schema_diff, site_folder

APP_LABEL = "games"  # the application whose migrations belong to this program alone


def is_up_to_date() -> bool:
    if not site_folder.database_exists():
        return False
    executor = MigrationExecutor(connection)
    return not executor.migration_plan(executor.loader.graph.leaf_nodes())


def newer_database_message() -> str | None:
    """Return a sentence if a newer version made the database; otherwise None."""
    if not site_folder.database_exists():
        return None
    applied = {
        name
        for application, name in MigrationRecorder(connection).applied_migrations()
        if application == APP_LABEL
    }
    if not schema_version.is_foreign_database(applied):
        return None
    return f"{site_folder.database_label()} was made by a newer version: update the program."


def check_up_to_date() -> None:
    """Raise CommandError, with advice, if the database is not migrated, lost, or from a newer version."""
    with _as_command_error():
        _raise_if(site_folder.lost_database_message() or newer_database_message())
        if not site_folder.database_exists():
            raise CommandError(site_folder.missing_database_message())
        if not is_up_to_date():
            raise CommandError(
                f"{site_folder.database_label()} is of an older version: run `{program.NAME} serve` or `{program.NAME} migrate` first."
            )
        _raise_if(site_folder.missing_secret_message())


class SiteCommand(BaseCommand):
    """A command that refuses to start unless this version of the program has migrated the database."""

    def execute(self, *args: Any, **options: Any) -> str | None:
        check_up_to_date()
        return super().execute(*args, **options)


def check_can_migrate() -> None:
    """Raise CommandError, with advice, if the database is not writable, lost, or from a newer version."""
    with _as_command_error():
        _raise_if(
            next(iter(site_folder.write_problems()), None)
            or site_folder.lost_database_message()
            or newer_database_message()
        )


@contextmanager
def _as_command_error() -> Iterator[None]:
    """Turn a database error inside the `with` block into a CommandError of one sentence."""
    try:
        yield
    except DatabaseError as error:
        raise CommandError(
            f"{site_folder.database_label()} cannot be asked: {' '.join(str(error).split())}."
        ) from error


def schema_mismatch_message() -> str | None:
    """Return a sentence if an up-to-date database's schema differs from this program's; otherwise None."""
    wrong = schema_diff.list_differences(connection)
    if not wrong:
        return None
    return (
        f"{site_folder.database_label()} does not fit this program, although its migrations do ({', '.join(wrong[:3])}): serve it with "
        f"the program that made it, or bring a backup back with `{program.NAME} restore`."
    )


def check_schema() -> None:
    """Raise CommandError, with advice, if the columns, constraints or triggers are not this program's."""
    with _as_command_error():
        _raise_if(schema_mismatch_message())
        if sentence := missing_triggers_message():
            raise CommandError(f"{sentence} Run: {program.NAME} check_books --repair")


def missing_triggers_message() -> str | None:
    """Return a sentence if a trigger that guards the records is missing or was altered; otherwise None."""
    wrong = triggers.wrong_guards(connection)
    return f"The database lets records be changed: {', '.join(wrong)}." if wrong else None


def _raise_if(sentence: str | None) -> None:
    if sentence:
        raise CommandError(sentence)
