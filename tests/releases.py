"""The releases in `tests/data/released.toml`, and what each of them stored: a database and a table's file.

    .venv/bin/python -m tests.releases

writes both for this version, with a table that has rows of every kind, and adds the version's row. Run it
once, in the commit of a release. The files of earlier versions are never written again.
"""

from __future__ import annotations

import lzma
import os
import random
import sqlite3
import tempfile
import tomllib
from contextlib import closing
from datetime import date
from hashlib import sha256
from pathlib import Path
from typing import Any

from games import migrations
from games.scoring import __version__

DATA = Path(__file__).parent / "data"
RELEASES_FILE = DATA / "released.toml"
SUFFIXES = ("sql", "json")


def load_releases() -> tuple[dict[str, str], dict[str, dict[str, Any]]]:
    """Return the checksums of the migrations since the last release, and each version's row, oldest first."""
    rows = tomllib.loads(RELEASES_FILE.read_text(encoding="utf-8"))
    return rows.pop("next"), rows


def read_release_file(version: str, end: str) -> str:
    """Return what the version stored: its database ("sql") or its table's file ("json")."""
    return lzma.decompress((DATA / f"{version}.{end}.xz").read_bytes()).decode()


def migration_checksums() -> dict[str, str]:
    files = sorted(Path(migrations.__path__[0]).glob("[!_]*.py"))
    return {file.stem: file_checksum(file) for file in files}


def file_checksum(file: Path) -> str:
    return sha256(file.read_bytes()).hexdigest()


def write_release() -> None:
    """Fill a new database with a table that has rows of every kind. Write both files and the version's row."""
    from django.contrib.auth.models import User
    from django.core.management import call_command

    from games.files.services import file_writer
    from games.management import site_folder
    from games.tables.services import links, tokens
    from tests.full_tables import FullTable, fill

    call_command("migrate", verbosity=0)
    owner = User.objects.create_user("olga")
    table = fill(FullTable(random.Random(1), owner))
    links.get_or_create_tonight(table, by=owner)
    tokens.create(owner, "planilla", table=table)
    file = site_folder.sqlite_file()
    assert file is not None
    with closing(sqlite3.connect(file)) as database:
        texts = {"sql": "\n".join([*database.iterdump(), ""]), "json": file_writer.write_table(table)}
    row = [f'\n["{__version__}"]', f"date = {date.today()}"]
    for end, text in texts.items():
        target = DATA / f"{__version__}.{end}.xz"
        target.write_bytes(lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME))
        row.append(f'{end} = "{file_checksum(target)}"')
    row += [
        "[" + f'"{__version__}".migrations]',
        *(f'{name} = "{sha}"' for name, sha in migration_checksums().items()),
    ]
    with RELEASES_FILE.open("a", encoding="utf-8") as rows:
        rows.write("\n".join([*row, ""]))


if __name__ == "__main__":
    import django

    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {
            "DJANGO_SETTINGS_MODULE": "tests.settings",
            "DATA_DIR": folder,
            "DATABASE_URL": "",
        }
        django.setup()
        write_release()
