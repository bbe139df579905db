"""Releases live in `tests/data/released.toml`: what landed never changes, and a version identifies itself."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, replace
from itertools import zip_longest
from pathlib import Path
from typing import Any

import pytest

from games import migrations
from games.scoring import __version__
from tests import whole_run
from tests.releases import DATA, SUFFIXES, file_checksum, load_releases, migration_checksums

CHANGES = Path(__file__).parents[1] / "CHANGELOG.md"
DEV = ".dev0"


@dataclass(frozen=True)
class State:
    """The releases as recorded in the tree."""

    version: str
    changes: str
    landed: dict[str, str]  # the lines of [next]
    rows: dict[str, dict[str, Any]]
    migrations: dict[str, str]  # the checksums of those in the tree
    files: dict[str, str]  # the checksums of the stored files
    outdated: list[str]  # the rows of the whole run that are older than the product

    @property
    def base(self) -> str:
        return self.version.removesuffix(DEV)

    @property
    def is_between(self) -> bool:
        return self.version.endswith(DEV)


def read_tree() -> State:
    landed, rows = load_releases()
    files = {file.name: file_checksum(file) for file in DATA.glob("*.xz")}
    return State(
        __version__,
        CHANGES.read_text(encoding="utf-8"),
        landed,
        rows,
        migration_checksums(),
        files,
        whole_run.find_outdated(),
    )


def breaches(state: State) -> list[str]:
    """Return a sentence for each rule of releases that the tree breaks."""
    return [*migration_breaches(state), *row_breaches(state), *version_breaches(state)]


def migration_breaches(state: State) -> list[str]:
    wrong = [f"{name} has no line in [next]" for name in state.migrations.keys() - state.landed.keys()]
    wrong += [
        f"{name} is not as it landed"
        for name, sha in state.landed.items()
        if state.migrations.get(name) != sha
    ]
    return sorted(wrong)


def row_breaches(state: State) -> list[str]:
    wrong = []
    for version, row in state.rows.items():
        wrong += [
            f"{version}.{end}.xz is not as it was stored"
            for end in SUFFIXES
            if state.files.get(f"{version}.{end}.xz") != row.get(end)
        ]
        wrong += [
            f"{version} has {name} otherwise than [next]"
            for name, sha in row.get("migrations", {}).items()
            if state.landed.get(name) != sha
        ]
    *older, newest = state.rows
    wrong += [f"{version} has no commit" for version in older if not state.rows[version].get("commit")]
    if state.is_between and not state.rows[newest].get("commit"):
        wrong.append(f"{newest} has no commit, and the version is {state.version} already")
    return wrong


def version_breaches(state: State) -> list[str]:
    newest, row = list(state.rows.items())[-1]
    wrong: list[str] = []
    if not state.is_between:
        if state.version not in state.rows:
            return [f"{state.version} has no row, so the version must end in {DEV}"]
        if state.version != newest or row.get("commit"):
            wrong = [f"{state.version} is released: the next change begins another version, with {DEV}"]
        elif row["migrations"] != state.landed:
            wrong = [f"{state.version} has other migrations than [next]"]
        elif state.outdated:
            wrong = [f"{state.version} has changed since the whole run of {', '.join(state.outdated)}"]
    expected = [f"{state.base} (not released)"] * state.is_between + release_headings(state)
    headings = re.findall(r"^## (.*)$", state.changes, re.MULTILINE)
    wrong += [
        f"CHANGELOG has {heading}, not {right}"
        for heading, right in zip_longest(headings, expected)
        if heading != right
    ]
    before = [version for version in state.rows if version != state.version]
    if before and parse_version(state.base) < (least := lowest_version(state, before[-1])):
        wrong.append(f"{state.base} must be {'.'.join(map(str, least))} or higher")
    return wrong


def release_headings(state: State) -> list[str]:
    """Return the headings of the releases, newest first: the version, its day, and the commit that a host
    checks out.

    The heading of a release in progress has no commit yet.
    """
    headings: dict[str, str] = {}
    for name, row in state.rows.items():
        version = name.partition("-")[0]
        headings[version] = " · ".join([version, str(row["date"]), *filter(None, [row.get("commit")])])
    return list(headings.values())[::-1]


def lowest_version(state: State, before: str) -> tuple[int, int, int]:
    """Return the lowest version allowed after `before`. A migration or a changed score makes it a minor one."""
    major, minor, patch = parse_version(before)
    section = state.changes.partition("\n## ")[2].partition("\n## ")[0]
    is_minor = (
        state.rows[before].get("migrations") != state.landed
        or re.search(r"^(### |\*)Scores change", section, re.MULTILINE) is not None
    )
    return (major, minor + 1, 0) if is_minor else (major, minor, patch + 1)


def parse_version(version: str) -> tuple[int, int, int]:
    major, minor, patch = map(int, version.partition("-")[0].split("."))
    return major, minor, patch


def test_the_tree_keeps_the_rules_of_releases():
    assert [] == breaches(read_tree())


@pytest.fixture
def just_released() -> State:
    """The tree as in a commit that releases 1.1.0 after 1.0.0, without a change of any score."""
    state = read_tree()
    earlier = {version: row for version, row in state.rows.items() if version.startswith("1.0.0")}
    row = {"date": "2026-12-01", "sql": "a", "json": "b", "migrations": state.landed}
    return replace(
        state,
        version="1.1.0",
        changes="# Changelog\n\n## 1.1.0 · 2026-12-01\n\n- Better.\n\n## 1.0.0 · 2026-11-27 · 9efe5597\n",
        rows={**earlier, "1.1.0": row},
        files={**state.files, "1.1.0.sql.xz": "a", "1.1.0.json.xz": "b"},
        outdated=[],
    )


def begin_version(state: State, version: str, changes: str = "- Better.") -> State:
    """Return the state after the commit that fills in the release's commit and starts `version`."""
    rows = {**state.rows, "1.1.0": {**state.rows["1.1.0"], "commit": "0123abcd"}}
    heading = f"\n## {version.removesuffix(DEV)} (not released)\n\n{changes}\n"
    released = state.changes[12:].replace("1.1.0 · 2026-12-01", "1.1.0 · 2026-12-01 · 0123abcd")
    return replace(state, version=version, rows=rows, changes=f"# Changelog\n{heading}{released}")


def test_a_release_and_the_version_begun_after_it_keep_the_rules(just_released):
    assert [] == breaches(just_released)
    assert [] == breaches(begin_version(just_released, "1.1.1.dev0"))
    assert [] == breaches(replace(begin_version(just_released, "1.1.1.dev0"), outdated=["PostgreSQL"]))


def test_each_breach_is_named(just_released, subtests):
    landed = just_released.landed
    third = {**landed, "0004_more": "c"}
    after = begin_version(just_released, "1.1.1.dev0")
    unfinished = replace(after, rows=just_released.rows, changes=after.changes.replace(" · 0123abcd", ""))
    without_first = {**just_released.rows, "1.0.0-a": {**just_released.rows["1.0.0-a"], "commit": ""}}
    for sentence, state in {
        "0001_one_way_in is not as it landed": replace(
            after, migrations={**landed, "0001_one_way_in": "edited"}
        ),
        "0002_token_reads_only is not as it landed": replace(
            after, migrations={name: sha for name, sha in landed.items() if name != "0002_token_reads_only"}
        ),
        "0004_more has no line in [next]": replace(after, migrations=third),
        "1.1.1 must be 1.2.0 or higher": replace(after, migrations=third, landed=third),
        "1.1.0.sql.xz is not as it was stored": replace(after, files={**after.files, "1.1.0.sql.xz": "c"}),
        "1.2.0 has no row, so the version must end in .dev0": replace(after, version="1.2.0"),
        "1.1.0 is released: the next change begins another version, with .dev0": replace(
            after, version="1.1.0", changes=after.changes.partition("(not released)")[2]
        ),
        "CHANGELOG has 1.1.0 · 2026-12-01, not 1.1.0 · 2026-12-01 · 0123abcd": replace(
            after, changes=after.changes.replace(" · 0123abcd", "")
        ),
        "CHANGELOG has None, not 1.0.0 · 2026-11-27 · 9efe5597": replace(
            after, changes=after.changes.replace("## 1.0.0", "1.0.0")
        ),
        "1.1.0 has no commit, and the version is 1.1.1.dev0 already": unfinished,
        "1.0.0-a has no commit": replace(just_released, rows=without_first),
        "1.1.0 has changed since the whole run of tests/test_image.py, PostgreSQL": replace(
            just_released, outdated=["tests/test_image.py", "PostgreSQL"]
        ),
    }.items():
        with subtests.test(sentence):
            assert [sentence] == breaches(state)
    assert ["1.1.1 must be 1.2.0 or higher"] == breaches(
        begin_version(just_released, "1.1.1.dev0", "*Scores change*\n\n- More points.")
    )


def test_the_version_is_written_once():
    root = Path(__file__).parents[1]
    sources = [root / "manage.py", *root.glob("games/**/*.py"), *root.glob("scorekeeper/**/*.py")]
    assert ["games/scoring/__init__.py"] == [
        str(file.relative_to(root)) for file in sources if f'"{__version__}"' in file.read_text("utf-8")
    ]


def test_a_migration_imports_nothing_of_the_project_but_what_is_frozen_beside_it():
    imported = {}
    for file in Path(migrations.__path__[0]).glob("[!_]*.py"):
        nodes = list(ast.walk(ast.parse(file.read_text(encoding="utf-8"))))
        names = [
            f"{node.module}.{name.name}"
            for node in nodes
            if isinstance(node, ast.ImportFrom)
            for name in node.names
        ]
        names += [name.name for node in nodes if isinstance(node, ast.Import) for name in node.names]
        imported[file.stem] = {name for name in names if name.startswith(("games", "scorekeeper", "tests"))}

    assert {"games.migrations._frozen"} == set().union(*imported.values())
