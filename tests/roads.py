"""Fixtures for tests that drive a browser: the road to the live site, and the app that a phone carries."""

from __future__ import annotations

import fcntl
import os
import shutil
from pathlib import Path

import pytest

from games.management import bundling
from games.pocket import bundle
from tests.browser.network import Road
from tests.pocket.books import prepared
from tests.pocket.bundles import served_from, written


@pytest.fixture
def road(live_server):
    """The network between a phone and the site, which a test can cut."""
    proxy = Road(live_server.url)
    yield proxy
    proxy.close()


@pytest.fixture(scope="session")
def carried(tmp_path_factory, worker_id, django_db_setup):
    """A static folder that includes the bundle of the pocket app, which one worker builds for all."""
    own = tmp_path_factory.getbasetemp()
    built = (own if worker_id == "master" else own.parent) / "bundle"
    with built.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not built.exists():
            build(own / "built")
            (own / "built").rename(built)
    return shutil.copytree(built, tmp_path_factory.mktemp("carried"), dirs_exist_ok=True)


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


def build(folder: Path) -> None:
    """Build the bundle into this static folder; skip the test where that is impossible."""
    with pytest.MonkeyPatch.context() as patch, served_from(folder):
        patch.setattr(bundling, "migrated", prepared)  # the test database is just as empty
        try:
            bundling.build(bundle.folder(), quality=1)
        except bundling.Missing as missing:
            if os.environ.get("REQUIRE_BROWSER") == "1":
                raise
            pytest.skip(str(missing))
