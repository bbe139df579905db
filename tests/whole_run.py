"""The whole run: every `long` test and every service on PostgreSQL, with a record of what passed.

    .venv/bin/python -m tests.whole_run [FILE ...]

runs the long tests of these files; without files, all of them, and then the tests of the database on PostgreSQL.
`data/whole_run.toml` receives a row for each file that passed as a whole, without a skipped test. A row has digests
of contents, not a commit, so a shallow clone or a rebased branch reads it the same:

- `subject`: of the test and the files that `data/long_tests.toml` names for it. `.ci/run` runs the tests whose
  subject has changed since, marked `due`, the quickest first and up to MOST_SECONDS together; `--due` prints them.
- `product`: of everything that a site or a user of the library runs. A release needs it in every row.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from itertools import accumulate
from pathlib import Path
from xml.etree import ElementTree

ROOT = Path(__file__).parents[1]
DATA = ROOT / "tests" / "data"
SUBJECTS_FILE = DATA / "long_tests.toml"
RECORD_FILE = DATA / "whole_run.toml"
POSTGRES = "PostgreSQL"  # the row of the tests of the database
MOST_SECONDS = 120  # that the due tests of `.ci/run` take together, as they took in the record
PRODUCT = (
    *("games/**/*", "scorekeeper/**/*", "static/**/*", "templates/**/*", "engine/**/*", "pyodide/**/*"),
    *(
        "manage.py",
        "Dockerfile",
        "compose*.yaml",
        "docs/Caddyfile",
        "docs/nginx.conf",
        "requirements-site.lock",
    ),
)
GENERATED = {"__pycache__", "build", "dist"}
# The services and the models. The pages are the same on any database, and so are long books and files.
ON_POSTGRES = (
    *("tests/test_models.py", "tests/test_upgrade.py", "tests/test_version.py"),
    *(f"tests/{package}/test_*.py" for package in ("tables", "money", "play", "seasons", "files")),
)
LONG_EVERYWHERE = {"test_walk.py", "test_random_books.py", "test_table_files.py", "test_old_notebook.py"}
LONG_ON_POSTGRES = ("tests/test_killed.py", "tests/test_move_database.py", "-k", "backup or moves")


@dataclass(frozen=True)
class Row:
    """The contents on which the long tests of a file passed, and the seconds that they took together."""

    subject: str
    product: str
    seconds: int


def load_subjects() -> dict[str, list[str]]:
    """Return the patterns of the files that each file with long tests is about."""
    subjects: dict[str, list[str]] = tomllib.loads(SUBJECTS_FILE.read_text(encoding="utf-8"))
    return subjects


def load_record() -> dict[str, Row]:
    rows = tomllib.loads(RECORD_FILE.read_text(encoding="utf-8"))
    return {name: Row(**row) for name, row in rows.items()}


def list_files(patterns: Iterable[str]) -> list[Path]:
    """Return the files in the tree that match one of the patterns, without generated ones."""
    found = {file for pattern in patterns for file in ROOT.glob(pattern) if file.is_file()}
    return sorted(file for file in found if not _is_generated(file.relative_to(ROOT)))


def _is_generated(file: Path) -> bool:
    return any(part in GENERATED or part.endswith(".egg-info") for part in file.parts)


def digest(patterns: Iterable[str]) -> str:
    """Return a digest of the names and contents of the matching files."""
    whole = sha256()
    for file in list_files(patterns):
        whole.update(
            f"{file.relative_to(ROOT).as_posix()} {sha256(file.read_bytes()).hexdigest()}\n".encode()
        )
    return whole.hexdigest()


def subject_digest(name: str, subjects: dict[str, list[str]]) -> str:
    return digest(ON_POSTGRES if name == POSTGRES else [name, *subjects[name]])


def find_changed() -> list[str]:
    """Return the files with long tests whose subject has changed since they passed, the quickest first."""
    subjects, record = load_subjects(), load_record()
    changed = [
        name
        for name in subjects
        if name not in record or record[name].subject != subject_digest(name, subjects)
    ]
    return sorted(changed, key=lambda name: (record[name].seconds if name in record else sys.maxsize, name))


def split_due(changed: list[str]) -> tuple[list[str], list[str]]:
    """Return the files that `.ci/run` runs, and the others, which wait for a whole run.

    A file whose tests never passed waits too, because nobody knows how long they take.
    """
    record = load_record()
    seconds = [record[name].seconds if name in record else MOST_SECONDS + 1 for name in changed]
    count = sum(sum_so_far <= MOST_SECONDS for sum_so_far in accumulate(seconds))
    return changed[:count], changed[count:]


def find_outdated() -> list[str]:
    """Return the rows that a release lacks, because the product has changed since, or because there never was one."""
    record, product = load_record(), digest(PRODUCT)
    names = [*load_subjects(), POSTGRES]
    return [name for name in names if name not in record or record[name].product != product]


# --- the run ----------------------------------------------------------------------------------------------------------


def run_long(names: list[str]) -> dict[str, int]:
    """Run the long tests of these files. Return the seconds of each file that passed."""
    _status, report = run_pytest("-m", "long", *names)
    return dict(read_report(report))


def run_on_postgres() -> dict[str, int]:
    """Run the tests of the database on a PostgreSQL of their own. Return their seconds if none failed."""
    tests = [file for file in list_files(ON_POSTGRES) if file.name not in LONG_EVERYWHERE]
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)  # root runs PostgreSQL as another user
        place = os.environ | {"PGDIR": f"{folder}/postgres"}
        server = str(ROOT / ".ci" / "postgres")
        started = subprocess.run([server, "start"], env=place, check=True, capture_output=True, text=True)
        try:
            address = started.stdout.strip()
            runs = [run_pytest(*map(str, tests), DATABASE_URL=address)]
            runs += [run_pytest("-m", "long", *LONG_ON_POSTGRES, DATABASE_URL=address)]
        finally:
            subprocess.run([server, "stop"], env=place, check=True)
    seconds = sum(float(case.get("time", 0)) for _status, report in runs for case in report.iter("testcase"))
    return {} if any(status for status, _report in runs) else {POSTGRES: round(seconds)}


def run_pytest(*arguments: str, **environment: str) -> tuple[int, ElementTree.Element]:
    """Return the exit status and the JUnit report."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder, "report.xml")
        options = ["-q", "-r", "fEs", "-o", "junit_family=xunit1", f"--junit-xml={report}"]
        ended = subprocess.run(
            [sys.executable, "-m", "pytest", *options, *arguments], cwd=ROOT, env=os.environ | environment
        )
        return ended.returncode, ElementTree.parse(report).getroot()


def read_report(report: ElementTree.Element) -> Iterator[tuple[str, int]]:
    """Yield each file of a JUnit report without a failed, broken or skipped test, with its seconds."""
    seconds: dict[str, float] = defaultdict(float)
    unfinished = set()
    for case in report.iter("testcase"):
        # A file that cannot be imported has a module's name instead.
        file = case.get("file") or case.get("name", "").replace(".", "/") + ".py"
        seconds[file] += float(case.get("time", 0))
        if {"failure", "error", "skipped"} & {part.tag for part in case}:
            unfinished.add(file)
    for file in seconds.keys() - unfinished:
        yield file, round(seconds[file])


def write_record(rows: dict[str, Row]) -> None:
    """Replace these rows."""
    known = [*load_subjects(), POSTGRES]
    lines = [
        "# Written by `python -m tests.whole_run`: on which contents the long tests of each file passed.\n"
    ]
    for name, row in sorted((load_record() | rows).items()):
        if name in known:
            lines += [f'\n["{name}"]\nsubject = "{row.subject}"\nproduct = "{row.product}"\n']
            lines += [f"seconds = {row.seconds}\n"]
    RECORD_FILE.write_text("".join(lines), encoding="utf-8")


def print_due() -> None:
    due, left = split_due(find_changed())
    record = load_record()

    def show(names: list[str]) -> str:
        times = [f"{name} ({record[name].seconds} s)" if name in record else name for name in names]
        return ", ".join(times) or "none"

    print(f"Long tests whose subject has changed since they passed: {show(due)}")
    print(f"Changed too, and left to `python -m tests.whole_run`: {show(left)}")


def main() -> None:
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("files", nargs="*", help="with long tests")
    options.add_argument("--due", action="store_true", help="print what .ci/run would run")
    chosen = options.parse_args()
    if chosen.due:
        print_due()
        return
    subjects = load_subjects()
    if unknown := set(chosen.files) - subjects.keys():
        options.error(f"not in {SUBJECTS_FILE.name}: {', '.join(sorted(unknown))}")
    names = chosen.files or [*subjects, POSTGRES]
    # What is edited during the run has not been tested.
    product, tested = digest(PRODUCT), {name: subject_digest(name, subjects) for name in names}
    passed = run_long([name for name in names if name != POSTGRES])
    if POSTGRES in names:
        passed |= run_on_postgres()
    write_record({name: Row(tested[name], product, passed[name]) for name in names if name in passed})
    missing = [name for name in names if name not in passed]
    print(f"{len(names) - len(missing)} of {len(names)} passed as a whole.")
    for name in missing:
        print(f"Not recorded: {name}")
    raise SystemExit(bool(missing))


if __name__ == "__main__":
    main()
