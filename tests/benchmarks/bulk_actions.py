"""A benchmark of actions on two hundred of what a user can multiply, each in its own database.

    python -m tests.benchmarks.bulk_actions [--only WORD]

It prints each action's CPU time and its longest hold of the write lock, and exits with 1 if one is above its
goal. Everything is stored in a temporary folder; no figure includes waiting for the disk.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time

import django
from django.core.management import call_command
from django.urls import reverse

from tests.benchmarks.attacks import LOCKED, REFUSED, watch_lock
from tests.benchmarks.goals import report

MANY = 200


def measure(name: str) -> bool:
    """Build this action, measure it and print its figures. Return whether they are within the goals."""
    from tests import bulk_actions

    (build,) = (act for act in (*bulk_actions.ACTS, *bulk_actions.GAME_ACTS) if act.__name__ == name)
    call_command("migrate", verbosity=0)
    holds: list[float] = []
    reverse("home")  # imports the views, which a server does on startup
    with bulk_actions.without_bounds():
        act = build(MANY)
        watch_lock(holds.append)
        began = time.process_time()
        act()
        seconds = time.process_time() - began
    is_met = seconds <= REFUSED and max(holds) <= LOCKED
    report(name.replace("_", " "), f"{seconds:.3f} s CPU, {max(holds):.3f} s in the lock", met=is_met)
    return is_met


def main() -> None:
    """Measure the chosen actions, each in its own process. Exit with 1 if one misses a goal."""
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--only", default="")
    options.add_argument("--measure", help=argparse.SUPPRESS)
    chosen = options.parse_args()
    os.environ |= {"DJANGO_SETTINGS_MODULE": "tests.settings_without_limits", "ALLOWED_HOSTS": "testserver"}
    if chosen.measure:
        django.setup()
        raise SystemExit(not measure(chosen.measure))
    with tempfile.TemporaryDirectory() as folder:
        os.environ["DATA_DIR"] = folder
        django.setup()
        from tests import bulk_actions

        names = [act.__name__ for act in (*bulk_actions.ACTS, *bulk_actions.GAME_ACTS)]
    missed = 0
    for name in names:
        if chosen.only in name:
            with tempfile.TemporaryDirectory() as folder:
                command = [sys.executable, "-m", "tests.benchmarks.bulk_actions", "--measure", name]
                missed += subprocess.run(command, env={**os.environ, "DATA_DIR": folder}).returncode != 0
    print(f"{missed} missed")
    raise SystemExit(bool(missed))


if __name__ == "__main__":
    main()
