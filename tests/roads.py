"""Fixtures for tests that drive a browser: the road to the live site, and the app in a folder."""

from __future__ import annotations

import fcntl
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.network import Road
from tests.folders import written
from tests.outside import Site


@pytest.fixture
def road(live_server):
    """The network between a phone and the site, which a test can cut."""
    proxy = Road(live_server.url)
    yield proxy
    proxy.close()


@pytest.fixture(scope="session")
def folder_app(tmp_path_factory, worker_id, django_db_setup) -> Path:
    """A folder above one named `cards`, which has the app without a server; one worker writes it for all."""
    own = tmp_path_factory.getbasetemp()
    built: Path = (own if worker_id == "master" else own.parent) / "folder-app"
    with built.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not built.exists():
            written(own / "writing" / "cards")
            (own / "writing").rename(built)
    return built


@pytest.fixture
def site_with_folder(folder_app, tmp_path) -> Iterator[Site]:
    """A site in a process of its own, which a test can kill, with the folder at /solo/."""
    site = Site(tmp_path / "data", tmp_path / "static", variables={"SERVE_FOLDER": "1"})
    shutil.copytree(folder_app / "cards", site.folder / "folder")
    site.start()
    yield site
    site.stop()
