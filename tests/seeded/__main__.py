"""Seeded faults: what the tests notice. Nothing is ever changed in the working tree.

    python -m tests.seeded trace      the default suite once, to learn which test executes which line (minutes)
    python -m tests.seeded run        each stored fault in a copy: the selected tests, at most 60 s of processor time
    python -m tests.seeded run --suite    the default suite for what they did not catch (minutes a fault)
    python -m tests.seeded report     what caught each fault, as text: tests/seeded/catch.txt
    python -m tests.seeded coverage   branch coverage by package, from the same traces: tests/seeded/coverage.txt
    python -m tests.seeded draw --seed 7 --count 100    random other faults, printed as a file of faults
    python -m tests.seeded check      the stored faults whose old text is not in the tree exactly once

Traces, copies and results are stored in one folder (`--folder`, by default `seeded` among the temporary
files). A run that was stopped can be continued: a fault that has a result is not tried again, unless its text
has changed. Trace again, in a new folder, after a change of the tree. `--faults FOLDER` takes other faults
than those in `tests/seeded/faults`, and `--only TEXT` those whose name or path contains a text.

When code that a fault changes is moved or rewritten, `check` (and the default suite) names the fault: replace
its old text by the present code or, where the code has gone, replace it by a fault of the same name in the
new code.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

from tests.seeded import drawing
from tests.seeded.branches import coverage_table
from tests.seeded.faults import BASE, FOLDER, Fault, Misplaced, applied, read_faults
from tests.seeded.reports import catch_table
from tests.seeded.running import (
    CAUGHT,
    NOT_YET,
    Copy,
    Results,
    failing_without_faults,
    run_selected,
    run_suite,
)
from tests.seeded.selection import Traces

HERE = Path(__file__).parent


def main() -> None:
    arguments = _parser().parse_args()
    commands = {
        "trace": trace,
        "run": run,
        "report": report,
        "coverage": write_coverage,
        "draw": draw,
        "check": check,
    }
    commands[arguments.command](arguments)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.seeded", description=__doc__.splitlines()[0])
    parser.add_argument("command", choices=("trace", "run", "report", "coverage", "draw", "check"))
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()) / "seeded")
    parser.add_argument("--faults", type=Path, default=FOLDER)
    parser.add_argument("--only", default="", help="a text in the name or the path of a fault")
    parser.add_argument(
        "--suite", action="store_true", help="the default suite for what no selected test caught"
    )
    parser.add_argument("--again", action="store_true", help="the selected tests once more where none failed")
    parser.add_argument(
        "--copy", default="copy", help="a folder of its own for a second run beside the first"
    )
    parser.add_argument("--workers", type=int, default=2, help="processes of the default suite")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--output", type=Path, help="where the report goes")
    parser.add_argument("--title", default="", help="a line above the report")
    return parser


def _chosen(arguments: argparse.Namespace) -> list[Fault]:
    return [
        fault
        for fault in read_faults(arguments.faults)
        if arguments.only in fault.name or arguments.only in fault.path
    ]


def trace(arguments: argparse.Namespace) -> None:
    """Run the default suite without a browser, tracing each test."""
    folder = arguments.folder / "traces"
    folder.mkdir(parents=True)
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-n",
        str(arguments.workers),
        "-p",
        "tests.seeded.tracing",
    ]
    quick = ["-m", "not slow and not long", "--ignore", str(HERE)]
    environment = {**os.environ, "SEEDED_TRACES": str(folder), "PYTHONPATH": str(BASE)}
    subprocess.run([*command, *quick], cwd=BASE, env=environment, check=False)


def run(arguments: argparse.Namespace) -> None:
    """Run the tests of each fault that has no result yet, then name the tests that fail without any fault."""
    results = Results(arguments.folder / "results.jsonl")
    copy = Copy(arguments.folder / arguments.copy)
    copy.make()
    known = results.read()
    faults = _chosen(arguments)
    if arguments.suite:
        tried = [fault for fault in faults if not fault.equivalent and fault.digest in known]
        waiting = [fault for fault in tried if known[fault.digest].verdict == NOT_YET]
        run_suite(waiting, copy, results, workers=arguments.workers)
    else:
        again = {
            digest for digest, outcome in known.items() if arguments.again and outcome.verdict == NOT_YET
        }
        waiting = [fault for fault in faults if fault.digest not in known or fault.digest in again]
        run_selected(waiting, copy, Traces(arguments.folder / "traces"), results)
    caught = {
        outcome.test for outcome in results.read().values() if outcome.verdict == CAUGHT and outcome.test
    }
    for nodeid in failing_without_faults(sorted(caught - {"pytest"}), copy):
        print(f"fails without any fault: {nodeid}")


def report(arguments: argparse.Namespace) -> None:
    """Write the report of what caught each fault."""
    known = Results(arguments.folder / "results.jsonl").read()
    output = arguments.output or HERE / "catch.txt"
    output.write_text(catch_table(_chosen(arguments), known, arguments.title), encoding="utf-8")
    print(f"written to {output}")


def write_coverage(arguments: argparse.Namespace) -> None:
    """Write the branch coverage of each package."""
    output = arguments.output or HERE / "coverage.txt"
    output.write_text(coverage_table(arguments.folder / "traces", arguments.title), encoding="utf-8")
    print(f"written to {output}")


def draw(arguments: argparse.Namespace) -> None:
    """Print random faults, the same for the same seed."""
    faults = drawing.draw(arguments.seed, arguments.count)
    comment = f"Drawn by `python -m tests.seeded draw --seed {arguments.seed} --count {arguments.count}`."
    print(drawing.written(faults, comment), end="")


def check(arguments: argparse.Namespace) -> None:
    """Print the faults whose old text is not in the code, and fail if there are any."""
    lines = list(misplaced(_chosen(arguments)))
    print("\n".join(lines) or "all apply")
    sys.exit(bool(lines))


def misplaced(faults: Iterable[Fault]) -> Iterable[str]:
    """Yield a line for each fault whose old text is not in its function exactly once."""
    for fault in faults:
        try:
            applied(fault, (BASE / fault.path).read_text(encoding="utf-8"))
        except (Misplaced, FileNotFoundError) as error:
            yield f"{fault.name}: {error}"


if __name__ == "__main__":
    main()
