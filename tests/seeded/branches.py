"""Branch coverage by package, from the traces of one run of the tests."""

from __future__ import annotations

import json
import tempfile
from collections import defaultdict
from pathlib import Path

import coverage

from tests.seeded.faults import BASE

TOTALS = ("num_statements", "covered_lines", "num_branches", "covered_branches")


def coverage_table(traces: Path, title: str) -> str:
    """Return a text with a line for each package: its statements and branches, and how many were executed."""
    packages: dict[str, list[int]] = defaultdict(lambda: [0] * len(TOTALS))
    for path, summary in _summaries(traces).items():
        name = Path(path).parent.as_posix()
        for package in (name, "in all"):
            packages[package] = [
                known + summary[total] for known, total in zip(packages[package], TOTALS, strict=True)
            ]
    lines = [title] if title else []
    lines += ["package                        statements  executed   branches  executed        %"]
    for name, (statements, executed, branches, taken) in sorted(packages.items()):
        share = f"{100 * taken / branches:8.2f}" if branches else "       –"
        lines.append(f"{name:30} {statements:10} {executed:9} {branches:10} {taken:9} {share}")
    return "\n".join(lines) + "\n"


def _summaries(traces: Path) -> dict[str, dict[str, int]]:
    """Return coverage's own summary of each file, by the file's path."""
    with tempfile.TemporaryDirectory() as folder:
        sources = [str(BASE / "games"), str(BASE / "scorekeeper")]
        measured = coverage.Coverage(
            data_file=str(Path(folder) / "joined"), branch=True, source=sources, config_file=False
        )
        measured.combine([str(path) for path in sorted(traces.glob("branches-*"))], keep=True)
        report = Path(folder) / "report.json"
        measured.json_report(outfile=str(report))
        files = json.loads(report.read_text(encoding="utf-8"))["files"]
    return {
        Path(path).resolve().relative_to(BASE).as_posix(): summary["summary"]
        for path, summary in files.items()
    }
