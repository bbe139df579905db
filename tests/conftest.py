"""What every test runs under: quick settings, a database of its own, and an empty database that records survive in."""

from __future__ import annotations

import os
from pathlib import Path

import hypothesis
import pytest
from django.conf import settings
from django.core.management.commands import flush
from django.db import transaction
from django.db.backends.base.operations import BaseDatabaseOperations
from django.test import override_settings

from games.guards import install_record_guards, remove_record_guards
from scorekeeper.storage import STATIC, travelling

pytest_plugins = ["tests.databases", "tests.phones", "tests.shared_cache"]
FEW = 4  # files that are tested sooner here than by workers that first have to start


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config):
    """Workers for all processors, unless a few files are named, or `-n`, `--pdb` or `-p no:xdist`.

    One more than there are processors: a browser often waits.
    """
    is_free = getattr(config.option, "numprocesses", 0) is None and not hasattr(config, "workerinput")
    named = [Path(argument.partition("::")[0]) for argument in config.args]
    if is_free and not (len(named) <= FEW and all(path.is_file() for path in named)):
        config.option.numprocesses = (os.cpu_count() or 1) + 1
        config.option.dist = "worksteal"  # what takes long stands together


def pytest_configure(config):
    """A law is tried on fewer games where the slow tests are left out: a percentage, see `tests/examples.py`."""
    is_quick = "not slow" in config.option.markexpr
    hypothesis.settings.register_profile("here", max_examples=20 if is_quick else 100, deadline=None)
    hypothesis.settings.load_profile("here")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items):
    """The walks through all screens go first among what needs a browser: no worker is left alone with them."""
    walks = [item for item in items if item.path.name == "test_screens.py"]
    others = [item for item in items if item.path.name != "test_screens.py"]
    place = next((number for number, item in enumerate(others) if item.path.parent.name == "browser"), 0)
    items[:] = [*others[:place], *walks, *others[place:]]


@pytest.fixture(scope="session", autouse=True)
def quick_settings(tmp_path_factory):
    """The settings as they are, but for what only serving needs.

    Of the session, since the live server reads them once, before the fixtures of the first test.
    """
    storages = {
        **settings.STORAGES,
        # A clean clone has no manifest of collected files.
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
    }
    # A folder for this run alone, as for the database.
    of_files = {**settings.CACHES["default"], "LOCATION": tmp_path_factory.mktemp("cache")}
    caches = {**settings.CACHES, "default": of_files}
    with override_settings(
        STORAGES=storages,
        STATICFILES_DIRS=[_sheets(tmp_path_factory.mktemp("styles")), *settings.STATICFILES_DIRS],
        CACHES=caches,
        DATA_DIR=tmp_path_factory.mktemp("data"),  # where it is noted that the database of the tests was made
        WHITENOISE_AUTOREFRESH=True,  # looks for files when asked, so it needs no collected folder
        PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"],
    ):
        yield


def _sheets(folder: Path) -> Path:
    """The style sheets as they travel, so that no page of a test asks for thirty files."""
    for sheet in STATIC.rglob("*.css"):
        name = sheet.relative_to(STATIC).as_posix()
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(travelling(name, sheet.read_bytes()))
    return folder


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix, tmp_path_factory):
    """A file for this run alone: two runs in one folder must not share a database."""
    database = settings.DATABASES["default"]
    if database["ENGINE"].endswith("sqlite3"):
        # No test outlives a power cut, and waiting for the disk is most of what a write takes.
        options = database["OPTIONS"]
        options["init_command"] = options["init_command"].replace("synchronous=FULL", "synchronous=OFF")
        database["TEST"]["NAME"] = tmp_path_factory.mktemp("database") / "test.sqlite3"


@pytest.fixture(scope="session", autouse=True)
def flush_past_the_guards():
    """Lets Django empty the database after a transactional test although it refuses to delete records.

    It then stays empty: nobody here asks for the permissions and content types that Django would make anew.
    """
    execute = BaseDatabaseOperations.execute_sql_flush

    def flush_unguarded(operations, sql_list):
        connection = operations.connection
        with transaction.atomic(using=connection.alias):
            remove_record_guards(connection)
            execute(operations, sql_list)
            install_record_guards(connection)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(BaseDatabaseOperations, "execute_sql_flush", flush_unguarded)
        patch.setattr(flush, "emit_post_migrate_signal", lambda *_args: None)
        yield
