"""`manage.py move_database URL`: like pgloader, but in both directions, and it checks the copy.

It moves the site's data to another database, from SQLite to PostgreSQL or back, with Django's `dumpdata` and
`loaddata`.
"""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from argparse import ArgumentParser
from collections import Counter
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management.base import CommandError
from django.db import DEFAULT_DB_ALIAS, DatabaseError, connection
from django.db.utils import load_backend

from games.common import program
from games.management import site_folder
from games.management.schema import SiteCommand

# XML, because JSON would truncate moments to milliseconds.
DUMP = (
    "dumpdata",
    "--format",
    "xml",
    "--exclude",
    "contenttypes",
    "--exclude",
    "auth.permission",
    "--output",
)

MODEL = re.compile(r'<object model="([\w.]+)"')


class Command(SiteCommand):
    help = (
        "Copy all data to the empty database at URL, compare the counts of all tables, check the books there, and make it the "
        "database of this site. Stop the server first; the database that was stays as it is."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "url", help="as for DATABASE_URL: postgres://user:password@host:5432/name or sqlite:////path"
        )

    def handle(self, *, url: str, **options: object) -> None:
        try:
            target = settings.READ_DATABASE("URL", url)
        except ImproperlyConfigured as error:
            raise CommandError(str(error)) from error
        site_folder.write_marker()  # the lock needs the file, which may be missing
        with site_folder.lock_marker(exclusive=True) as is_free:
            if not is_free:
                raise CommandError("A server runs on this folder: stop it first.")
            _check_empty(target)
            rows = _copy_rows(url)
            site_folder.write_marker(target)
        self.stdout.write(
            f"{rows} rows are there, and their books add up. The database that was stays as it is."
        )
        is_default = target["NAME"] == str(Path(settings.DATA_DIR) / "db.sqlite3")
        self.stdout.write(
            "From now on leave DATABASE_URL unset." if is_default else f"From now on set: DATABASE_URL={url}"
        )


def _check_empty(target: dict[str, Any]) -> None:
    """Raise CommandError if the database has a table, or cannot be queried."""
    named = target["NAME"]
    if target["ENGINE"].endswith("sqlite3"):
        if Path(named).exists():
            raise CommandError(f"There is a file at {named}: move it away, or name another.")
        return
    other = load_backend(target["ENGINE"]).DatabaseWrapper(
        {**connection.settings_dict, "OPTIONS": {}, **target}, DEFAULT_DB_ALIAS
    )
    try:
        tables = other.introspection.table_names()
    except DatabaseError as error:
        raise CommandError(f"{named} cannot be asked: {' '.join(str(error).split())}.") from error
    finally:
        other.close()
    if tables:
        raise CommandError(f"The database {named} is not empty: make another with `createdb`, and name that.")


def _copy_rows(url: str) -> int:
    """Copy all rows, check the copy's books, and return the number of rows.

    Raise CommandError if anything differs.
    """
    with tempfile.TemporaryDirectory(prefix=".move-", dir=settings.DATA_DIR) as folder:
        before, after = Path(folder, "before.xml"), Path(folder, "after.xml")
        source_env = {**os.environ}
        there = {**source_env, "DATABASE_URL": url, "DATA_DIR": str(Path(folder, "data"))}
        _run(source_env, *DUMP, str(before))
        for command in (("migrate",), ("loaddata", str(before)), ("check_books",), (*DUMP, str(after))):
            _run(there, *command)
        counts, arrived = _count_rows(before), _count_rows(after)
    for name in sorted(counts | arrived):
        if counts[name] != arrived[name]:
            raise CommandError(
                f"{name} has {counts[name]} rows here and {arrived[name]} there. Nothing was changed here."
            )
    return counts.total()


def _count_rows(dump: Path) -> Counter[str]:
    """Return the number of rows in the dump, by model."""
    return Counter(MODEL.findall(dump.read_text(encoding="utf-8")))


def _run(environment: dict[str, str], *arguments: str) -> None:
    """Run one of our commands in a process with other settings, so that a failure changes nothing here."""
    ended = subprocess.run(program.command(*arguments), env=environment, capture_output=True, text=True)
    if ended.returncode:
        output_lines = [line for line in f"{ended.stdout}\n{ended.stderr}".splitlines() if line]
        raise CommandError(
            "\n".join([f"`{arguments[0]}` fails, so the data stays where it was.", *output_lines[-3:]])
        )
