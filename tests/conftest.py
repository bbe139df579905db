"""Settings and fixtures for every test: quick settings, a database of the run, a flush despite triggers."""

from __future__ import annotations

import gc
import os
from pathlib import Path
from time import time

import hypothesis
import pytest
from django.conf import settings
from django.core.management.commands import flush
from django.db import transaction
from django.db.backends.base.operations import BaseDatabaseOperations
from django.test import override_settings
from django.utils.translation import activate

from games.common import regions, triggers
from scorekeeper.static_storage import STATIC, minify

pytest_plugins = [
    *("tests.clock", "tests.databases", "tests.fixtures", "tests.site_fixtures", "tests.shared_cache"),
]
REQUEST_CACHES = ("throttles", "polls")
DUMMY_CACHE = {"BACKEND": "django.core.cache.backends.dummy.DummyCache"}
FEW_FILES = 4  # files; so few run faster without starting workers


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config):
    """Use workers for all processors, unless few files, `-n`, `--pdb` or `-p no:xdist` are given.

    One more than there are processors where slow tests run too, because a browser often waits.
    """
    is_free = getattr(config.option, "numprocesses", 0) is None and not hasattr(config, "workerinput")
    named = [Path(argument.partition("::")[0]) for argument in config.args]
    if is_free and not (len(named) <= FEW_FILES and all(path.is_file() for path in named)):
        config.option.numprocesses = (os.cpu_count() or 1) + (not is_quick(config))
        config.option.dist = "worksteal"  # slow tests are next to each other


def pytest_configure(config):
    """Try fewer examples of a property if slow tests are left out; `tests/examples.py` says how many.

    No property fails because a busy machine, or the mutation tester, is slow.
    """
    examples, slow = 20 if is_quick(config) else 100, [hypothesis.HealthCheck.too_slow]
    hypothesis.settings.register_profile(
        "here", max_examples=examples, deadline=None, suppress_health_check=slow
    )
    hypothesis.settings.load_profile("here")


def is_quick(config) -> bool:
    """Return whether slow tests are left out, as by default."""
    return "not slow" in config.option.markexpr


@pytest.hookimpl(trylast=True, specname="pytest_collection_modifyitems")
def run_longest_first(items):
    """Run test_screens.py first among the browser tests.

    It takes longest; started last, it would keep one worker busy after all others have ended.
    """
    walks = [item for item in items if item.path.name == "test_screens.py"]
    others = [item for item in items if item.path.name != "test_screens.py"]
    place = next((number for number, item in enumerate(others) if item.path.parent.name == "browser"), 0)
    items[:] = [*others[:place], *walks, *others[place:]]


def pytest_collection_finish():
    """Leave the modules and collected tests out of garbage collection: they all stay until the end."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)


@pytest.fixture(scope="session", autouse=True)
def quick_settings(tmp_path_factory):
    """The settings, without what only a real server needs.

    For the whole session, because the live server reads them once, before the first test's fixtures. Requests
    have no rate limits, because tests send more than a table does; the fixture `rate_limited` sets them.
    """
    storages = {
        **settings.STORAGES,
        # A clean clone has no manifest of collected files.
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
    }
    # A folder of this run's own, like the database.
    of_files = {**settings.CACHES["default"], "LOCATION": tmp_path_factory.mktemp("cache")}
    caches = {**settings.CACHES, "default": of_files, **dict.fromkeys(REQUEST_CACHES, DUMMY_CACHE)}
    with override_settings(
        STORAGES=storages,
        STATICFILES_DIRS=[_write_stylesheets(tmp_path_factory.mktemp("styles")), *settings.STATICFILES_DIRS],
        CACHES=caches,
        MIDDLEWARE=[name for name in settings.MIDDLEWARE if name != "scorekeeper.floods.FloodMiddleware"],
        DATA_DIR=tmp_path_factory.mktemp("data"),  # gets the marker that a database was created
        WHITENOISE_AUTOREFRESH=True,  # looks for files when asked, so it needs no collected folder
        PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"],
    ):
        yield


def _write_stylesheets(folder: Path) -> Path:
    """Write the style sheets as they are served, so that no test page requests thirty files."""
    for sheet in STATIC.rglob("*.css"):
        name = sheet.relative_to(STATIC).as_posix()
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(minify(name, sheet.read_bytes()))
    return folder


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix, tmp_path_factory):
    """Use a database file of this run's own: two runs in one folder must not share one."""
    database = settings.DATABASES["default"]
    if database["ENGINE"].endswith("sqlite3"):
        # Tests need not survive a power cut, and waiting for the disk is most of a write's time.
        options = database["OPTIONS"]
        options["init_command"] = options["init_command"].replace("synchronous=FULL", "synchronous=OFF")
        database["TEST"]["NAME"] = tmp_path_factory.mktemp("database") / "test.sqlite3"


@pytest.fixture(autouse=True)
def default_locale():
    """Begin each test without a region and in the site's language: a test's last request has left its own."""
    regions.activate_region("", country="")
    activate(settings.LANGUAGE_CODE)


@pytest.fixture
def new_window(monkeypatch):
    """Begin a window of every rate limit with the test, so that none ends in the middle of it."""
    began_at = time()
    monkeypatch.setattr("games.common.rate_limits.time", lambda: time() - began_at)


@pytest.fixture(scope="session", autouse=True)
def flush_without_guards():
    """Let Django empty the database after a transactional test, although triggers forbid it.

    It stays empty: no test needs the permissions and content types that Django would create again.
    """
    execute = BaseDatabaseOperations.execute_sql_flush

    def flush_unguarded(operations, sql_list):
        connection = operations.connection
        with transaction.atomic(using=connection.alias):
            triggers.remove_record_guards(connection)
            execute(operations, sql_list)
            triggers.install_record_guards(connection)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(BaseDatabaseOperations, "execute_sql_flush", flush_unguarded)
        patch.setattr(flush, "emit_post_migrate_signal", lambda *_args: None)
        yield
