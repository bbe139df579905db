"""The app without a site: its database is the only copy, so every later release has to open it."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings
from django.urls import get_resolver

from games.management.folder import NotEmpty, write_folder
from scorekeeper.alone.person import NEED_A_SITE

RELEASED = sorted(Path(settings.BASE_DIR, "tests", "data").glob("folder-*.sqlite3.gz"))

ENGINE = """
import json, sqlite3, sys
for name in ("rest_framework", "games.api", "games.admin", "django.contrib.admin"):
    sys.modules[name] = None  # only at a site
from scorekeeper.alone import gateway
folder, before = sys.argv[1:]
gateway.begin({}, folder, "/cards/")
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
if before == "older":
    MigrationExecutor(connection).migrate([("games", "0037_home_screen_links")])
elif before == "newer":
    connection.cursor().execute("UPDATE django_migrations SET name = '9999_later' WHERE name = '0001_tables'")
elif before == "wrong":
    connection.cursor().execute("UPDATE games_result SET rounds_won = rounds_won + 1")
problems = gateway.upgrade()
def get(path):
    status, headers, content, _cookies = gateway.serve("GET", path, "", {"accept-language": "en"}, "https://a.org")
    return [status, content.decode()]
print(json.dumps([problems, get("/"), get("/programs/"), get("/g/unknown/")]))
"""


def opened_by_this_release(released: Path, folder: Path, before: str = ""):
    """Return what is wrong with the books, and two pages."""
    (folder / "db.sqlite3").write_bytes(gzip.decompress(released.read_bytes()))
    ended = subprocess.run(
        [sys.executable, "-c", ENGINE, str(folder), before],
        text=True,
        capture_output=True,
        cwd=settings.BASE_DIR,
        check=False,
    )
    assert 0 == ended.returncode, ended.stderr
    return json.loads(ended.stdout)


@pytest.mark.slow
@pytest.mark.parametrize("released", RELEASED, ids=lambda path: path.name)
@pytest.mark.parametrize("before", ["", "older"])
def test_the_app_opens_the_database_of_every_earlier_release(released, before, tmp_path):
    problems, (status, home), *_others = opened_by_this_release(released, tmp_path, before)

    assert [] == problems
    assert 200 == status
    assert "Ana, Beto, Caro" in home


def test_a_database_with_inconsistent_books_is_refused(tmp_path):
    problems, *_pages = opened_by_this_release(RELEASED[0], tmp_path, "wrong")

    assert ["ana: rounds_won is 4, and should be 3"] == [
        problem.partition(": ")[2] for problem in problems if ": ana: " in problem
    ]


def test_a_database_of_a_newer_release_is_refused(tmp_path):
    problems, *_pages = opened_by_this_release(RELEASED[0], tmp_path, "newer")

    assert ["A newer release wrote this database."] == problems


def test_all_links_stay_below_the_folder_and_pages_that_need_a_site_say_so(tmp_path):
    _problems, (_status, home), (status, programs), _unknown = opened_by_this_release(RELEASED[0], tmp_path)

    assert 'href="/cards/new/"' in home
    assert 'href="/cards/manifest.webmanifest"' in home
    assert home.count('href="/') == home.count('href="/cards/')
    assert 200 == status
    assert "This needs a site" in programs


def test_an_unknown_address_gets_a_404_page(tmp_path):
    *_others, (status, page) = opened_by_this_release(RELEASED[0], tmp_path)

    assert 404 == status
    assert 'href="/cards/"' in page


def test_a_folder_with_other_files_is_not_overwritten(tmp_path):
    (tmp_path / "other.html").write_text("not ours")

    with pytest.raises(NotEmpty, match="has other files"):
        write_folder(tmp_path)

    assert ["other.html"] == [path.name for path in tmp_path.iterdir()]


def test_every_page_that_is_listed_as_needing_a_site_exists():
    assert set() == NEED_A_SITE - set(map(str, get_resolver().reverse_dict))
