"""The app in a folder without a site, in its own process: its database is the only copy."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings
from django.db import connection
from django.urls import get_resolver

from games.apps import check_folder
from games.management import backups, static_site
from games.management.static_site import FolderNotEmpty
from scorekeeper.serverless.single_user import NEED_A_SITE
from tests.commands import command_error
from tests.reader import read_html

ENGINE = """
import html, json, re, sys
from urllib.parse import urlencode
from tests.reader import read_html
for name in ("rest_framework", "games.common.api", "games.admin", "django.contrib.admin"):
    sys.modules[name] = None  # only at a site
from scorekeeper.serverless import gateway
folder, before, languages = sys.argv[1:]
gateway.begin({}, folder, "/cards/")
from django.db import connection
if before == "other":
    connection.cursor().execute("UPDATE django_migrations SET name = '0001_other' WHERE app = 'games'")
elif before == "wrong":
    connection.cursor().execute("UPDATE games_result SET rounds_won = rounds_won + 1")
problems = gateway.upgrade(languages)
def get(path):
    path, _, query = path.partition("?")
    status, _headers, content, _cookies = gateway.serve("GET", path, query, {"accept-language": "en"}, "https://a.org")
    return [status, content.decode()]
pages, coming = {}, ["/", "/you/", "/g/unknown/"]
while coming and not problems and before == "all" or len(pages) < 3:
    path = coming.pop(0)
    if path not in pages:
        pages[path] = get(path)
        links = re.findall('href="/cards(/[^"#]*)', pages[path][1])
        coming += [html.unescape(link) for link in links if "static" not in link and "manifest" not in link]
def tick():
    forms = (form for page in pages.values() if "/tick/" in page[1] for form in read_html(page[1]).every("form"))
    form = next(form for form in forms if form.attrs["action"].endswith("/tick/"))
    path, body = form.attrs["action"].removeprefix("/cards"), urlencode(form.fields).encode()
    kind = "application/x-www-form-urlencoded"
    status, headers, *_rest = gateway.serve("POST", path, "", {}, "https://a.org", body, kind)
    return [status, dict(headers).get("Location", "")]
if before == "all":
    pages["a tick"] = tick()
print(json.dumps([problems, pages]))
"""
SITE_WORDS = "invit|a link|your own phones?|your phone|who are you|scorekeeper.s|password|sign in"


@pytest.fixture
def open_in_folder(transactional_db, finished, tmp_path):
    """`open_in_folder("wrong")` opens the database of a finished game.

    It returns the problems, and status and content of three pages or, with "all", of every linked page.
    """
    backups.copy_database(Path(connection.settings_dict["NAME"]), tmp_path / "db.sqlite3")

    def open_it(before, languages="en"):
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


def test_a_database_with_inconsistent_books_is_refused(open_in_folder):
    problems, _pages = open_in_folder("wrong")

    assert any("rounds_won" in problem for problem in problems)


def test_the_database_of_another_snapshot_is_refused_in_the_browsers_language(open_in_folder):
    problems, _pages = open_in_folder("other", "fr,en;q=0.9")

    assert ["These tables are from a newer version."] == problems


def test_no_page_speaks_of_what_needs_a_site_but_the_people_of_a_table(open_in_folder):
    problems, pages = open_in_folder("all")

    assert [] == problems
    status, back = pages.pop("a tick")  # its form names its page, with the path of the folder
    assert (302, "/cards/") == (status, back[:7])
    broken = {path: status for path, (status, _page) in pages.items() if status not in (200, 302)}
    assert {"/you/": 404, "/g/unknown/": 404} == broken
    assert len(pages) > 40
    parsed_pages = {
        path: read_html(page) for path, (status, page) in pages.items() if status == 200 and "<main" in page
    }
    texts = {path: page.only("main").text for path, page in parsed_pages.items()}
    speaking = {path for path, text in texts.items() if re.search(SITE_WORDS, text, re.IGNORECASE)}
    assert ["/t/table/"] == sorted(re.sub("^/t/[^/]+/people/", "/t/table/", path) for path in speaking)
    assert set() == {path for path, (_status, page) in pages.items() if re.search('href="/(?!cards/)', page)}


def test_a_folder_with_other_files_is_not_overwritten(tmp_path):
    (tmp_path / "other.html").write_text("not ours")

    with pytest.raises(FolderNotEmpty, match="has other files"):
        static_site.write_folder(tmp_path)

    assert ["other.html"] == [path.name for path in tmp_path.iterdir()]


def test_a_file_in_place_of_the_folder_is_named(tmp_path):
    (tmp_path / "cards").write_text("a file")

    assert f"{tmp_path}/cards cannot be read or written: Not a directory." == command_error(
        "folder", str(tmp_path / "cards")
    )


@pytest.mark.parametrize(("is_served", "warnings"), [(True, ["games.W001"]), (False, [])])
def test_the_check_warns_of_a_folder_that_is_to_be_served_and_is_missing(settings, is_served, warnings):
    settings.SERVE_FOLDER = is_served

    assert warnings == [message.id for message in check_folder()]


def test_every_page_that_is_listed_as_needing_a_site_exists():
    assert set() == NEED_A_SITE - set(map(str, get_resolver().reverse_dict))
