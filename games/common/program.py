"""Paths of the program's files and lines for its commands, in a copy of the repository or installed from a wheel."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]  # the folder of `games` and `scorekeeper`
SHIPPED = ROOT / "scorekeeper" / "shipped"  # what package/build_backend.py puts into the wheel
IS_INSTALLED = SHIPPED.is_dir()
NAME = "anotador-site" if IS_INSTALLED else "manage.py"  # of the command, in messages


def path(*parts: str) -> Path:
    """Return the path of a file or folder of the program, such as `path("templates")`."""
    shipped = SHIPPED.joinpath(*parts)
    return shipped if shipped.exists() else ROOT.joinpath(*parts)


def home() -> Path:
    """Return the folder of `.env` and `data` where nothing names another.

    It is the copy of the repository. An installed program may not write its own folder, so it is the current one.
    """
    return Path.cwd() if IS_INSTALLED else ROOT


def command(*arguments: str) -> list[str]:
    """Return the command line that runs a command of this program in another process."""
    return [
        sys.executable,
        *(("-m", "scorekeeper") if IS_INSTALLED else (str(ROOT / "manage.py"),)),
        *arguments,
    ]
