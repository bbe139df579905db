"""Compiling on the phone, once: what the bundle brings as sources, as the engine's own Python reads it fastest."""

from __future__ import annotations

import importlib.util
import io
import marshal
import tarfile
import zipfile
from collections.abc import Callable

HEAD = importlib.util.MAGIC_NUMBER + bytes(12)  # nobody asks whether the source has changed: it is not there
Heard = Callable[[float], None]  # told how far it is


def library(stored: str, heard: Heard) -> bytes:
    """The standard library in this file, compiled."""
    whole = io.BytesIO()
    with zipfile.ZipFile(stored) as sources, zipfile.ZipFile(whole, "w") as made:
        entries = sources.infolist()
        for number, entry in enumerate(entries, 1):
            name, content = _compiled(entry.filename, sources.read(entry))
            made.writestr(zipfile.ZipInfo(name), content)
            heard(number / len(entries))
    return whole.getvalue()


def app(stored: str, heard: Heard) -> bytes:
    """The files of the app in this file, its modules compiled."""
    whole = io.BytesIO()
    with (
        tarfile.open(stored) as sources,
        tarfile.open(fileobj=whole, mode="w", format=tarfile.USTAR_FORMAT) as made,
    ):
        entries = sources.getmembers()
        for number, entry in enumerate(entries, 1):
            found = sources.extractfile(entry)
            name, content = _compiled(entry.name, found.read() if found else b"")
            written = tarfile.TarInfo(name)
            written.size = len(content)
            made.addfile(written, io.BytesIO(content))
            heard(number / len(entries))
    return whole.getvalue()


def _compiled(name: str, content: bytes) -> tuple[str, bytes]:
    if not name.endswith(".py"):
        return name, content
    code = compile(content, name, "exec", dont_inherit=True)
    return f"{name}c", HEAD + marshal.dumps(code)
