"""Fixtures for what stands outside a test: the road to the live site, a site in a process of its own, the folder."""

from __future__ import annotations

import fcntl
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.browser.network import Road
from tests.folders import written
from tests.outside import Site

Once = Callable[[str, Callable[[Path], object]], Path]


@pytest.fixture
def road(live_server):
    """The network between a phone and the site, which a test can cut."""
    proxy = Road(live_server.url)
    yield proxy
    proxy.close()


@pytest.fixture(scope="session")
def once(tmp_path_factory, worker_id) -> Once:
    """`once(name, write)` returns a folder that one worker writes for all."""
    own = tmp_path_factory.getbasetemp()
    shared: Path = own if worker_id == "master" else own.parent

    def make(name: str, write: Callable[[Path], object]) -> Path:
        built = shared / name
        with built.with_suffix(".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not built.exists():
                write(own / "writing")
                (own / "writing").rename(built)
        return built

    return make


@pytest.fixture(scope="session")
def folder_app(once: Once, django_db_setup) -> Path:
    """A folder above one named `cards`, which has the app without a server."""
    return once("folder-app", lambda folder: written(folder / "cards"))


@pytest.fixture(scope="session")
def set_up(once: Once) -> Path:
    """The folders `data` and `static` of a site that has been started once: its database, secret and static files."""

    def start(folder: Path) -> None:
        first = Site(folder / "data", folder / "static")
        first.folder.mkdir(parents=True, mode=0o700)
        first.start()
        first.stop()

    return once("set-up", start)


@pytest.fixture
def site_with_folder(folder_app, set_up, tmp_path) -> Iterator[Site]:
    """A site in a process of its own, which a test can kill, with the folder at /solo/."""
    shutil.copytree(set_up / "data", tmp_path / "data")
    site = Site(tmp_path / "data", set_up / "static", variables={"SERVE_FOLDER": "1"})
    shutil.copytree(folder_app / "cards", site.folder / "folder")
    site.start()
    yield site
    site.stop()
