"""The parts of the app that the folder without a server gets."""

from __future__ import annotations

import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from games.management import bundle
from tests.serverless_app import copy_empty_database

PAGES = """
import sys
sys.path[:0] = [{app!r}]
from scorekeeper.serverless import gateway
gateway.begin({{}}, {data!r}, "/cards/")
print([gateway.serve("GET", path, "", {{}}, "http://localhost")[0] for path in ("/", "/new/", "/nothing/")])
"""


@pytest.fixture
def app(monkeypatch):
    """The contents of the app's files by name, with a stand-in for the empty database."""
    monkeypatch.setattr(bundle, "empty_database", lambda: b"empty")
    return lambda: dict(bundle.app_files())


def test_the_app_has_pages_and_translations_but_no_code_that_only_a_site_needs(app):
    names = set(app())

    assert {
        *(
            "games/urls.py",
            "games/play/views/home.py",
            "templates/base.html",
            "scorekeeper/serverless/gateway.py",
        ),
        *("games/locale/es_AR/LC_MESSAGES/django.mo", "zoneinfo/America/Argentina/Buenos_Aires"),
        *("django/db/backends/sqlite3/base.py", "empty.sqlite3"),
    } <= names
    ours = {name for name in names if name.startswith(("games/", "scorekeeper/"))}
    unneeded = re.compile("games/(.*/api/|api_urls|admin|management/)|.*[.](po|pyc)$")
    assert set() == {name for name in ours if unneeded.match(name)}
    of_operators = ("django/contrib/admin/", "django/contrib/messages/")
    assert set() == {name for name in names if name.startswith(of_operators)}
    assert {"tzdata/__init__.py", "tzdata/zones"} == {name for name in names if name.startswith("tzdata/")}
    assert {"django", "django_htmx", "asgiref", "sqlparse", "dj_database_url", "segno", "tzdata"} == {
        name.partition("/")[0] for name in names
    } - {"games", "scorekeeper", "templates", "zoneinfo", "empty.sqlite3"}


def test_the_app_answers_with_no_other_files_than_its_own(db, monkeypatch, tmp_path):
    monkeypatch.setattr(bundle, "create_database", copy_empty_database)
    for name, content in bundle.app_files():
        file = tmp_path / "app" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    (tmp_path / "app" / "empty.sqlite3").rename(tmp_path / "db.sqlite3")
    pages = PAGES.format(app=str(tmp_path / "app"), data=str(tmp_path))
    ran = subprocess.run(
        [sys.executable, "-I", "-S", "-c", pages], capture_output=True, text=True, check=False
    )

    assert (0, "[200, 200, 404]\n") == (ran.returncode, ran.stdout), ran.stderr


def test_the_app_has_djangos_translations_of_the_sites_languages_only(settings, app):
    settings.LANGUAGES = [("pt-br", "Português"), ("en", "English")]
    texts = {name for name in app() if re.search("^django/.*/locale/.*[.]mo$", name)}

    assert {"en", "pt", "pt_BR"} == {name.split("/locale/")[1].split("/")[0] for name in texts}
    assert {f"django/c{of}/locale/pt_BR/LC_MESSAGES/django.mo" for of in ("onf", "ontrib/auth")} <= texts


def test_the_standard_library_is_bundled_without_unused_modules(tmp_path):
    archive = tmp_path / "library.zip"
    with zipfile.ZipFile(archive, "w") as library:
        for name in ("json/__init__.py", "tkinter/__init__.py", "encodings/utf_8.py", "encodings/big5.py"):
            library.writestr(name, "")

    assert ["json/__init__.py", "encodings/utf_8.py"] == [
        name for name, _bytes in bundle.library_files(archive)
    ]


def test_the_command_says_what_is_missing(monkeypatch, tmp_path):
    package = Path(settings.BASE_DIR, "pyodide", "package.json").read_bytes()
    (tmp_path / "package.json").write_bytes(package)
    monkeypatch.setattr(bundle, "ENGINE", tmp_path)
    monkeypatch.setattr("shutil.which", lambda name: None)
    with pytest.raises(CommandError, match="npm is not installed"):
        call_command("folder", str(tmp_path / "cards"))
