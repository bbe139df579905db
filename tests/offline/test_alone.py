"""The app in a folder without a site, in a process of its own: its database is the only copy."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings
from django.db import connection
from django.urls import get_resolver

from games.management.copies import copy_database
from games.management.folder import NotEmpty, write_folder
from scorekeeper.alone.person import NEED_A_SITE

ENGINE = """
import json, sys
for name in ("rest_framework", "games.api", "games.admin", "django.contrib.admin"):
    sys.modules[name] = None  # only at a site
from scorekeeper.alone import gateway
folder, before, languages = sys.argv[1:]
gateway.begin({}, folder, "/cards/")
from django.db import connection
if before == "other":
    connection.cursor().execute("UPDATE django_migrations SET name = '0001_other' WHERE app = 'games'")
elif before == "wrong":
    connection.cursor().execute("UPDATE games_result SET rounds_won = rounds_won + 1")
problems = gateway.upgrade(languages)
def get(path):
    status, headers, content, _cookies = gateway.serve("GET", path, "", {"accept-language": "en"}, "https://a.org")
    return [status, content.decode()]
print(json.dumps([problems, get("/"), get("/you/"), get("/g/unknown/")]))
"""


@pytest.fixture
def open_in_folder(transactional_db, finished, tmp_path):
    """`open_in_folder("wrong")` opens the database of a finished game, and returns the problems and three pages."""
    copy_database(Path(connection.settings_dict["NAME"]), tmp_path / "db.sqlite3")

    def open_it(before="", languages="en"):
        ended = subprocess.run(
            [sys.executable, "-c", ENGINE, str(tmp_path), before, languages],
            text=True,
            capture_output=True,
            cwd=settings.BASE_DIR,
            check=False,
        )
        assert 0 == ended.returncode, ended.stderr
        return json.loads(ended.stdout)

    return open_it


def test_the_database_of_this_release_is_opened(open_in_folder):
    problems, (status, home), *_others = open_in_folder()

    assert ([], 200) == (problems, status)
    assert "Ana" in home


def test_a_database_with_inconsistent_books_is_refused(open_in_folder):
    problems, *_pages = open_in_folder("wrong")

    assert any("rounds_won" in problem for problem in problems)


@pytest.mark.parametrize(
    ("languages", "sentence"),
    [
        ("en", "These tables were made by a development snapshot: start with an empty folder."),
        (
            "es-UY,es;q=0.9",
            "Estas mesas las hizo una versión de desarrollo: hay que empezar con una carpeta vacía.",
        ),
    ],
)
def test_the_database_of_another_snapshot_is_refused(open_in_folder, languages, sentence):
    problems, *_pages = open_in_folder("other", languages)

    assert [sentence] == problems


def test_all_links_stay_below_the_folder_and_pages_that_need_a_site_say_so(open_in_folder):
    _problems, (_status, home), (status, programs), _unknown = open_in_folder()

    assert 'href="/cards/new/"' in home
    assert 'href="/cards/manifest.webmanifest"' in home
    assert home.count('href="/') == home.count('href="/cards/')
    assert 200 == status
    assert "This needs a site" in programs


def test_an_unknown_address_gets_a_404_page(open_in_folder):
    *_others, (status, page) = open_in_folder()

    assert 404 == status
    assert 'href="/cards/"' in page


def test_a_folder_with_other_files_is_not_overwritten(tmp_path):
    (tmp_path / "other.html").write_text("not ours")

    with pytest.raises(NotEmpty, match="has other files"):
        write_folder(tmp_path)

    assert ["other.html"] == [path.name for path in tmp_path.iterdir()]


def test_every_page_that_is_listed_as_needing_a_site_exists():
    assert set() == NEED_A_SITE - set(map(str, get_resolver().reverse_dict))
