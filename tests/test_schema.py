"""Management commands on an empty database: each says what to run first, or migrates the database itself."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

BASE = Path(__file__).parents[1]


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    settings = {**os.environ, "DATA_DIR": str(folder), "DATABASE_URL": f"sqlite:///{folder}/db.sqlite3"}
    return subprocess.run(
        [sys.executable, "manage.py", *words], cwd=BASE, env=settings, text=True, capture_output=True
    )


@pytest.mark.slow
@pytest.mark.parametrize("words", [("check_books",), ("import_table", "table.json", "--owner", "ana")])
def test_what_reads_an_unprepared_database_says_what_to_run_first(tmp_path, words):
    ended = run(tmp_path, *words)

    message = "CommandError: The database is not prepared yet: run `manage.py serve` or `manage.py migrate` first.\n"
    assert (1, message) == (ended.returncode, ended.stderr)


@pytest.mark.slow
def test_the_demo_prepares_the_database_itself(tmp_path):
    ended = run(tmp_path, "demo", "--password", "siete de oros")

    assert (0, "") == (ended.returncode, ended.stderr)
    assert "Log in at /login/ as demo with the password siete de oros\n" in ended.stdout
