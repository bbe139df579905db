"""`requirements.lock` and `requirements-site.lock` match `pyproject.toml`; CONTRIBUTING.md has the commands."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

BASE = Path(__file__).parents[1]
LOCK = (BASE / "requirements.lock").read_text(encoding="utf-8")
PROJECT = tomllib.loads((BASE / "pyproject.toml").read_text(encoding="utf-8"))
SITE = (BASE / "requirements-site.lock").read_text(encoding="utf-8")
LEFT_OUT = {"bench"}  # peers in benchmarks, needed neither to run nor to check the site


def all_requirements() -> list[str]:
    """Return every requirement of the package, its extras and its build."""
    extras = PROJECT["project"]["optional-dependencies"]
    others = [line for name, lines in extras.items() if name not in LEFT_OUT for line in lines]
    return [*PROJECT["build-system"]["requires"], *PROJECT["project"]["dependencies"], *others]


def parse_lock(lock: str = LOCK) -> dict[str, str]:
    """Return each locked package with its version and hashes."""
    lines = [line for line in lock.replace(" \\\n", "").splitlines() if line and line[0] != "#"]
    return dict(line.split("==", 1) for line in lines)


def test_the_lock_has_an_admitted_version_of_everything_that_is_needed():
    versions = {name: pinned.split()[0] for name, pinned in parse_lock().items()}
    requirements = [Requirement(line) for line in all_requirements()]

    assert [] == [
        str(required)
        for required in requirements
        if not required.specifier.contains(versions.get(canonicalize_name(required.name), "0"))
    ]


def test_the_site_is_locked_to_what_is_tested_and_to_nothing_else():
    extras = PROJECT["project"]["optional-dependencies"]
    requirements = [
        *PROJECT["project"]["dependencies"],
        *extras["metrics"],
        *extras["postgres"],
        *extras["redis"],
    ]
    packages = {name: pinned.split()[0] for name, pinned in parse_lock(SITE).items()}

    assert [] == [line for line in requirements if canonicalize_name(Requirement(line).name) not in packages]
    assert packages == {name: pinned.split()[0] for name, pinned in parse_lock().items() if name in packages}
    assert not {"mypy", "pytest", "playwright"} & packages.keys()


def test_the_locks_name_no_package_index_and_no_local_folder():
    """With one, they could be installed only where they were made."""
    assert [] == re.findall(r"https?:|file:/|--(?:extra-)?index-url|--find-links|--trusted-host", LOCK + SITE)
