"""The bundle a phone takes along, where there is one: its files, and whether it is of the app as it is now."""

from __future__ import annotations

import json
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any

from django.conf import settings

INDEX = "index.json"
SOURCES = ("games", "scorekeeper", "static", "templates")
UNREAD = {".po", ".pyc", ".md"}


def folder() -> Path:
    """Where it lies: among the static files, which are made from the same sources, and made again like them."""
    return Path(settings.STATIC_ROOT, "carried")


@cache
def _found() -> dict[str, Any]:
    """What is written of it; nothing where none was built, or of another release."""
    try:
        found: dict[str, Any] = json.loads((folder() / INDEX).read_text(encoding="ascii"))
    except (OSError, ValueError):
        return {}
    return found if found["sources"] == sources() else {}


def index() -> dict[str, dict[str, Any]]:
    """Its files by their names, with their places and sizes; none without a bundle."""
    files: dict[str, dict[str, Any]] = _found().get("files", {})
    return files


def is_there() -> bool:
    """Whether phones can be offered to take the app along."""
    return bool(_found())


def travels() -> int:
    """How many bytes go to a phone that takes it along."""
    return sum(file["travels"] for file in index().values())


def release() -> str:
    """What changes whenever the bundle does, or the styles and scripts of its pages."""
    return sha256(json.dumps(_found()).encode()).hexdigest()[:12]


def forget() -> None:
    """What was read of it is read anew."""
    _found.cache_clear()


def sources() -> str:
    """What changes whenever the app does."""
    summed = sha256(f"Django {version('Django')}".encode())
    for name in SOURCES:
        for path in sorted(Path(settings.BASE_DIR, name).rglob("*")):
            if path.suffix not in UNREAD and path.is_file():
                content = path.read_bytes()
                summed.update(f"\0{path.relative_to(settings.BASE_DIR)}\0{len(content)}\0".encode() + content)
    return summed.hexdigest()
