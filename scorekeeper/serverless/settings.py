"""The settings of the app in a serverless folder: one user, one process, and pages only."""

from __future__ import annotations

import os
from typing import Any

from scorekeeper.settings import *  # noqa: F403

SERVE_FOLDER = False
ROOT_URLCONF = "scorekeeper.serverless.urls"
FORCE_SCRIPT_NAME = os.environ["FOLDER"].rstrip("/") or None  # the folder's path on its host
INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.staticfiles",
    "django.forms",
    "django_htmx",
    "games",
]
# Nobody signs in, and no CSRF check is needed: the service worker passes on only requests of our own pages.
MIDDLEWARE = [
    "scorekeeper.middleware.HeadersMiddleware",
    "scorekeeper.middleware.NameMarksMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "scorekeeper.middleware.LanguageMiddleware",
    "scorekeeper.serverless.single_user.SingleUserMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "scorekeeper.middleware.StorableTextMiddleware",
]
_options: Any = TEMPLATES[0]["OPTIONS"]  # noqa: F405
_options["context_processors"] = [
    "scorekeeper.serverless.single_user.template_context"
    if name == "games.tables.services.guests.visitor_context"
    else name
    for name in _options["context_processors"]
    if not name.startswith("django.contrib.messages.")
]

# The folder leaves out the migrations of other apps; our own run there (`upgrade` in gateway.py).
MIGRATION_MODULES = dict.fromkeys(("auth", "contenttypes", "sessions"))

# The database file is in memory, so SQLite need not protect it from power cuts. JavaScript saves it in the
# browser's storage.
DATABASES = {
    "default": {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": DATA_DIR / "db.sqlite3",  # noqa: F405
        "CONN_MAX_AGE": None,
        "OPTIONS": {
            "init_command": "PRAGMA journal_mode=MEMORY; PRAGMA synchronous=OFF; PRAGMA foreign_keys=ON; PRAGMA temp_store=MEMORY; PRAGMA legacy_alter_table=ON;"
        },
    }
}
CACHES = {
    name: {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": name}
    for name in CACHES  # noqa: F405
}
SESSION_ENGINE = "django.contrib.sessions.backends.signed_cookies"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "scorekeeper.serverless.storage.ManifestUrlStorage"},
}
