"""The bundle: the files with which a phone runs the app itself. `manage.py pocket` builds it."""

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
# Suffixes of files that the app on a phone does not read.
UNREAD = {".po", ".pyc", ".md"}


def folder() -> Path:
    """Return the bundle's folder, which is inside the folder of the collected static files."""
    return Path(settings.STATIC_ROOT, "carried")


@cache
def _manifest() -> dict[str, Any]:
    """Return the content of the bundle's index file; {} if there is no bundle of the present release."""
    try:
        manifest: dict[str, Any] = json.loads((folder() / INDEX).read_text(encoding="ascii"))
    except (OSError, ValueError):
        return {}
    return manifest if manifest["sources"] == sources() else {}


def index() -> dict[str, dict[str, Any]]:
    """Return the bundle's files by name; {} if there is no bundle.

    Each has its folder and, in bytes, its own size and that of its compressed form.
    """
    files: dict[str, dict[str, Any]] = _manifest().get("files", {})
    return files


def is_there() -> bool:
    """Return whether there is a bundle of the present release, which phones can download."""
    return bool(_manifest())


def travels() -> int:
    """Return the size of the download in bytes: the sum of the compressed sizes of the bundle's files."""
    return sum(file["travels"] for file in index().values())


def release() -> str:
    """Return the release identifier: a digest of the bundle's index file.

    It changes with any source file, because the index file has a digest of all of them.
    """
    return sha256(json.dumps(_manifest()).encode()).hexdigest()[:12]


def forget() -> None:
    """Clear the cached index file."""
    _manifest.cache_clear()


def sources() -> str:
    """Return a digest of the app's sources and of Django's version."""
    digest = sha256(f"Django {version('Django')}".encode())
    for name in SOURCES:
        for path in sorted(Path(settings.BASE_DIR, name).rglob("*")):
            if path.suffix not in UNREAD and path.is_file():
                content = path.read_bytes()
                digest.update(f"\0{path.relative_to(settings.BASE_DIR)}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()
