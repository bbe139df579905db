"""The version of the running program and, where it is known, the commit that it was made from."""

from __future__ import annotations

import os
import re
from functools import cache
from pathlib import Path

from games.common import program
from games.scoring import __version__

COMMIT_LENGTH = 8  # characters of a commit


@cache
def release() -> str:
    """Return the program's name and version, as in "Anotador 1.1.0 (9efe5597)"; without an unknown commit."""
    commit = os.environ.get("COMMIT", "").strip() or program_commit()
    return (
        f"Anotador {__version__} ({commit[:COMMIT_LENGTH]})"
        if is_commit(commit)
        else f"Anotador {__version__}"
    )


def program_commit() -> str:
    """Return the commit that the wheel was built from, or that is checked out here; "" if it is unknown."""
    shipped = program.path("commit")
    return shipped.read_text(encoding="ascii") if shipped.exists() else read_commit(program.ROOT)


def is_commit(written: str) -> bool:
    return bool(re.fullmatch(r"[0-9a-f]{7,64}", written))


def read_commit(folder: Path) -> str:
    """Return the commit checked out in the folder, read without running git; "" if it is unknown."""
    try:
        git = folder / ".git"
        if git.is_file():  # a linked work tree has a file that says where its part of the repository is
            git = folder / git.read_text(encoding="utf-8").removeprefix("gitdir:").strip()
        head = (git / "HEAD").read_text(encoding="utf-8").strip()
        if not head.startswith("ref: "):
            return head
        shared = git / "commondir"
        shared = git / shared.read_text(encoding="utf-8").strip() if shared.exists() else git
        branch = head.removeprefix("ref: ")
        if (shared / branch).exists():
            return (shared / branch).read_text(encoding="utf-8").strip()
        packed = (shared / "packed-refs").read_text(encoding="utf-8")
        return next((line.split()[0] for line in packed.splitlines() if line.endswith(f" {branch}")), "")
    except (OSError, UnicodeError):
        return ""
