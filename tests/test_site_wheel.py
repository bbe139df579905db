"""The site as installed from its wheel, by a user who runs it from a folder of their own."""

from __future__ import annotations

import os
import re
import socket
import sqlite3
import subprocess
import sys
import sysconfig
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

import pytest

from games.scoring import __version__
from tests.releases import load_releases, read_release_file
from tests.server_processes import free_port

BASE = Path(__file__).parents[1]
LARGEST = 8_000_000  # bytes
NEWEST = list(load_releases()[1])[-1]

pytestmark = pytest.mark.slow


def clean_environment() -> dict[str, str]:
    """Return this process's environment without what leads to the repository or to another site."""
    site = ("PYTHON", "DJANGO", "DATA", "ANOTADOR", "STATIC", "SECRET", "PORT")
    return {name: value for name, value in os.environ.items() if not name.startswith(site)}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site-wheel")
    pip = (
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "--no-index",
        "--no-deps",
        "--no-build-isolation",
        "-w",
        folder,
    )
    built = subprocess.run([*pip, BASE], cwd=folder, env=clean_environment(), text=True, capture_output=True)
    assert 0 == built.returncode, built.stderr
    [made] = folder.glob("*.whl")
    return made


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The command in an environment that has the wheel, and the packages of this one but not the repository."""
    folder = tmp_path_factory.mktemp("installed-site")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", "venv"], cwd=folder, check=True)
    python = folder / "venv" / "bin" / "python"
    pip = (sys.executable, "-m", "pip", "--python", python, "install", "-q", "--no-index", "--no-deps", wheel)
    subprocess.run(pip, cwd=folder, env=clean_environment(), check=True)
    [packages] = folder.glob("venv/lib/*/site-packages")
    (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib"))
    return folder / "venv" / "bin" / "anotador-site"


def files_below(folder: Path) -> set[tuple[str, int]]:
    return {(str(path), path.stat().st_mtime_ns) for path in folder.rglob("*") if path.is_file()}


def run(command: Path, *arguments: str | Path, home: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [command, *arguments], cwd=home, env=clean_environment(), text=True, capture_output=True, check=False
    )


def accepts_connections(port: int) -> bool:
    with socket.socket() as trial:
        return trial.connect_ex(("127.0.0.1", port)) == 0


@contextmanager
def serving(command: Path, home: Path) -> Iterator[str]:
    """Serve the site in this folder, and yield its address once it is ready."""
    port = free_port()
    arguments = [str(command), "serve", "--bind", "127.0.0.1", "--port", str(port)]
    server = subprocess.Popen(arguments, cwd=home, env=clean_environment(), stdout=subprocess.DEVNULL)
    try:
        until = time.monotonic() + 120
        while not accepts_connections(port):  # it listens once everything is prepared
            assert server.poll() is None
            assert time.monotonic() < until
            time.sleep(0.1)
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait(20)


def read(address: str) -> str:
    with urlopen(address) as answer:
        return str(answer.read().decode())


def test_the_wheel_has_its_own_name_and_what_a_site_reads(wheel):
    from zipfile import ZipFile

    with ZipFile(wheel) as packed:
        names = packed.namelist()
    shipped = "scorekeeper/shipped"

    assert f"anotador_site-{__version__}-py3-none-any.whl" == wheel.name
    assert {f"{shipped}/docs/api.md", f"{shipped}/templates/base.html", f"{shipped}/static/app.css"} <= {
        *names
    }
    assert [
        name for name in names if re.fullmatch(rf"{shipped}/staticfiles/app\.[0-9a-f]{{12}}\.css\.br", name)
    ]
    sources = (
        path for folder in ("games", "scorekeeper") for path in (BASE / folder).rglob("*") if path.is_file()
    )
    unneeded = ("__pycache__", ".po")  # the catalogues are compiled
    needed = {
        path.relative_to(BASE).as_posix()
        for path in sources
        if not any(part in str(path) for part in unneeded)
    }
    assert set() == needed - {*names}
    assert [] == [name for name in names if name.startswith(("tests/", "pyodide/")) or "node_modules" in name]
    assert wheel.stat().st_size < LARGEST


def test_it_serves_from_the_current_folder_and_writes_only_there(installed, tmp_path):
    program = installed.parents[1]
    (tmp_path / ".env").write_text("OPERATOR_CONTACT=ana@example.org\nNEW_TABLES=nobody\n")
    before = files_below(program)
    with serving(installed, tmp_path) as address:
        page = read(f"{address}/")
        [style] = re.findall(r'href="(/static/app\.[0-9a-f]{12}\.css)"', page)
        assert "{" in read(address + style)
        assert "FILES" in read(f"{address}/sw.js")
        assert "ana@example.org" in page
        assert "</table>" in read(f"{address}/example/")
        assert "Idempotency-Key" in read(f"{address}/api/v1/schema/")

    assert {".env", "data"} == {path.name for path in tmp_path.iterdir()}
    assert set() == {file for file in files_below(program) - before if "__pycache__" not in file[0]}
    assert f"Anotador {__version__}" in run(installed, "--version", home=tmp_path).stdout


def test_it_updates_a_site_of_the_last_release_and_brings_back_its_backup(installed, tmp_path):
    home, elsewhere = tmp_path / "home", tmp_path / "elsewhere"
    (home / "data").mkdir(parents=True)
    elsewhere.mkdir()
    (home / "data" / "secret-key").write_text("0123456789" * 5)
    with sqlite3.connect(home / "data" / "db.sqlite3") as database:
        database.executescript(read_release_file(NEWEST, "sql"))
    database.close()

    for command in (("migrate",), ("check_books",), ("backup", "--to", tmp_path / "backups", "--verify")):
        ended = run(installed, *command, home=home)
        assert (0, command) == (ended.returncode, command), ended.stderr
    [backup] = (tmp_path / "backups").iterdir()
    restored = run(installed, "restore", backup, home=elsewhere)
    assert (0, True) == (restored.returncode, "`anotador-site serve` goes on" in restored.stdout), (
        restored.stderr
    )
    assert 0 == run(installed, "check_books", home=elsewhere).returncode
    listed = run(installed, "tables", home=home).stdout
    assert listed
    assert listed == run(installed, "tables", home=elsewhere).stdout


def test_it_moves_its_data_and_says_what_it_lacks_for_the_folder(installed, tmp_path):
    assert 0 == run(installed, "migrate", home=tmp_path).returncode
    moved = run(installed, "move_database", f"sqlite:///{tmp_path / 'moved.sqlite3'}", home=tmp_path)
    folder = run(installed, "folder", home=tmp_path)

    assert (0, "") == (moved.returncode, moved.stderr)
    assert (1, True) == (folder.returncode, "in a copy of the repository" in folder.stderr)
