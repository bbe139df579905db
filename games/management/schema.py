"""Whether the database has the tables that this version of the program reads and writes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.core.management.base import CommandError
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader

from games.management.place import is_begun, lost, unwritable, where

OURS = "games"  # the application whose migrations only a version of this program brings


def is_up_to_date() -> bool:
    """Whether no migration is left to be run."""
    if not is_begun():
        return False
    executor = MigrationExecutor(connection)
    return not executor.migration_plan(executor.loader.graph.leaf_nodes())


def newer() -> str | None:
    """A sentence where a newer version than this one prepared the database."""
    if not is_begun():
        return None
    loader = MigrationLoader(connection)
    unknown = sorted(
        name
        for application, name in loader.applied_migrations
        if application == OURS and (application, name) not in loader.disk_migrations
    )
    if not unknown:
        return None
    return (
        f"A newer version of this program prepared the database (this one has no {unknown[-1]}): start that version, "
        "or restore a backup made before it."
    )


def refuse_an_old_schema() -> None:
    """CommandError, with what to do, where the tables are of another version, or gone: reading would fail halfway."""
    with _asking():
        _refuse(lost() or newer())
        if not is_up_to_date():
            raise CommandError(
                "The database is not prepared yet: run `manage.py serve` or `manage.py migrate` first."
            )


def refuse_an_unfit_place() -> None:
    """CommandError, with what to do, where preparing the database would fail halfway, or begin a second one."""
    with _asking():
        _refuse(next(iter(unwritable()), None) or lost() or newer())


@contextmanager
def _asking() -> Iterator[None]:
    """A database that does not answer, or is damaged, is a sentence too."""
    try:
        yield
    except DatabaseError as error:
        raise CommandError(f"{where()} cannot be asked: {' '.join(str(error).split())}.") from error


def _refuse(sentence: str | None) -> None:
    if sentence:
        raise CommandError(sentence)
