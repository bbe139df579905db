"""A pytest plugin that writes down which lines each test executes: `-p tests.seeded.tracing`.

Each process writes two files into the folder `SEEDED_TRACES`: the lines of each test (`lines-*.sqlite3`), and the
branches taken by all of its tests together (`branches-*`, in coverage's own format).
"""

from __future__ import annotations

import os
import sqlite3
import sys
import time
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path

import coverage
import pytest
from coverage.numbits import nums_to_numbits

BASE = Path(__file__).resolve().parents[2]
SOURCES = [str(BASE / "games"), str(BASE / "scorekeeper")]
SCHEMA = """
CREATE TABLE test (number INTEGER PRIMARY KEY, nodeid TEXT UNIQUE, seconds REAL);
CREATE TABLE executed (test INTEGER, path TEXT, numbits BLOB, lines INTEGER);
"""

Arcs = Mapping[str, Iterable[tuple[int, int]]]


class Sink:
    """A replacement for coverage's data store that keeps the arcs of one test at a time.

    Coverage would store a row for each arc of each test: tens of millions, although tests are selected by
    lines alone.
    """

    def __init__(self) -> None:
        self.arcs: dict[str, set[tuple[int, int]]] = defaultdict(set)

    def add_arcs(self, arcs: Arcs) -> None:
        for path, pairs in arcs.items():
            self.arcs[path].update(pairs)

    def set_context(self, context: str | None) -> None:
        pass

    def add_file_tracers(self, tracers: Mapping[str, str]) -> None:
        pass

    def take(self) -> dict[str, set[tuple[int, int]]]:
        """Return the arcs recorded since the last call, by file, and remove them."""
        arcs, self.arcs = self.arcs, defaultdict(set)
        return arcs


class Tracer:
    """The plugin for one pytest process."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.sink = Sink()
        self.all_arcs: dict[str, set[tuple[int, int]]] = defaultdict(set)
        self.lines = sqlite3.connect(folder / f"lines-{os.getpid()}.sqlite3", isolation_level=None)
        self.lines.executescript("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF;" + SCHEMA)
        self.coverage = coverage.Coverage(data_file=None, branch=True, source=SOURCES, config_file=False)
        self.coverage.start()
        self.coverage._collector.covdata = self.sink  # type: ignore[union-attr]

    def flush(self) -> dict[str, set[tuple[int, int]]]:
        """Return the arcs executed since the last call, by file."""
        self.coverage.switch_context("")
        arcs = self.sink.take()
        for path, pairs in arcs.items():
            self.all_arcs[path] |= pairs
        return arcs

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item, nextitem):
        _clear_caches()
        self.flush()
        began = time.process_time()
        result = yield
        self.store(item.nodeid, time.process_time() - began, self.flush())
        return result

    def store(self, nodeid: str, seconds: float, arcs: Arcs) -> None:
        row = self.lines.execute("INSERT INTO test (nodeid, seconds) VALUES (?, ?)", (nodeid, seconds))
        executed = []
        for path, pairs in arcs.items():
            numbers = {abs(end) for pair in pairs for end in pair}
            name = Path(path).relative_to(BASE).as_posix()
            executed.append((row.lastrowid, name, nums_to_numbits(numbers), len(numbers)))
        self.lines.executemany("INSERT INTO executed VALUES (?, ?, ?, ?)", executed)

    def pytest_sessionfinish(self):
        self.flush()
        self.coverage.stop()
        self.lines.close()
        branches = coverage.CoverageData(str(self.folder / f"branches-{os.getpid()}"))
        branches.add_arcs(self.all_arcs)
        branches.write()


def _clear_caches() -> None:
    """Empty the caches of the app's functions.

    Otherwise only the first test of all would be seen to execute the lines behind a cached answer.
    """
    for name, module in list(sys.modules.items()):
        if name.startswith(("games.", "scorekeeper.")):
            for value in list(vars(module).values()):
                if getattr(value, "__module__", "") == name and callable(getattr(value, "cache_clear", None)):
                    value.cache_clear()


# It traces from its import on, because modules of the app are imported before `pytest_configure`.
TRACER = Tracer(Path(os.environ["SEEDED_TRACES"]))


def pytest_configure(config):
    config.pluginmanager.register(TRACER, "seeded tracer")
