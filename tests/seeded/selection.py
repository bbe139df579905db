"""The tests to run for a fault: those that execute its lines, the most specific first."""

from __future__ import annotations

import ast
import sqlite3
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from coverage.numbits import numbits_to_nums

from tests.seeded.faults import Fault, changed_lines, span

MOST_TESTS = 400
MOST_SECONDS = 40.0  # as measured while tracing, which takes two or three times as long as running
TURN_SECONDS = 0.25  # a test waits a turn for each


@dataclass(frozen=True)
class TracedTest:
    """A traced test: the processor time it took, and the number of lines of the app that it executed."""

    nodeid: str
    seconds: float
    lines: int

    @property
    def function(self) -> str:
        """The test's id without its parameters."""
        return self.nodeid.partition("[")[0]

    @property
    def wing(self) -> str:
        """The folder under `tests/` that contains the test."""
        return self.nodeid.split("/")[1]


class Traces:
    """The lines that each test executed, joined from the traces of all processes."""

    def __init__(self, folder: Path) -> None:
        self.files = sorted(folder.glob("lines-*.sqlite3"))
        self._of_file: dict[str, list[tuple[TracedTest, set[int]]]] = {}

    @cached_property
    def tests(self) -> dict[tuple[int, int], TracedTest]:
        """All traced tests, by the position of their trace file and their number in it."""
        tests = {}
        for place, rows in self._query(
            "SELECT number, nodeid, seconds, total FROM test JOIN"
            " (SELECT test, sum(lines) AS total FROM executed GROUP BY test) ON test = number"
        ):
            for number, nodeid, seconds, total in rows:
                tests[place, number] = TracedTest(nodeid, seconds, total)
        return tests

    def executing(self, path: str, lines: set[int]) -> list[TracedTest]:
        """Return the tests that executed any of these lines of a file."""
        return list(
            {
                test.nodeid: test for test, executed in self._executed(path) if not lines.isdisjoint(executed)
            }.values()
        )

    def _executed(self, path: str) -> list[tuple[TracedTest, set[int]]]:
        """Return the tests that executed anything of a file, each with the lines it executed there.

        The answer is cached, because the next fault is often in the same file.
        """
        if path not in self._of_file:
            self._of_file = {path: []}
            for place, rows in self._query("SELECT test, numbits FROM executed WHERE path = ?", path):
                for number, numbits in rows:
                    if (place, number) in self.tests:
                        lines = set(numbits_to_nums(numbits))
                        self._of_file[path].append((self.tests[place, number], lines))
        return self._of_file[path]

    def _query(self, query: str, *values: str) -> Iterable[tuple[int, list[tuple]]]:
        for place, file in enumerate(self.files):
            connection = sqlite3.connect(file)
            yield place, connection.execute(query, values).fetchall()
            connection.close()


def select(fault: Fault, source: str, traces: Traces) -> list[str]:
    """Return the ids of the tests to run for a fault, in order, at most `MOST_TESTS` and `MOST_SECONDS`."""
    if fault.tests:
        return list(fault.tests)
    chosen: dict[str, TracedTest] = {}
    for lines in _widening(fault, source):
        for test in _most_specific_first(traces.executing(fault.path, lines), fault.wing):
            chosen.setdefault(test.nodeid, test)
    # A cached answer hides a line from later tests, so tests of the wing fill up the rest.
    of_wing = (test for test in traces.tests.values() if fault.wing and test.wing == fault.wing)
    for test in _most_specific_first(of_wing, fault.wing):
        chosen.setdefault(test.nodeid, test)
    return _bounded(chosen.values())


def _widening(fault: Fault, source: str) -> Iterable[set[int]]:
    """Yield sets of lines: those changed, their statement, their function, the whole file.

    The wider ones are needed because only the import of a module executes a default, a constant or a field.
    """
    lines = changed_lines(fault, source)
    yield lines
    inner = [
        node
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.stmt) and node.lineno <= min(lines) and (node.end_lineno or 0) >= max(lines)
    ]
    if inner:
        smallest = min(inner, key=lambda node: (node.end_lineno or 0) - node.lineno)
        yield set(range(smallest.lineno, (smallest.end_lineno or 0) + 1))
    if fault.where:
        first, last = span(fault.where, source)
        yield set(range(first, last + 1))
    yield set(range(1, source.count("\n") + 2))


def _most_specific_first(tests: Iterable[TracedTest], wing: str) -> list[TracedTest]:
    """Return the tests in rounds: one case of each test function, then a second of each, and so on.

    Slow tests come later. Within a round tests of the fault's own wing come first, and then those that
    execute the fewest lines. Without rounds, one test with hundreds of parameters would use up the limit.
    """
    cases = defaultdict(list)
    for test in sorted(tests, key=lambda test: (test.lines, test.nodeid)):
        cases[test.function].append(test)
    ranked = [
        ((turn + int(test.seconds / TURN_SECONDS), test.wing != wing, test.lines, test.nodeid), test)
        for of_function in cases.values()
        for turn, test in enumerate(_spread(of_function))
    ]
    return [test for _, test in sorted(ranked, key=lambda pair: pair[0])]


def _spread(tests: list[TracedTest]) -> list[TracedTest]:
    """Return the cases of one test, alternately from both ends of the list.

    That is the simplest case, the most complex, the next simplest, and so on.
    """
    half = (len(tests) + 1) // 2
    simple, rich = tests[:half], tests[half:][::-1]
    mixed = [test for pair in zip(simple, rich, strict=False) for test in pair]
    return mixed + simple[len(rich) :]


def _bounded(tests: Iterable[TracedTest]) -> list[str]:
    chosen: list[str] = []
    seconds = 0.0
    for test in tests:
        # The first test of a traced process includes the time of all imports.
        spent = min(test.seconds, 3.0)
        if len(chosen) < MOST_TESTS and seconds + spent <= MOST_SECONDS:
            chosen.append(test.nodeid)
            seconds += spent
    return chosen
