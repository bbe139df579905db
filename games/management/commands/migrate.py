"""`manage.py migrate`: Django's command, which here copies a SQLite database first.

It refuses to create an empty database in place of a lost one, which existed before and is missing now.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.commands import migrate
from django.utils.timezone import now

from games.management import backups, schema, site_folder

COPIES_TO_KEEP = 2
COPY_PATTERN = "before-migration-*.sqlite3"


class Command(migrate.Command):
    help = f"{migrate.Command.help} A SQLite database is copied first; the newest two copies are kept."

    def execute(self, *args: Any, **options: Any) -> str | None:
        """Migrate, and begin a site that does not exist yet: its folder, its secret key and its database file.

        Raise CommandError if the database is not writable, lost, or from a newer version.
        """
        site_folder.create_folder()
        schema.check_can_migrate()
        site_folder.store_secret()
        if file := site_folder.sqlite_file():
            file.touch()  # our connections open existing files only
        with preparation_lock(settings.DATA_DIR, self.stdout.write):
            return super().execute(*args, **options)

    def handle(self, *args: Any, **options: Any) -> None:
        if options["plan"] or options["check_unapplied"]:
            super().handle(*args, **options)
            return
        file = site_folder.sqlite_file()
        if file and site_folder.database_exists() and (options["app_label"] or not schema.is_up_to_date()):
            self.stdout.write(
                f"The database as it was: {copy_before_migrating(file)} (its name has the time in UTC)"
            )
        super().handle(*args, **options)
        if site_folder.database_exists():
            site_folder.write_marker()


def is_migrated() -> bool:
    """Return whether the site is begun and its database has every migration, so that this command need not run.

    Raise CommandError if the database is not writable, lost, or from a newer version.
    """
    if not (site_folder.is_marked() and settings.STORED_SECRET):
        return False
    schema.check_can_migrate()
    return schema.is_up_to_date()


def copy_before_migrating(file: Path) -> Path:
    """Copy the database into the folder `copies/` beside it, and return the copy's path.

    Delete all but the newest COPIES_TO_KEEP copies.
    """
    folder = file.parent / "copies"
    folder.mkdir(mode=0o700, exist_ok=True)
    copy = folder / f"before-migration-{now().strftime(backups.STAMP)}.sqlite3"
    backups.copy_database(file, copy)
    for old in backups.list_outdated(COPIES_TO_KEEP, list(folder.glob(COPY_PATTERN))):
        old.unlink()
    return copy


@contextmanager
def preparation_lock(folder: Path, write: Callable[[str], object]) -> Iterator[None]:
    """Hold a lock on the folder during the `with` block. If another process has it, write a message and wait.

    Without the lock, two processes would plan the same migrations, and the later one would fail with "table
    already exists", or collect the same files. The lock is on the folder itself. The operating system
    releases it even if the process is killed.
    """
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        _lock(descriptor, write)
        yield
    finally:
        os.close(descriptor)


def _lock(descriptor: int, write: Callable[[str], object]) -> None:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        write("Another program is preparing the site. Waiting until it is done.")
        fcntl.flock(descriptor, fcntl.LOCK_EX)
    except OSError:
        pass  # a network file system may not lock folders: then prepare without the lock
