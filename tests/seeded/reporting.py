"""A pytest plugin that records each test that starts and the first that fails: `-p tests.seeded.reporting`.

It appends a JSON object a line to the file `SEEDED_REPORT`, so that the report is complete even if the run is
killed. If the file `SEEDED_ORDER` names tests, they run in its order: by itself pytest-django runs those
without a database last.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest


class Reporter:
    """The plugin for one process, which runs tests or distributes them to workers."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def write(self, **entry: str) -> None:
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(entry, ensure_ascii=False) + "\n")

    def pytest_runtest_logstart(self, nodeid):
        self.write(started=nodeid)

    def pytest_runtest_logreport(self, report):
        if report.failed:
            self.write(failed=report.nodeid, message=_first_line(report))

    def pytest_collectreport(self, report):
        if report.failed:
            self.write(failed=report.nodeid or "collection", message=_first_line(report))


def _first_line(report) -> str:
    """Return the first line of the failure's message, shortened."""
    crash = getattr(report.longrepr, "reprcrash", None)
    text = crash.message if crash else str(report.longrepr)
    return next((line for line in text.splitlines() if line.strip()), "")[:160]


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items):
    """Sort the tests into the order of the file; tests that empty the database stay behind all others."""
    order = Path(os.environ.get("SEEDED_ORDER", os.devnull)).read_text(encoding="utf-8").splitlines()
    places = {nodeid: place for place, nodeid in enumerate(order)}
    if places:
        items.sort(key=lambda item: (_empties(item), places.get(item.nodeid, len(places))))


def _empties(item) -> bool:
    mark = item.get_closest_marker("django_db")
    is_transactional = mark is not None and mark.kwargs.get("transaction", False)
    return is_transactional or not {"transactional_db", "live_server"}.isdisjoint(item.fixturenames)


def pytest_configure(config):
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Reporter(Path(os.environ["SEEDED_REPORT"])), "seeded reporter")
