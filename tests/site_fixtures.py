"""Fixtures outside the test process: the network to the live site, a separate site, the serverless folder."""

from __future__ import annotations

import fcntl
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.browser.foreign_network import ForeignNetwork
from tests.browser.network import Network
from tests.server_processes import Site
from tests.serverless_app import write_app

SharedFolder = Callable[[str, Callable[[Path], object]], Path]


@pytest.fixture
def network(live_server):
    """The network between a phone and the site, which a test can cut."""
    proxy = Network(live_server.url)
    yield proxy
    proxy.close()


@pytest.fixture(scope="session")
def shared_folder(tmp_path_factory, worker_id) -> SharedFolder:
    """`shared_folder(name, write)` returns a folder that one worker writes for all."""
    worker_folder = tmp_path_factory.getbasetemp()
    shared: Path = worker_folder if worker_id == "master" else worker_folder.parent

    def get_or_write(name: str, write: Callable[[Path], object]) -> Path:
        built = shared / name
        with built.with_suffix(".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not built.exists():
                write(worker_folder / "writing")
                (worker_folder / "writing").rename(built)
        return built

    return get_or_write


@pytest.fixture(scope="session")
def folder_app(shared_folder: SharedFolder, django_db_setup) -> Path:
    """The folder that contains `cards`, which is the app without a server."""
    return shared_folder("folder-app", lambda folder: write_app(folder / "cards"))


@pytest.fixture(scope="session")
def prepared_site(shared_folder: SharedFolder) -> Path:
    """The folders `data` and `static` of a site that was started once: database, secret and static files."""

    def start(folder: Path) -> None:
        first = Site(folder / "data", folder / "static")
        first.folder.mkdir(parents=True, mode=0o700)
        first.start()
        first.stop()

    return shared_folder("set-up", start)


@pytest.fixture
def site(prepared_site, tmp_path) -> Iterator[Site]:
    """A site with its own process, which a test can stop."""
    site = Site(shutil.copytree(prepared_site / "data", tmp_path / "data"), prepared_site / "static")
    site.start()
    yield site
    site.stop()


@pytest.fixture
def site_network(site: Site) -> Iterator[ForeignNetwork]:
    """The network between a phone and `site`, which a test can let answer in the site's place."""
    proxy = ForeignNetwork(f"http://localhost:{site.port}")
    yield proxy
    proxy.close()


@pytest.fixture
def site_with_folder(folder_app, prepared_site, tmp_path) -> Iterator[Site]:
    """A site with its own process, which a test can kill, and with the serverless folder at /solo/."""
    shutil.copytree(prepared_site / "data", tmp_path / "data")
    site = Site(tmp_path / "data", prepared_site / "static", variables={"SERVE_FOLDER": "1"})
    shutil.copytree(folder_app / "cards", site.folder / "folder")
    site.start()
    yield site
    site.stop()
