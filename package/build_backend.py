"""The build backend of the site: setuptools, and a wheel that also has what a site reads: templates, the guide of
the API, and the static files, collected and compressed. It builds in a copy, so that nothing here is changed.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path
from shutil import copy, copytree, ignore_patterns
from typing import Any

from setuptools import build_meta
from setuptools.build_meta import *  # noqa: F403  # the other hooks

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = ("games", "scorekeeper", "templates", "static")
FILES = ("pyproject.toml", "README.md", "LICENSE", "manage.py")


def get_requires_for_build_wheel(config_settings: Any = None) -> list[str]:
    """Return what builds a wheel; the site itself collects the static files."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return [*build_meta.get_requires_for_build_wheel(config_settings), *project["dependencies"]]


def build_wheel(wheel_directory: str, config_settings: Any = None, metadata_directory: Any = None) -> str:
    target, here = Path(wheel_directory).absolute(), Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        copied = Path(folder, "site")
        for name in FOLDERS:
            copytree(ROOT / name, copied / name, ignore=ignore_patterns("__pycache__", "shipped"))
        for name in FILES:
            copy(ROOT / name, copied)
        _ship(copied, Path(folder, "data"))
        os.chdir(copied)
        try:
            return str(build_meta.build_wheel(str(target), config_settings, metadata_directory))
        finally:
            os.chdir(here)


def _ship(copied: Path, data: Path) -> None:
    """Put the files that a site reads into its package, in this copy of the repository."""
    collected = copied / "staticfiles"
    environment = {**os.environ, "ANOTADOR_ENV": "", "DATA_DIR": str(data), "STATIC_ROOT": str(collected)}
    environment.pop("DATABASE_URL", None)
    command = [sys.executable, "manage.py", "collectstatic", "--no-input", "--verbosity", "0"]
    subprocess.run(command, cwd=copied, env=environment, check=True)
    shipped = copied / "scorekeeper" / "shipped"
    (shipped / "docs").mkdir(parents=True)
    copy(ROOT / "docs" / "api.md", shipped / "docs")
    for name in ("templates", "static", "staticfiles"):
        (copied / name).rename(shipped / name)
    if commit := _find_commit():
        (shipped / "commit").write_text(commit, encoding="ascii")


def _find_commit() -> str:
    """Return the commit that is built; "" if it is unknown."""
    if "COMMIT" in os.environ:
        return os.environ["COMMIT"]
    sys.path.insert(0, str(ROOT))
    try:
        from scorekeeper.version import read_commit
    finally:
        sys.path.remove(str(ROOT))
    return read_commit(ROOT)
