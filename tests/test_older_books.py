"""A database and tables' files from older versions, which allowed more than today's: all of it still counts.

`version_1_table.json.gz` was exported by the last commit that wrote version 1 of that format, from
`full_tables.fill`. `data/older.sql.gz` was filled through the services of commit 1ce2a68, and
`older_table.json.gz` and `older_odd_table.json.gz` are its exports. They are never regenerated, because
users' databases hold the same content today. The first table has all six games, eight cards in a hand of
Chinchón, deals of Chinchón that can be laid out in several ways, 480 points in Loba de Más, two people whose
names differ by an accent, and a reason with a bidirectional mark. The second has the names, reasons and notes
that were possible then.
"""

from __future__ import annotations

import gzip
import json
import re
import shutil
import sqlite3
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import time_machine
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client, override_settings
from django.urls import reverse

from games.models import Game, Table
from games.notebook.books.audit import check_table
from games.notebook.older import upgraded
from games.notebook.reading import read_table
from games.notebook.restoring import restore_table
from games.notebook.writing import write_table
from games.people.claims import waiting_claims
from games.scoring.replay import replay
from games.scoring.text.script import read_script
from games.scoring.text.writing import write_game
from games.scoring.variants import VARIANTS
from tests.commands import output_and_error_of
from tests.databases import At
from tests.tables import a_key, without_codes

DATA = Path(__file__).parent / "data"
TABLES = ("older_table.json.gz", "older_odd_table.json.gz")
# The games with a deal that the rules lay out otherwise by now, all of the first table; its plan was made before.
SINCE = {"points"}  # variants added after those books
CONTESTED = {"z5n6twa4xj8", "w9q9hs7fzxh", "2v2b3kr8x7x", "w47gj6ectwb"}
PLANS: tuple[list[str], ...] = (["does not explain the balances"], [])


def older_file(name: str) -> bytes:
    """Return the content of one of the older files."""
    return gzip.decompress((DATA / name).read_bytes())


def of_now(name: str) -> dict[str, object]:
    """Return an older table's file, converted to the present version of the format."""
    return unnamed(upgraded(json.loads(older_file(name))))


def unnamed(file: dict[str, Any]) -> dict[str, Any]:
    """Return a table's file without its identity, and the codes and keys, which were in no older file."""
    games = [
        {**game, "code": "", "key": "", "batches": [{**batch, "key": ""} for batch in game["batches"]]}
        for game in file["games"]
    ]
    payments = [{**payment, "key": ""} for payment in file["payments"]]
    return {**file, "table": {**file["table"], "id": ""}, "games": games, "payments": payments}


@pytest.fixture(scope="module")
def migrated(tmp_path_factory, django_db_blocker):
    """The file of the older database with today's migrations applied."""
    path = tmp_path_factory.mktemp("older") / "db.sqlite3"
    database = sqlite3.connect(path)
    database.executescript(older_file("older.sql.gz").decode())
    database.close()
    with django_db_blocker.unblock(), At(path), override_settings(DATA_DIR=path.parent):
        call_command("migrate", interactive=False, verbosity=0)
    return path


@pytest.fixture
def older(migrated, tmp_path, django_db_blocker):
    """The tests' database replaced by a copy of the older one, migrated."""
    path = shutil.copy(migrated, tmp_path / "db.sqlite3")
    with django_db_blocker.unblock(), At(path):
        yield


def restored(text: str | bytes, name: str) -> Table:
    """Import this text as a new user and return the table."""
    content = text.encode() if isinstance(text, str) else text
    return restore_table(read_table(content), key=a_key(), by=User.objects.create_user(name))


def checked(**how: bool) -> str:
    """Return the output of `check_books`."""
    return output_and_error_of("check_books", **how)[0]


@pytest.mark.slow
def test_every_game_of_it_replays_and_together_they_are_all_there_are(older):
    played = {replay(game.log()).variant.key for game in Game.objects.all()}
    assert set(VARIANTS) - SINCE == played
    assert 18 == Game.objects.count()


@pytest.mark.slow
def test_its_books_name_the_contested_deals_and_nothing_else(older):
    """Four deals were laid out by another order then; the operator decides when to repair them."""
    printed = checked()
    assert "18 games replayed" in printed
    assert CONTESTED == set(re.findall(r"game (\w+) of", printed))
    assert "Everything adds up." not in printed
    assert "28 differences put right." in checked(repair=True)  # the plan with them
    assert "Everything adds up." in checked()


@pytest.mark.slow
def test_its_tables_go_out_and_come_in_again_as_they_are(older):
    for number, table in enumerate(Table.objects.order_by("pk")):
        text = write_table(table)
        assert of_now(TABLES[number]) == unnamed(json.loads(text))
        again = restored(text, f"nora-{number}")
        assert without_codes(text) == without_codes(write_table(again))
        assert PLANS[number] == [
            difference.what for difference in check_table(again, repair=True).differences
        ]
        assert [] == check_table(again).differences


@pytest.mark.parametrize(
    ("name", "differs"), [*zip(TABLES, PLANS, strict=True), ("version_1_table.json.gz", [])]
)
def test_the_file_of_a_table_comes_in_as_it_was_written(older, name, differs):
    again = restored(older_file(name), "nora")
    assert of_now(name) == unnamed(json.loads(write_table(again)))
    assert differs == [difference.what for difference in check_table(again).differences]


def test_its_games_are_written_as_text_and_read_again(older):
    for game in Game.objects.all():
        text = write_game(game.log())
        events = tuple(event for line in read_script(text) for event in line.events)
        again = write_game(events)
        assert replay(game.log()).players == replay(events).players
        # An option added since is written with the value that it had by default then.
        assert text.splitlines()[1:] == again.splitlines()[1:]
        assert set(text.split()) <= set(again.split())


@time_machine.travel("2026-11-21T12:00Z")  # the day after, because a witness's grant lasts one day
def test_its_people_and_what_they_agreed_are_still_there(older):
    table = Table.objects.first()
    assert table is not None
    assert 4 == table.invites.count()
    assert {"owner": 1, "scorer": 1, "witness": 1} == Counter(
        table.grants.standing().values_list("role", flat=True)
    )
    assert ["Dani"] == [member.name for member in waiting_claims(table)]
    assert 3 == table.closing_notes.count()
    assert {"paid", "corrected", "ended"} <= set(table.plans.values_list("because", flat=True))


def test_what_would_be_refused_now_counts_as_it_did_and_is_doubted(older):
    doubted = {
        str(doubt.text)
        for game in Game.objects.all()
        for played in game.state().rounds
        for doubt in played.doubts
    }
    assert {"Beto has more than 7 cards.", "Ána has more than 196, the whole pack on the table."} <= doubted


def test_its_pages_open(older):
    client = Client(headers={"accept-language": "en"})
    client.force_login(User.objects.get(username="olga"))
    for table in Table.objects.all():
        for page in ("table", "season", "accounts", "payments", "nights", "invites", "claims", "seasons"):
            assert 200 == client.get(reverse(page, args=[table.code])).status_code, page
        for game in table.games.filter(discarded_at=None):
            response = client.get(reverse("sheet", args=[game.code]), follow=True)
            assert 200 == response.status_code
