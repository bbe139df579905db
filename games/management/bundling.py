"""What `manage.py pocket --build` puts together: the app and the engine that runs it on a phone, small and under names for good.

Sources travel, not what a compiler makes of them: they are as small, and only the engine's own Python can compile for
itself. Each phone does so once (static/pocket/engine.js).
"""

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
import zoneinfo
from collections.abc import Iterable, Iterator
from contextlib import closing
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import brotli  # type: ignore[import-untyped]
from django.conf import settings

from games.pocket.bundle import INDEX, sources

ENGINE = Path(settings.BASE_DIR, "pocket")  # where its package file lies
DRIVER = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")
LOCK = "pyodide-lock.json"
PACKAGES = ("django", "django_htmx", "asgiref", "sqlparse", "dj_database_url", "segno")
HASH = 12  # letters of a folder's name that say what is in its files

# What no page needs of the packages, and what of that it does need after all.
UNNEEDED = re.compile(
    r"(^|/)(__pycache__|tests?|static|jinja2|[^/]*\.(po|md|pyi|c|h|jinja)|py\.typed"
    r"|django/contrib/(admin|admindocs|flatpages|gis|humanize|messages|postgres|redirects|sitemaps|sites|syndication)"
    r"|django/contrib/auth/common-passwords[^/]*|django/contrib/[^/]*/migrations"
    r"|django/contrib/[^/]*/locale/(?!e[ns]/)[^/]+|django/contrib/[^/]*/(templates|management/commands)"
    r"|django/conf/locale/(?!(es|es_AR|en)/|__init__)[^/]+|django/conf/(app|project)_template"
    r"|django/core/management/commands|django/db/backends/(dummy|mysql|oracle|postgresql)"
    r"|django/test|django/views/templates|segno/writers_[^/]*"
    r"|games/(api|management|migrations)|scorekeeper/(rsgi|asgi|wsgi|health|storage)\.py)(/|$)"
)
NEEDED = re.compile(
    r"^django/(contrib/sites/(__init__|shortcuts|requests)\.py$|test/(__init__|signals)\.py$)"
)

# The same of the standard library, and all of the encodings it needs.
UNUSED = re.compile(
    r"(_(aix|android|apple|ios|osx)_support|_py(io|repl|decimal|datetime)|antigravity|bdb|cProfile|ctypes|curses|dbm"
    r"|doctest|ensurepip|ftplib|idlelib|imaplib|lib2to3|mailbox|modulefinder|nturl2path|optparse|pdb|pickletools"
    r"|plistlib|poplib|profile|pstats|pydoc(_data)?|smtplib|tabnanny|test|this|timeit|tkinter|trace|tracemalloc|turtle"
    r"|unittest|venv|webbrowser|xmlrpc|zipapp"
    r"|encodings/(?!(__init__|_win_cp_codecs|aliases|ascii|cp1252|cp437|idna|latin_1|punycode|raw_unicode_escape"
    r"|unicode_escape|utf_16|utf_16_[bl]e|utf_32|utf_32_[bl]e|utf_8|utf_8_sig)\.)\w+)(\.py$|/|$)"
)
MIGRATE = "from django.core.management import execute_from_command_line as run; run(['manage.py', 'migrate', '-v0'])"


class Missing(Exception):
    """Something the bundle is made of is not here."""


def build(folder: Path, *, quality: int = 11) -> int:
    """Makes the bundle in `folder`; returns how many bytes travel to a phone. `quality` is how hard it is squeezed."""
    shutil.rmtree(folder, ignore_errors=True)
    engine = engine_folder()
    driver = {name: (engine / name).read_bytes() for name in DRIVER}
    driver[LOCK] = lock((engine / LOCK).read_bytes())
    written = [
        *_write(folder, driver, quality),
        *_write(folder, {"library.zip": library((engine / "python_stdlib.zip").read_bytes())}, quality),
        *_write(folder, {"app.tar": _tar(app())}, quality),
    ]
    index = {"sources": sources(), "files": {file["name"]: file for file in written}}
    (folder / INDEX).write_text(json.dumps(index, indent=1), encoding="ascii")
    return sum(file["travels"] for file in written)


def engine_folder() -> Path:
    """Where the engine's package lies; fetched by npm where it does not."""
    folder = ENGINE / "node_modules" / "pyodide"
    wanted = json.loads((ENGINE / "package.json").read_text(encoding="ascii"))["dependencies"]["pyodide"]
    if not folder.is_dir() or json.loads((folder / "package.json").read_text())["version"] != wanted:
        if shutil.which("npm") is None:
            raise Missing(
                "npm is not installed, and pocket/package.json names a package to be fetched with it"
            )
        words = ("--no-package-lock", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error")
        if subprocess.run(["npm", "install", *words], cwd=ENGINE, check=False).returncode:
            raise Missing("npm could not fetch what pocket/package.json names")
    return folder


def app() -> Iterator[tuple[str, bytes]]:
    """Every file of the app as the phone needs it, by its name there."""
    for package in PACKAGES:
        found = find_spec(package)
        if found is None or found.origin is None:
            raise Missing(f"the package {package} is not installed")
        yield from _under(Path(found.origin).parent, package)
    for ours in ("games", "scorekeeper", "templates"):
        yield from _under(Path(settings.BASE_DIR, ours), ours)
    for zone in sorted(zoneinfo.available_timezones()):
        yield f"zoneinfo/{zone}", _zone(zone)
    yield "empty.sqlite3", empty_database()


def lock(whole: bytes) -> bytes:
    """The engine's list of packages, without any: it is asked for what engine it belongs to."""
    return json.dumps({"info": json.loads(whole)["info"], "packages": {}}).encode()


def library(stored: bytes) -> bytes:
    """The standard library as the engine's package brings it, without what no page needs; not compressed, travelling does."""
    kept = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(stored)) as whole, zipfile.ZipFile(kept, "w") as slim:
        for entry in whole.infolist():
            if not entry.is_dir() and not UNUSED.match(entry.filename):
                slim.writestr(zipfile.ZipInfo(entry.filename), whole.read(entry))
    return kept.getvalue()


def empty_database() -> bytes:
    """A database with every table and guard and nothing in it, in one file."""
    with tempfile.TemporaryDirectory() as made:
        file = migrated(Path(made))
        with closing(sqlite3.connect(file)) as database:
            database.execute("PRAGMA journal_mode=DELETE")
            database.execute("VACUUM")
        return file.read_bytes()


def migrated(folder: Path) -> Path:
    """The file of a site that nobody has used yet; `folder` is to be its own."""
    told = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    told |= {"DATA_DIR": str(folder), "DJANGO_SETTINGS_MODULE": "scorekeeper.settings"}
    subprocess.run([sys.executable, "-c", MIGRATE], cwd=settings.BASE_DIR, env=told, check=True)
    return folder / "db.sqlite3"


def _under(folder: Path, called: str) -> Iterator[tuple[str, bytes]]:
    for path in sorted(folder.rglob("*")):
        name = f"{called}/{path.relative_to(folder).as_posix()}"
        if path.is_file() and (NEEDED.search(name) or not UNNEEDED.search(name)):
            yield name, path.read_bytes()


def _zone(key: str) -> bytes:
    for place in zoneinfo.TZPATH:
        if (found := Path(place, key)).is_file():
            return found.read_bytes()
    spec = find_spec("tzdata")
    if spec is None or spec.origin is None:
        raise Missing(f"the time zone {key} is nowhere to be found")
    return Path(spec.origin).parent.joinpath("zoneinfo", key).read_bytes()


def _tar(files: Iterable[tuple[str, bytes]]) -> bytes:
    """The same files make the same tar: no times, no owners."""
    whole = io.BytesIO()
    with tarfile.open(fileobj=whole, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for name, content in files:
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            tar.addfile(entry, io.BytesIO(content))
    return whole.getvalue()


def _write(folder: Path, files: dict[str, bytes], quality: int) -> Iterator[dict[str, Any]]:
    """Writes files that ask for each other by their names into one folder, whose name says what is in them."""
    place = sha256(b"".join(files.values())).hexdigest()[:HASH]
    (folder / place).mkdir(parents=True)
    for name, content in files.items():
        squeezed = brotli.compress(content, quality=quality)
        (folder / place / name).write_bytes(content)
        (folder / place / f"{name}.br").write_bytes(squeezed)
        yield {"name": name, "place": place, "size": len(content), "travels": len(squeezed)}
