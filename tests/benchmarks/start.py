"""A benchmark of each part of the server's start: `python -m tests.benchmarks.start`.

Each figure is CPU time, also as a multiple of an empty interpreter's in the same run.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from tests.server_processes import Site

EMPTY = (sys.executable, "-I", "-c", "pass")


def measure_program(*command: str, **variables: str) -> float:
    """Return the CPU seconds of a program."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, env={**os.environ, **variables}, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measure_server_start(site: Site) -> float:
    """Return the CPU seconds of a server until its first page."""
    site.start()
    fields = Path(f"/proc/{site.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    site.stop()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


OWN_WORK = """
import io, time, django
django.setup()
from django.urls import get_resolver
from games.management.commands.serve import Command
get_resolver().url_patterns
started = time.process_time()
Command(stdout=io.StringIO())._prepare("127.0.0.1")
print(time.process_time() - started)
"""


def measure_own_work(site: Site) -> float:
    """Return the CPU seconds that `serve` adds to Django's own start on a site where nothing changed."""
    command = (sys.executable, "-c", OWN_WORK)
    printed = [
        subprocess.check_output(command, env={**os.environ, **site.environment}, text=True)
        for _time in range(5)
    ]
    return median(map(float, printed))


def main() -> None:
    """Print the parts of a first and of a later start."""
    with TemporaryDirectory() as folder:
        empty = median(measure_program(*EMPTY) for _time in range(20))
        os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
        places = {"DATA_DIR": f"{folder}/parts", "STATIC_ROOT": f"{folder}/static"}
        manage = (sys.executable, "manage.py")
        site = Site(Path(folder, "site"), Path(folder, "of-site"))
        site.folder.mkdir(mode=0o700)
        parts = {
            "an empty interpreter": empty,
            "migrate, on an empty folder": measure_program(*manage, "migrate", "-v0", **places),
            "collectstatic": measure_program(*manage, "collectstatic", "--no-input", "-v0", **places),
            "the first start": measure_server_start(site),
            "a later start": measure_server_start(site),
            "serve's own part of it: ≤ 0.3 s": measure_own_work(site),
        }
    for part, seconds in parts.items():
        print(f"{part:35} {seconds:7.3f} s {seconds / empty:8.0f} ×")


if __name__ == "__main__":
    main()
