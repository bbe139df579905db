"""The parts of the app that the folder without a server gets."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from games.management import bundling


@pytest.fixture
def app(monkeypatch):
    """The contents of the app's files, by name, with a stand-in for the empty database."""
    monkeypatch.setattr(bundling, "empty_database", lambda: b"empty")
    return lambda: dict(bundling.app())


def test_the_app_has_pages_and_translations_but_no_code_that_only_a_site_needs(app):
    names = set(app())

    assert {
        *(
            "games/urls.py",
            "games/play/views/home.py",
            "templates/base.html",
            "scorekeeper/alone/gateway.py",
        ),
        *("games/locale/es_AR/LC_MESSAGES/django.mo", "zoneinfo/America/Argentina/Buenos_Aires"),
        *("django/db/backends/sqlite3/base.py", "empty.sqlite3"),
    } <= names
    ours = {name for name in names if name.startswith(("games/", "scorekeeper/"))}
    unneeded = re.compile("games/(.*/api/|api_urls|admin|management/)|.*[.](po|pyc)$")
    assert set() == {name for name in ours if unneeded.match(name)}
    of_operators = ("django/contrib/admin/", "django/contrib/messages/")
    assert set() == {name for name in names if name.startswith(of_operators)}
    assert {"django", "django_htmx", "asgiref", "sqlparse", "dj_database_url", "segno"} == {
        name.partition("/")[0] for name in names
    } - {"games", "scorekeeper", "templates", "zoneinfo", "empty.sqlite3"}


def test_the_app_has_djangos_translations_of_the_sites_languages_only(settings, app):
    settings.LANGUAGES = [("pt-br", "Português"), ("en", "English")]
    texts = {name for name in app() if re.search("^django/.*/locale/.*[.]mo$", name)}

    assert {"en", "pt", "pt_BR"} == {name.split("/locale/")[1].split("/")[0] for name in texts}
    assert {f"django/c{of}/locale/pt_BR/LC_MESSAGES/django.mo" for of in ("onf", "ontrib/auth")} <= texts


def test_the_standard_library_is_bundled_without_unused_modules(tmp_path):
    stored = tmp_path / "library.zip"
    with zipfile.ZipFile(stored, "w") as library:
        for name in ("json/__init__.py", "tkinter/__init__.py", "encodings/utf_8.py", "encodings/big5.py"):
            library.writestr(name, "")

    assert ["json/__init__.py", "encodings/utf_8.py"] == [name for name, _bytes in bundling.library(stored)]


def test_the_command_says_what_is_missing(monkeypatch, tmp_path):
    package = Path(settings.BASE_DIR, "pyodide", "package.json").read_bytes()
    (tmp_path / "package.json").write_bytes(package)
    monkeypatch.setattr(bundling, "ENGINE", tmp_path)
    monkeypatch.setattr("shutil.which", lambda name: None)
    with pytest.raises(CommandError, match="npm is not installed"):
        call_command("folder", str(tmp_path / "cards"))
