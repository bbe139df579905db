"""This program opens everything that a release stored: its database on every backend, and a table's file."""

from __future__ import annotations

import re
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import connection, connections, transaction
from django.db.migrations.executor import MigrationExecutor
from django.test import Client
from django.utils.timezone import now

from games.common import locks, triggers
from games.files.services import audit, file_reader, table_import
from games.management import schema_diff
from games.models import Game, Method, Table, Token
from games.money.services import payments
from games.play.services import recording
from games.scoring.events import GameStarted, Player
from games.tables.services import tokens
from tests.commands import run_command
from tests.factories import make_user, new_key, winning_round
from tests.page_urls import PAGES, is_game_page, page_url
from tests.releases import load_releases, read_release_file

RELEASES = load_releases()[1]
*EARLIER, LAST, NEWEST = RELEASES
pytestmark = pytest.mark.postgres
each_version = pytest.mark.parametrize(
    "version",
    [
        *(pytest.param(one, marks=pytest.mark.long) for one in EARLIER),
        pytest.param(LAST, marks=pytest.mark.slow),
        NEWEST,
    ],
)
FIRST = "0001_one_way_in"
GAMES = 16


def open_release_database(version: str) -> sqlite3.Connection:
    """Return the database that the version stored, in memory."""
    database = sqlite3.connect(":memory:")
    database.executescript(read_release_file(version, "sql"))
    return database


@pytest.fixture
def load_release(request, transactional_db):
    """`load_release("1.0.0-a")` fills the database with that version's rows in its schema, and migrates it."""
    if connection.vendor == "sqlite":
        home = request.getfixturevalue("home")
        yield lambda version: on_sqlite(home / "db.sqlite3", version)
    else:
        yield on_postgresql


def on_sqlite(file: Path, version: str) -> None:
    connection.close()
    file.unlink()
    with closing(sqlite3.connect(file)) as database:
        database.executescript(read_release_file(version, "sql"))
    call_command("migrate", verbosity=0)


def on_postgresql(version: str) -> None:
    """Migrate back to the version's schema, insert its rows unchanged, and migrate forward."""
    last = max(RELEASES[version].get("migrations", [FIRST]))
    MigrationExecutor(connection).migrate([("games", None)])
    MigrationExecutor(connection).migrate([("games", last)])
    with transaction.atomic(), connection.cursor() as cursor, closing(open_release_database(version)) as old:
        if version == "1.0.0-a":  # as its own first migration had it
            cursor.execute("ALTER TABLE games_token ADD COLUMN reads_only boolean NOT NULL")
        tables = [name for (name,) in old.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        ours = [name for name in tables if not name.startswith(("sqlite_", "django_migrations"))]
        cursor.execute("SET CONSTRAINTS ALL DEFERRED")
        for table in ("django_content_type", "auth_permission"):
            ours.remove(table)  # `migrate` created them
        for table in ours:
            insert(cursor, table, old.execute(f"SELECT * FROM {table}"))
    call_command("migrate", verbosity=0)


def insert(cursor: Any, table: str, rows: sqlite3.Cursor) -> None:
    """Insert these rows as texts, which PostgreSQL reads by the types of its columns."""
    cursor.execute(
        "SELECT attname, format_type(atttypid, NULL) FROM pg_attribute WHERE attrelid = %s::regclass AND attnum > 0",
        [table],
    )
    types = dict(cursor.fetchall())
    names = [column for column, *_rest in rows.description]
    values = ", ".join(f"%s::text::{types[name]}" for name in names)
    quoted = ", ".join(f'"{name}"' for name in names)
    for row in rows:
        cursor.execute(f"INSERT INTO {table} ({quoted}) VALUES ({values})", row)
    if "id" in names and rows.rowcount:
        cursor.execute(
            f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), (SELECT max(id) + 1 FROM {table}))"
        )


@each_version
def test_its_books_add_up_its_shape_is_new_its_pages_open_and_the_table_plays_on(
    load_release, version, subtests
):
    load_release(version)
    output = run_command("check_books")
    table, olga = Table.objects.get(), User.objects.get(username="olga")

    assert f"{GAMES} games replayed" in output
    assert ([], []) == (schema_diff.list_differences(connection), triggers.wrong_guards(connection))
    if connection.vendor == "sqlite":
        assert schema_statements(connection.settings_dict["NAME"]) == schema_statements(
            connections.settings["default"]["NAME"]
        )
    with subtests.test("pages"):
        assert {} == {
            page: status for page, status in page_statuses(table, olga) if status not in (200, 204, 302, 405)
        }
    secret, game = play_on(table, olga)
    assert 200 == program_client(secret).get(f"/api/v1/games/{game.code}/").status_code
    assert "Everything adds up." in run_command("check_books")


def schema_statements(file: str) -> dict[str, set[str]]:
    """Return the parts of each statement that created something in the database, without their order."""
    with closing(sqlite3.connect(file)) as database:
        made = database.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL").fetchall()
    return {
        name: set(re.split(r", (?=\"|CONSTRAINT)", sql.partition("(")[2].rstrip(")"))) for name, sql in made
    }


def page_statuses(table: Table, olga: User) -> Iterator[tuple[str, int]]:
    """Yield the status of every page of the table, and of a running and a finished game."""
    phone, games = Client(), table.games.filter(discarded_at=None)
    phone.force_login(olga)
    some = [games.filter(ended_at=None)[0], games.exclude(ended_at=None)[0]]
    for name in PAGES:
        for game in some if is_game_page(name) else some[:1]:
            yield name, phone.get(page_url(name, game=game, table=table)).status_code


def play_on(table: Table, olga: User) -> tuple[str, Game]:
    """Record a game, a payment and a token. Return the token's secret and the game."""
    ana, beto = table.members.order_by("pk")[:2]
    start_event = GameStarted("loba_menos", (), (Player("ana", ana.name), Player("beto", beto.name)))
    game = recording.start_game(table, start_event, key="begun here", by=olga)
    recording.record(game, winning_round("ana", "beto"), after=1, key="played here", by=olga)
    payments.create(table, beto, ana, 100, method=Method.CASH, key="paid here", by=olga)
    return tokens.create(olga, "reloj", table=table)[1], game


def program_client(secret: str) -> Client:
    return Client(headers={"authorization": f"Bearer {secret}"})


def test_a_token_that_only_read_in_the_first_release_only_reads_here(load_release):
    load_release("1.0.0-a")
    secret = f"{tokens.PREFIX}pantalla"
    watching = Token.objects.filter(name="pantalla", reads_only=True)
    watching.update(token_hash=locks.hash_token(secret), expires_at=now() + timedelta(days=1))
    at_table = f"/api/v1/tables/{Table.objects.get().code}/"

    answer = program_client(secret).post(
        f"{at_table}members/",
        {"name": "Zoe"},
        content_type="application/json",
        headers={"idempotency-key": "k"},
    )
    assert (403, "read_only") == (answer.status_code, answer.json()["code"])
    assert 200 == program_client(secret).get(at_table).status_code


@pytest.mark.parametrize("version", RELEASES)
def test_its_tables_file_is_imported_and_the_books_add_up(db, version):
    table = table_import.create_table(
        file_reader.read_table(read_release_file(version, "json").encode()), key=new_key(), by=make_user()
    )

    assert GAMES == table.games.count()
    assert [] == list(audit.check_table(table).differences)


IN_A_FOLDER = """
import sys
from scorekeeper.serverless import gateway
gateway.begin({}, sys.argv[1], "/cards/")
problems = gateway.upgrade("en")
from games.management.schema_diff import list_differences
from django.db import connection
print(problems, list_differences(connection), gateway.serve("GET", "/", "", {}, "https://a.org")[0])
"""


@pytest.mark.skipif(connection.vendor != "sqlite", reason="has a database of its own, on SQLite")
@each_version
def test_a_folder_without_a_server_migrates_it(tmp_path, version):
    with closing(sqlite3.connect(tmp_path / "db.sqlite3")) as database:
        database.executescript(read_release_file(version, "sql"))
    command = [sys.executable, "-c", IN_A_FOLDER, str(tmp_path)]
    ended = subprocess.run(command, text=True, capture_output=True, cwd=settings.BASE_DIR, check=False)

    assert ("[] [] 200\n", "") == (ended.stdout, ended.stderr)
