"""Parts of the serverless folder: the app's files as byte code, and the engine (Pyodide) that runs them."""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import closing
from importlib import resources
from importlib.util import find_spec
from pathlib import Path

from django.conf import settings
from django.utils.translation import to_locale

from games.common import program

ENGINE = program.path("pyodide")  # the folder of its package.json
PACKAGES = ("django", "django_htmx", "asgiref", "sqlparse", "dj_database_url", "segno")
HASH = 12  # characters of the content hash in a folder's name

# Files of the packages that no page needs, and exceptions to these (NEEDED).
UNNEEDED = re.compile(
    r"(^|/)(__pycache__|tests?|static|jinja2|[^/]*\.(po|md|pyi|c|h|jinja)|py\.typed"
    r"|django/contrib/(admin|admindocs|flatpages|gis|humanize|messages|postgres|redirects|sitemaps|sites|syndication)"
    r"|django/contrib/auth/common-passwords[^/]*|django/contrib/[^/]*/migrations"
    r"|django/contrib/[^/]*/(templates|management/commands)|django/conf/(app|project)_template"
    r"|django/core/management/commands|django/db/backends/(dummy|mysql|oracle|postgresql)"
    r"|django/test|django/views/templates|segno/writers_[^/]*"
    r"|games/(admin\.py|api_urls\.py|[a-z]+/api(\.py)?|management)"
    r"|scorekeeper/(static_files|wsgi|health|metrics|metric_series|floods|cors|static_storage)\.py)(/|$)"
)
LOCALE = re.compile(r"^django/.*/locale/(?P<locale>\w+)/")
NEEDED = re.compile(
    r"^django/(contrib/sites/(__init__|shortcuts|requests)\.py$|test/(__init__|signals)\.py$)"
)

# Modules of the standard library that no page needs, and all encodings but a few.
UNUSED = re.compile(
    r"(_(aix|android|apple|ios|osx)_support|_py(io|repl|decimal|datetime)|antigravity|bdb|cProfile|ctypes|curses|dbm"
    r"|doctest|ensurepip|ftplib|idlelib|imaplib|lib2to3|mailbox|modulefinder|nturl2path|optparse|pdb|pickletools"
    r"|plistlib|poplib|profile|pstats|pydoc(_data)?|smtplib|tabnanny|test|this|timeit|tkinter|trace|tracemalloc|turtle"
    r"|unittest|venv|webbrowser|xmlrpc|zipapp"
    r"|encodings/(?!(__init__|_win_cp_codecs|aliases|ascii|cp1252|cp437|idna|latin_1|punycode|raw_unicode_escape"
    r"|unicode_escape|utf_16|utf_16_[bl]e|utf_32|utf_32_[bl]e|utf_8|utf_8_sig)\.)\w+)(\.py$|/|$)"
)
MIGRATE_CODE = "from django.core.management import execute_from_command_line as run; run(['manage.py', 'migrate', '-v0'])"


class MissingPackage(Exception):
    """A package for the folder is not installed or cannot be downloaded."""


def engine_folder() -> Path:
    """Return the folder of the engine's npm package. Download the package if it is missing or outdated.

    Raise MissingPackage if npm is missing or fails.
    """
    if program.IS_INSTALLED:
        raise MissingPackage(
            "an installed program has no engine: run `manage.py folder` in a copy of the repository, and put what it "
            f"writes into {settings.FOLDER}"
        )
    folder = ENGINE / "node_modules" / "pyodide"
    required_version = json.loads((ENGINE / "package.json").read_text(encoding="ascii"))["dependencies"][
        "pyodide"
    ]
    if (
        not folder.is_dir()
        or json.loads((folder / "package.json").read_text())["version"] != required_version
    ):
        if shutil.which("npm") is None:
            raise MissingPackage(
                "npm is not installed, and pyodide/package.json names a package to be fetched with it"
            )
        options = ("--no-package-lock", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error")
        if subprocess.run(["npm", "install", *options], cwd=ENGINE, check=False).returncode:
            raise MissingPackage("npm could not fetch what pyodide/package.json names")
    return folder


def app_files() -> Iterator[tuple[str, bytes]]:
    """Yield the name and content of each of the app's files: sources, time zones, an empty database."""
    for package in PACKAGES:
        spec = find_spec(package)
        if spec is None or spec.origin is None:
            raise MissingPackage(f"the package {package} is not installed")
        yield from _needed_files(Path(spec.origin).parent, package)
    for ours in ("games", "scorekeeper", "templates"):
        yield from _needed_files(program.path(ours), ours)
    zones = resources.files("tzdata")
    for zone in sorted(zones.joinpath("zones").read_text("utf-8").split()):
        yield f"zoneinfo/{zone}", zones.joinpath("zoneinfo", *zone.split("/")).read_bytes()
    for name in ("__init__.py", "zones"):
        yield f"tzdata/{name}", zones.joinpath(name).read_bytes()
    yield "empty.sqlite3", empty_database()


def pyodide_lock() -> dict[str, object]:
    """Return Pyodide's lock file without packages. Pyodide reads only its version number from it."""
    whole = json.loads(
        (ENGINE / "node_modules" / "pyodide" / "pyodide-lock.json").read_text(encoding="utf-8")
    )
    return {"info": whole["info"], "packages": {}}


def library_files(stdlib_zip: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the name and content of each module in `stdlib_zip`, the standard library, that pages need."""
    with zipfile.ZipFile(stdlib_zip) as whole:
        for entry in whole.infolist():
            if not entry.is_dir() and not UNUSED.match(entry.filename):
                yield entry.filename, whole.read(entry)


def compile_sources(files: Iterable[tuple[str, bytes]]) -> Iterator[tuple[str, bytes]]:
    """Yield the files with byte code in place of Python sources. Raise MissingPackage if Node.js fails.

    Only the engine's own Python can compile it, and on a phone that would take most of the start.
    """
    with tempfile.TemporaryDirectory() as made:
        for name, content in files:
            path = Path(made, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        node = shutil.which("node")
        if node is None or subprocess.run([node, "compile.mjs", made], cwd=ENGINE, check=False).returncode:
            raise MissingPackage("Node.js is not installed, or could not compile the app")
        for path in sorted(Path(made).rglob("*")):
            if path.is_file() and path.suffix != ".py":
                yield path.relative_to(made).as_posix(), path.read_bytes()


def empty_database() -> bytes:
    """Return the content of a database file with all tables and triggers, but without rows."""
    with tempfile.TemporaryDirectory() as made:
        file = create_database(Path(made))
        with closing(sqlite3.connect(file)) as database:
            database.execute("PRAGMA journal_mode=DELETE")
            database.execute("VACUUM")
        return file.read_bytes()


def create_database(folder: Path) -> Path:
    """Create a database in the empty `folder`, apply all migrations, and return the database's file."""
    site = {"DATABASE_URL", "SERVE_FOLDER"}
    environment = {name: value for name, value in os.environ.items() if name not in site}
    environment |= {
        "DATA_DIR": str(folder),
        "DJANGO_SETTINGS_MODULE": "scorekeeper.settings",
        "ANOTADOR_ENV": "",
    }
    subprocess.run([sys.executable, "-c", MIGRATE_CODE], cwd=program.ROOT, env=environment, check=True)
    return folder / "db.sqlite3"


def _needed_files(folder: Path, prefix: str) -> Iterator[tuple[str, bytes]]:
    for path in sorted(folder.rglob("*")):
        name = f"{prefix}/{path.relative_to(folder).as_posix()}"
        if path.is_file() and _is_needed(name):
            yield name, path.read_bytes()


def _is_needed(name: str) -> bool:
    """Return whether the folder needs this file. Only translations into the site's languages are needed."""
    if (within := LOCALE.search(name)) and within["locale"] not in _locales():
        return False
    return bool(NEEDED.search(name) or not UNNEEDED.search(name))


def _locales() -> set[str]:
    """Return the names of the translation folders of our languages: `es` and `es_AR` for es-ar."""
    return {to_locale(name) for code, _name in settings.LANGUAGES for name in (code, code.partition("-")[0])}


def zip_files(files: Iterable[tuple[str, bytes]]) -> bytes:
    """Return a zip file without times. It is not compressed, because the download is."""
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w") as archive:
        for name, content in files:
            archive.writestr(zipfile.ZipInfo(name), content)
    return whole.getvalue()


def tar_files(files: Iterable[tuple[str, bytes]]) -> bytes:
    """Return a tar file without times and owners, so that equal files give equal bytes."""
    whole = io.BytesIO()
    with tarfile.open(fileobj=whole, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for name, content in files:
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            tar.addfile(entry, io.BytesIO(content))
    return whole.getvalue()
