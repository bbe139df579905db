"""A check whether the collected static files are up to date, so that `serve` collects them only if not."""

from __future__ import annotations

import hashlib
import inspect
from importlib.metadata import version
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.contrib.staticfiles.storage import ManifestFilesMixin
from django.core.files.storage import storages

NAME = ".collected-from"
TOOLS = ("Django", "whitenoise", "brotli", "rjsmin")  # their versions affect the collected files
IGNORED = ["CVS", ".*", "*~"]  # the patterns that collectstatic ignores


def is_collected() -> bool:
    """Return whether the collected files are complete and were made from the present sources."""
    noted = _note()
    if not noted.exists() or noted.read_text(encoding="ascii") != fingerprint():
        return False
    storage = storages["staticfiles"]
    if not isinstance(storage, ManifestFilesMixin):
        return True
    return all(Path(settings.STATIC_ROOT, str(name)).exists() for name in storage.hashed_files.values())


def begin_collecting() -> None:
    """Mark the static files as not collected, because collecting may be interrupted."""
    _note().unlink(missing_ok=True)


def note_collected() -> None:
    """Mark the static files as collected from the present sources."""
    _note().parent.mkdir(parents=True, exist_ok=True)
    _note().write_text(fingerprint(), encoding="ascii")


def fingerprint() -> str:
    """Return a digest of the static files' sources, the code that processes them, and the tools' versions."""
    summed = hashlib.sha256("\n".join(f"{name} {version(name)}" for name in TOOLS).encode())
    storage = type(storages["staticfiles"])
    summed.update(storage.__qualname__.encode() + Path(inspect.getfile(storage)).read_bytes())
    for finder in get_finders():
        for name, place in sorted(finder.list(IGNORED), key=lambda listed: listed[0]):
            with place.open(name) as file:
                content = file.read()
            summed.update(f"\0{name}\0{len(content)}\0".encode() + content)
    return summed.hexdigest()


def _note() -> Path:
    return Path(settings.STATIC_ROOT, NAME)
