"""Without Django REST framework installed, everything but the API loads and answers."""

from __future__ import annotations

import os
import subprocess
import sys

from django.conf import settings

PAGES_ALONE = """
import sys, pkgutil, importlib, re
from importlib.abc import MetaPathFinder

class Absent(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("rest_framework", "drf_spectacular"):
            raise ImportError(name + " is not installed")

sys.meta_path.insert(0, Absent())
import django
from django.conf import settings
from scorekeeper import settings as ours
settings.configure(**{
    **{name: getattr(ours, name) for name in dir(ours) if name.isupper()},
    "ROOT_URLCONF": "games.urls",
    "ALLOWED_HOSTS": ["testserver"],
    "STORAGES": {**ours.STORAGES, "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}},
})
django.setup()
import games
for found in pkgutil.walk_packages(games.__path__, "games.", onerror=lambda name: None):
    if not re.search("[.]api|commands.spectacular", found.name):
        importlib.import_module(found.name)
from django.test import Client
pages = ("/offline/", "/manifest.webmanifest", "/sw.js", "/nothing/")
print([Client().get(page).status_code for page in pages])
"""


def test_the_app_loads_and_answers_without_the_framework_of_the_api(tmp_path):
    ran = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", PAGES_ALONE],
        cwd=settings.BASE_DIR,
        env={**os.environ, "DATA_DIR": str(tmp_path), "STATIC_ROOT": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )

    assert (0, "[200, 200, 200, 404]\n") == (ran.returncode, ran.stdout), ran.stderr
