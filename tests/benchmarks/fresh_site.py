"""A new site for a benchmark in this process, with an empty database, and the printed line of a goal."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def new_site() -> Iterator[None]:
    """Set Django up with an empty database in a temporary folder, for the `with` block."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {
            "DJANGO_SETTINGS_MODULE": "tests.unlimited",
            "DATA_DIR": f"{folder}/data",
            "ALLOWED_HOSTS": "testserver",
        }
        import django
        from django.core.management import call_command
        from django.test import override_settings

        django.setup()
        plain = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}  # no collected files
        with override_settings(STORAGES={"staticfiles": plain}):
            call_command("migrate", verbosity=0)
            yield


def say(goal: str, figure: str, *, met: bool) -> None:
    """Print a line that says whether the goal is met, its name, and the measured figure."""
    print(f"{'met ' if met else 'MISSED'}  {goal}: {figure}", flush=True)
