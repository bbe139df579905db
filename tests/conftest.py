"""Settings and fixtures for every test: fast settings, a database for each run, a flush despite triggers."""

from __future__ import annotations

import gc
import mimetypes
import os
import shutil
import sqlite3
from functools import cache
from hashlib import sha256
from pathlib import Path
from time import time

import django
import hypothesis
import pytest
from django.conf import settings
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.handlers import StaticFilesHandlerMixin
from django.core.management.commands import flush
from django.db import connection, transaction
from django.db.backends.base.operations import BaseDatabaseOperations
from django.http import Http404, HttpRequest, HttpResponse
from django.test import override_settings
from django.utils.translation import activate

from games.common import regions, site_header, triggers
from tests import whole_run

pytest_plugins = [
    *("tests.clock", "tests.databases", "tests.fixtures", "tests.site_fixtures", "tests.shared_cache"),
]
REQUEST_CACHES = ("throttles", "polls")
DUMMY_CACHE = {"BACKEND": "django.core.cache.backends.dummy.DummyCache"}
FEW_FILES = 4  # files; so few run faster without workers
TESTS = Path(__file__).parent
# The files that the schema of a new database depends on.
SCHEMA_FILES = (
    *("migrations/*.py", "models.py", "*/models.py", "*/models/*.py"),
    *("apps.py", "common/triggers.py", "management/**/*.py"),
)


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config):
    """Use a worker for each processor, unless the run has few files, `-n`, `--pdb` or `-p no:xdist`.

    Runs with slow tests get one worker more, because a browser often waits.
    """
    is_free = getattr(config.option, "numprocesses", 0) is None and not hasattr(config, "workerinput")
    named = [Path(argument.partition("::")[0]) for argument in config.args]
    if is_free and not (len(named) <= FEW_FILES and all(path.is_file() for path in named)):
        config.option.numprocesses = (os.cpu_count() or 1) + (not is_quick(config))
        config.option.dist = "worksteal"  # slow tests are next to one another


def pytest_configure(config):
    """Try fewer examples of a property if slow tests are left out; see `tests/examples.py`.

    A property has no deadline, so that a slow machine or the mutation tester cannot make it fail.
    """
    examples, slow = 20 if is_quick(config) else 100, [hypothesis.HealthCheck.too_slow]
    hypothesis.settings.register_profile(
        "here", max_examples=examples, deadline=None, suppress_health_check=slow
    )
    hypothesis.settings.load_profile("here")


def is_quick(config) -> bool:
    return "not slow" in config.option.markexpr


def pytest_ignore_collect(collection_path, config):
    """Do not import the tests of the browsers, which are all slow, if slow tests are left out."""
    is_left_out = is_quick(config) and collection_path in (TESTS / "browser", TESTS / "engines")
    return True if is_left_out else None


def pytest_collection_modifyitems(config, items):
    """Mark the tests of the database, and the long ones that are due, which only `.ci/run` asks for."""
    subjects = whole_run.load_subjects()
    due = whole_run.split_due(whole_run.find_changed())[0] if "due" in config.option.markexpr else []
    for item in items:
        name = item.path.relative_to(whole_run.ROOT).as_posix()
        if item.get_closest_marker("long"):
            if name not in subjects:
                raise pytest.UsageError(f"{name} has long tests, but no line in {whole_run.SUBJECTS_FILE}")
            if name in due:
                item.add_marker("due")
        if any(mark.kwargs.get("transaction") for mark in item.iter_markers("django_db")):
            item.add_marker("postgres")


@pytest.hookimpl(trylast=True, specname="pytest_collection_modifyitems")
def run_longest_first(items):
    """Run test_screens.py first among the browser tests.

    It takes longest. Started last, it would keep one worker busy after all others have finished.
    """
    walks = [item for item in items if item.path.name == "test_screens.py"]
    others = [item for item in items if item.path.name != "test_screens.py"]
    place = next((number for number, item in enumerate(others) if item.path.parent.name == "browser"), 0)
    items[:] = [*others[:place], *walks, *others[place:]]


def pytest_collection_finish():
    """Exclude modules and collected tests from garbage collection, since they live until the end."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)


@pytest.fixture(scope="session", autouse=True)
def quick_settings(tmp_path_factory):
    """Replace the settings that only a real server needs.

    The scope is the session because the live server reads settings once, before the first test's fixtures.
    Requests have no rate limits, because tests send more than a table does; the fixture `rate_limited` sets
    them.
    """
    storages = {
        **settings.STORAGES,
        # A fresh clone has no manifest of collected files.
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
    }
    # A folder for this run, like the database.
    of_files = {**settings.CACHES["default"], "LOCATION": tmp_path_factory.mktemp("cache")}
    caches = {**settings.CACHES, "default": of_files, **dict.fromkeys(REQUEST_CACHES, DUMMY_CACHE)}
    with (
        pytest.MonkeyPatch.context() as patch,
        override_settings(
            STORAGES=storages,
            STATICFILES_DIRS=[
                *settings.STATICFILES_DIRS,
                ("source", settings.BASE_DIR / "scripts"),  # for tests that call one function of a script
            ],
            CACHES=caches,
            MIDDLEWARE=[name for name in settings.MIDDLEWARE if name != "scorekeeper.floods.FloodMiddleware"],
            DATA_DIR=tmp_path_factory.mktemp("data"),  # receives the marker file of a created database
            STORED_SECRET=settings.SECRET_KEY,
            WHITENOISE_AUTOREFRESH=True,  # finds files on request, so no collected folder is needed
            PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"],
        ),
    ):
        patch.setattr(StaticFilesHandlerMixin, "serve", _serve_marked_file)
        yield


def _serve_marked_file(handler: StaticFilesHandlerMixin, request: HttpRequest) -> HttpResponse:
    """Serve a static file of the live server, which no middleware sees, with the site's header.

    Each file is read once, and phones cache it, as on a site: a service worker asks for all of them.
    """
    content, kind = _read_static(handler.file_path(request.path))
    headers = {"Cache-Control": "max-age=3600", **dict([site_header.field()])}
    return HttpResponse(content, content_type=kind, headers=headers)


@cache
def _read_static(path: str) -> tuple[bytes, str | None]:
    file = finders.find(path)
    if file is None:
        raise Http404(path)
    return Path(file).read_bytes(), mimetypes.guess_type(file)[0]


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix, tmp_path_factory):
    """Give this run its own database file, so that two runs in one folder never share one."""
    database = settings.DATABASES["default"]
    if database["ENGINE"].endswith("sqlite3"):
        # Tests need not survive a power cut, and waiting for the disk is most of a write's time.
        options = database["OPTIONS"]
        options["init_command"] = options["init_command"].replace("synchronous=FULL", "synchronous=OFF")
        database["TEST"]["NAME"] = tmp_path_factory.mktemp("database") / "test.sqlite3"


@pytest.fixture(scope="session")
def kept_schema(request):
    """Return the file where earlier runs keep their migrated, empty database.

    Migrating takes as long as fifty tests. The file's name changes with whatever the schema depends on. None for
    PostgreSQL, and for a run without pytest's cache.
    """
    cache = getattr(request.config, "cache", None)
    if cache is None or not settings.DATABASES["default"]["ENGINE"].endswith("sqlite3"):
        return None
    games = Path(settings.BASE_DIR, "games")
    files = sorted(file for pattern in SCHEMA_FILES for file in games.glob(pattern))
    digest = sha256(f"{django.VERSION} {sqlite3.sqlite_version}".encode())
    for file in files:
        digest.update(file.read_bytes())
    return cache.mkdir("schema") / f"{digest.hexdigest()[:20]}.sqlite3"


@pytest.fixture(scope="session")
def django_db_keepdb(kept_schema, django_db_modify_db_settings):
    """Begin with the kept database, if there is one; Django's migrations then have nothing to do."""
    is_kept = kept_schema is not None and kept_schema.exists()
    if is_kept:
        shutil.copyfile(kept_schema, settings.DATABASES["default"]["TEST"]["NAME"])
    return is_kept


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup, django_db_blocker, django_db_keepdb, kept_schema):
    """Keep the new database for later runs, without those of earlier schemas."""
    if kept_schema is None or django_db_keepdb:
        return
    for file in kept_schema.parent.glob("*.sqlite3"):
        file.unlink(missing_ok=True)
    written = kept_schema.with_suffix(f".{os.getpid()}")
    with django_db_blocker.unblock(), connection.cursor() as cursor:
        cursor.execute("VACUUM INTO %s", [str(written)])
    written.replace(kept_schema)


@pytest.fixture(autouse=True)
def default_locale():
    """Start each test without a region and in the site's language, not with those of another test's request."""
    regions.activate_region("", country="")
    activate(settings.LANGUAGE_CODE)


@pytest.fixture
def new_window(monkeypatch):
    """Start the window of every rate limit with the test, so that no window ends during it."""
    began_at = time()
    monkeypatch.setattr("games.common.rate_limits.time", lambda: time() - began_at)


@pytest.fixture(scope="session", autouse=True)
def flush_without_guards():
    """Let Django flush the database after a transactional test, although triggers forbid it.

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
