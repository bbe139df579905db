"""The bundle: the parts of the app that a phone gets, and the check that it belongs to the present release."""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import brotli  # type: ignore[import-untyped]
import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from games.management import bundling
from games.pocket import bundle
from tests.pocket.bundles import an_engine, served_from


@pytest.fixture(scope="module")
def static(tmp_path_factory):
    """Static files with a bundle among them, made with a stand-in for the engine."""
    folder = tmp_path_factory.mktemp("static")
    with pytest.MonkeyPatch.context() as patch, served_from(folder):
        engine = an_engine(folder / "engine")
        patch.setattr(bundling, "engine_folder", lambda: engine)
        patch.setattr(bundling, "empty_database", lambda: b"empty")
        bundling.build(bundle.folder(), quality=0)
    return folder


@pytest.fixture
def files(static):
    """The contents of the bundle's files, by name."""
    with served_from(static):
        return {
            name: (bundle.folder() / file["place"] / name).read_bytes()
            for name, file in bundle.index().items()
        }


def test_the_bundle_has_pages_and_translations_but_no_code_that_only_a_site_needs(files):
    with tarfile.open(fileobj=io.BytesIO(files["app.tar"])) as tar:
        names = set(tar.getnames())

    assert {
        *(
            "games/urls.py",
            "games/views/play/home.py",
            "templates/base.html",
            "scorekeeper/pocket/gateway.py",
        ),
        *("games/locale/es_AR/LC_MESSAGES/django.mo", "zoneinfo/America/Argentina/Buenos_Aires"),
        *("django/db/backends/sqlite3/base.py", "empty.sqlite3"),
    } <= names
    ours = {name for name in names if name.startswith(("games/", "scorekeeper/"))}
    unneeded = ("games/api/", "games/admin.py", "games/migrations/", "games/management/")
    assert set() == {name for name in ours if name.startswith(unneeded) or name.endswith((".po", ".pyc"))}
    of_operators = ("django/contrib/admin/", "django/contrib/messages/")
    assert set() == {name for name in names if name.startswith(of_operators)}
    assert {"django", "django_htmx", "asgiref", "sqlparse", "dj_database_url", "segno"} == {
        name.partition("/")[0] for name in names
    } - {"games", "scorekeeper", "templates", "zoneinfo", "empty.sqlite3"}


def test_the_bundle_has_djangos_translations_of_the_sites_languages_only(settings, monkeypatch):
    monkeypatch.setattr(bundling, "empty_database", lambda: b"empty")
    settings.LANGUAGES = [("pt-br", "Português"), ("en", "English")]
    texts = {name for name, _content in bundling.app() if re.search("^django/.*/locale/.*[.]mo$", name)}

    assert {"en", "pt", "pt_BR"} == {name.split("/locale/")[1].split("/")[0] for name in texts}
    assert {f"django/c{of}/locale/pt_BR/LC_MESSAGES/django.mo" for of in ("onf", "ontrib/auth")} <= texts


def test_the_public_name_of_the_library_imports_the_apps_engine_on_a_phone(files, tmp_path):
    with tarfile.open(fileobj=io.BytesIO(files["app.tar"])) as tar:
        tar.extractall(tmp_path, filter="data")
    program = "import games, naipes.options as plugged, games.scoring.options as own; print(plugged is own)"
    isolated = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); {program}"
    ran = subprocess.run(
        [sys.executable, "-I", "-S", "-c", isolated], text=True, capture_output=True, check=False
    )

    assert ("", "True\n") == (ran.stderr, ran.stdout)


def test_the_standard_library_is_bundled_without_unused_modules(files):
    with zipfile.ZipFile(io.BytesIO(files["library.zip"])) as library:
        assert ["json/__init__.py", "encodings/utf_8.py"] == library.namelist()
    assert {"info": {"version": "1"}, "packages": {}} == json.loads(files["pyodide-lock.json"])


def test_every_file_is_also_stored_compressed_under_a_hash_of_its_content(static, files):
    with served_from(static):
        for name, file in bundle.index().items():
            squeezed = (bundle.folder() / file["place"] / f"{name}.br").read_bytes()
            assert files[name] == brotli.decompress(squeezed)
            assert (len(files[name]), len(squeezed)) == (file["size"], file["travels"])
            assert bundling.HASH == len(file["place"])


def test_a_bundle_of_another_release_is_ignored(static, monkeypatch):
    with served_from(static):
        assert bundle.is_there()
        bundle.forget()
        monkeypatch.setattr(bundle, "sources", lambda: "others")

        assert not bundle.is_there()


def test_the_command_reports_the_bundle_and_what_is_missing(static, capsys, monkeypatch, tmp_path):
    with served_from(static):
        call_command("pocket")
    with served_from(tmp_path):
        call_command("pocket")
        monkeypatch.setattr(bundling, "ENGINE", an_empty_engine(tmp_path))
        monkeypatch.setattr("shutil.which", lambda name: None)
        with pytest.raises(CommandError, match="npm is not installed"):
            call_command("pocket", "--build")
    there, none = capsys.readouterr().out.splitlines()

    assert "There is a bundle of this release" in there
    assert "There is no bundle of this release" in none


def an_empty_engine(folder: Path) -> Path:
    """Return the folder of the engine's package before it is fetched."""
    (folder / "package.json").write_bytes(Path(settings.BASE_DIR, "pocket/package.json").read_bytes())
    return folder
