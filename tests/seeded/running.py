"""Runs of the tests for each fault, applied in a copy of the tree."""

from __future__ import annotations

import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from tests.seeded.faults import BASE, Fault, applied
from tests.seeded.selection import Traces, select

SECONDS = 60  # seconds of processor time for each fault, so that a busy machine gives the same result
BUSY = 10  # the limit by the clock, as a multiple
SUITE_SECONDS = 60 * 60
# A fault in these may be in the migrated database itself, so that is migrated anew for them.
MIGRATED = (
    "games/migrations/",
    "games/models/",
    "games/guards.py",
    "games/chain.py",
    "games/management/",
    "scorekeeper/",
)

CAUGHT, SURVIVED, NOT_YET = "caught", "survived", "no selected test fails"


@dataclass(frozen=True)
class Outcome:
    """The result for one fault: the first test that failed, if any, and its message."""

    name: str
    digest: str
    verdict: str
    test: str = ""
    message: str = ""
    by: str = "selected tests"
    selected: int = 0
    seconds: float = 0.0


class Results:
    """The results stored so far, a JSON object a line; of several for one fault the last is valid."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self) -> dict[str, Outcome]:
        """Return the result of each fault by the fault's digest."""
        if not self.path.exists():
            return {}
        lines = self.path.read_text(encoding="utf-8").splitlines()
        outcomes = [Outcome(**json.loads(line)) for line in lines]
        return {outcome.digest: outcome for outcome in outcomes}

    def add(self, outcome: Outcome) -> None:
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(asdict(outcome), ensure_ascii=False) + "\n")


@dataclass(frozen=True)
class Run:
    """One run of pytest: the tests it started, the first that failed, and whether it was cut short."""

    started: tuple[str, ...]
    failed: str
    message: str
    is_cut_short: bool
    code: int
    seconds: float


class Copy:
    """A copy of the working tree in which faults are applied, one at a time."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "tree"
        self.report = folder / "report.jsonl"
        self.log = folder / "log.txt"
        self.order = folder / "order.txt"
        self.data = folder / "data"
        self.template = folder / "migrated.sqlite3"

    def make(self) -> None:
        """Copy every file that git tracks or would track; the installed packages are linked."""
        shutil.rmtree(self.root, ignore_errors=True)
        self.template.unlink(missing_ok=True)
        listed = subprocess.run(
            ["git", "ls-files", "-coz", "--exclude-standard"],
            cwd=BASE,
            check=True,
            capture_output=True,
            text=True,
        )
        for name in filter(None, listed.stdout.split("\0")):
            source, target = BASE / name, self.root / name
            if source.is_file() and not source.is_symlink():
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(source, target)
        for name in (".venv", "node_modules"):
            if (BASE / name).exists() and not (self.root / name).exists():
                (self.root / name).symlink_to((BASE / name).resolve())

    def apply(self, fault: Fault) -> None:
        self._write(fault.path, applied(fault, (BASE / fault.path).read_text(encoding="utf-8")))

    def restore(self, fault: Fault) -> None:
        self._write(fault.path, (BASE / fault.path).read_text(encoding="utf-8"))

    def _write(self, path: str, text: str) -> None:
        target = self.root / path
        target.write_text(text, encoding="utf-8")
        # Compiled files record their source's time in seconds and its size, and an edit may change neither.
        for compiled in (target.parent / "__pycache__").glob(f"{target.stem}.*.pyc"):
            compiled.unlink()

    def pytest(
        self,
        arguments: Sequence[str],
        *,
        seconds: int,
        is_limited: bool,
        is_migrated: bool,
        database: str = "",
    ) -> Run:
        """Run pytest in the copy and return what happened.

        With `is_limited` each process has `seconds` of processor time.
        """
        self.report.unlink(missing_ok=True)
        self.order.write_text("\n".join(word for word in arguments if "::" in word), encoding="utf-8")
        shutil.rmtree(self.data, ignore_errors=True)
        command = [sys.executable, "-m", "pytest", "-x", "-q"]
        command += ["-p", "no:cacheprovider", "-p", "tests.seeded.reporting"]
        if is_migrated:
            command += ["-p", "tests.seeded.database"]
        environment = {
            **os.environ,
            "SEEDED_REPORT": str(self.report),
            "SEEDED_ORDER": str(self.order),
            "SEEDED_DATABASE": str(self.template),
            "DATA_DIR": str(self.data),
            "PYTHONPATH": str(self.root),
        }
        if database:
            environment["DATABASE_URL"] = database
        began = time.monotonic()
        with self.log.open("w") as log:
            process = subprocess.Popen(
                [*command, *arguments],
                cwd=self.root,
                env=environment,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                preexec_fn=(lambda: resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds)))
                if is_limited
                else None,
            )
            code = _wait(process, seconds * BUSY if is_limited else seconds)
        return self._read_report(code, time.monotonic() - began)

    def _read_report(self, code: int, seconds: float) -> Run:
        lines = self.report.read_text(encoding="utf-8").splitlines() if self.report.exists() else []
        entries = [json.loads(line) for line in lines]
        started = tuple(entry["started"] for entry in entries if "started" in entry)
        failures = [entry for entry in entries if "failed" in entry]
        first = failures[0] if failures else {"failed": "", "message": ""}
        if not failures and code > 1:  # pytest itself could not start
            last = self.log.read_text(encoding="utf-8", errors="replace").strip().splitlines()[-1:]
            first = {"failed": "pytest", "message": " ".join(last)[:160]}
        is_cut_short = not failures and code < 0
        return Run(started, first["failed"], first["message"], is_cut_short, code, seconds)


def _wait(process: subprocess.Popen[bytes], seconds: float) -> int:
    """Return the exit code, negative if the process was killed; no child process keeps running."""
    try:
        return process.wait(seconds)
    except subprocess.TimeoutExpired:
        return -signal.SIGKILL
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def run_selected(faults: Iterable[Fault], copy: Copy, traces: Traces, results: Results) -> None:
    """Run the selected tests of each of these faults, unless another run has tried it meanwhile."""
    begun = results.read()
    for fault in faults:
        if results.read().get(fault.digest) != begun.get(fault.digest):
            continue
        source = (BASE / fault.path).read_text(encoding="utf-8")
        nodeids = select(fault, source, traces)
        copy.apply(fault)
        try:
            outcome = _try_selected(fault, copy, nodeids)
        finally:
            copy.restore(fault)
        results.add(outcome)
        _print(outcome)


def _try_selected(fault: Fault, copy: Copy, nodeids: Sequence[str]) -> Outcome:
    outcome = Outcome(fault.name, fault.digest, NOT_YET, selected=len(nodeids))
    if not nodeids:
        return outcome
    run = _run_limited(fault, copy, nodeids)
    outcome = replace(outcome, seconds=round(run.seconds, 1))
    if run.failed:
        return replace(outcome, verdict=CAUGHT, test=run.failed, message=run.message)
    if run.is_cut_short and run.started:
        alone = _run_limited(fault, copy, run.started[-1:])
        if alone.is_cut_short or alone.failed:
            message = alone.message or f"does not end within {SECONDS} s of processor time"
            return replace(outcome, verdict=CAUGHT, test=run.started[-1], message=message)
    return outcome


def _run_limited(fault: Fault, copy: Copy, nodeids: Sequence[str]) -> Run:
    """Run these tests within the time limit of a fault; if the fault names them itself, slow ones too."""
    marks = ["-m", "not long"] if fault.tests else []
    is_migrated = not fault.is_locking and not fault.path.startswith(MIGRATED)
    with _postgres(copy) if fault.is_locking else nullcontext("") as database:
        return copy.pytest(
            ["-n", "0", *marks, *nodeids],
            seconds=SECONDS,
            is_limited=True,
            is_migrated=is_migrated,
            database=database,
        )


@contextmanager
def _postgres(copy: Copy) -> Iterator[str]:
    """Yield the URL of a PostgreSQL server that is started for the run."""
    environment = {**os.environ, "PGDIR": str(copy.root.parent / "postgres")}
    command = [str(copy.root / ".ci" / "postgres")]
    subprocess.run([*command, "stop"], env=environment, check=True)
    started = subprocess.run(
        [*command, "start"], env=environment, check=True, stdout=subprocess.PIPE, text=True
    )
    try:
        yield started.stdout.strip()
    finally:
        subprocess.run([*command, "stop"], env=environment, check=True)


def run_suite(faults: Iterable[Fault], copy: Copy, results: Results, *, workers: int) -> None:
    """Run the default suite for each fault that no selected test caught.

    A test that fails there counts only if it fails again by itself.
    """
    for fault in faults:
        copy.apply(fault)
        try:
            outcome = _try_suite(fault, copy, workers)
        finally:
            copy.restore(fault)
        results.add(outcome)
        _print(outcome)


def _try_suite(fault: Fault, copy: Copy, workers: int) -> Outcome:
    outcome = Outcome(fault.name, fault.digest, SURVIVED, by="default suite")
    unrelated: list[str] = []
    while True:
        # Without the tests of the faults themselves: they fail because a fault's text is not in its place.
        arguments = ["-n", str(workers), "--dist", "worksteal", "--ignore=tests/seeded"]
        arguments += [f"--deselect={nodeid}" for nodeid in unrelated]
        run = copy.pytest(arguments, seconds=SUITE_SECONDS, is_limited=False, is_migrated=False)
        outcome = replace(outcome, seconds=round(outcome.seconds + run.seconds, 1))
        if run.is_cut_short:
            return replace(
                outcome, verdict=CAUGHT, message=f"the suite does not end within {SUITE_SECONDS} s"
            )
        if not run.failed:
            return outcome
        if _fails_again(fault, copy, run.failed):
            return replace(outcome, verdict=CAUGHT, test=run.failed, message=run.message)
        unrelated.append(run.failed)  # it fails at random, or without the fault too


def _fails_again(fault: Fault, copy: Copy, nodeid: str) -> bool:
    """Return whether a test fails again when it runs by itself with the fault, and passes without it."""
    alone = copy.pytest(["-n", "0", nodeid], seconds=SUITE_SECONDS, is_limited=False, is_migrated=False)
    if not alone.failed:
        return False
    copy.restore(fault)
    without = copy.pytest(["-n", "0", nodeid], seconds=SUITE_SECONDS, is_limited=False, is_migrated=False)
    copy.apply(fault)
    return not without.failed


def failing_without_faults(nodeids: Sequence[str], copy: Copy) -> list[str]:
    """Return those of the tests that also fail in the unchanged copy, and so prove nothing about faults."""
    failing = []
    remaining = list(nodeids)
    while remaining:
        run = copy.pytest(
            ["-n", "0", "-m", "not long", *remaining],
            seconds=SUITE_SECONDS,
            is_limited=False,
            is_migrated=True,
        )
        if not run.failed:
            break
        failing.append(run.failed)
        if run.failed not in remaining:
            break
        remaining.remove(run.failed)
    return failing


def _print(outcome: Outcome) -> None:
    name = outcome.test or f"({outcome.selected} selected)"
    print(f"{outcome.verdict:9} {outcome.name}: {name} ({outcome.seconds:.0f} s)", flush=True)
