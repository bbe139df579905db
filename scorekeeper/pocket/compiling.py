"""Compilation on the phone, into bytecode, which the engine (Python in the browser) loads much faster.

The bundle, the app as a phone downloads it, has only Python sources.
"""

from __future__ import annotations

import importlib.util
import io
import marshal
import tarfile
import zipfile
from collections.abc import Callable

# The header of a bytecode file. Time stamp and size are zero, because there is no source file to compare.
HEAD = importlib.util.MAGIC_NUMBER + bytes(12)
Heard = Callable[[float], None]  # a function to call with the progress, a number up to 1


def library(stored: str, heard: Heard) -> bytes:
    """Return a zip file with the compiled modules of the standard library.

    `stored` is the path of a zip file with the library's sources. `heard` is called with the progress,
    from 0 to 1.
    """
    whole = io.BytesIO()
    with zipfile.ZipFile(stored) as sources, zipfile.ZipFile(whole, "w") as made:
        entries = sources.infolist()
        for number, entry in enumerate(entries, 1):
            name, content = _compiled(entry.filename, sources.read(entry))
            made.writestr(zipfile.ZipInfo(name), content)
            heard(number / len(entries))
    return whole.getvalue()


def app(stored: str, heard: Heard) -> bytes:
    """Return a tar file with the app's files, the modules compiled.

    `stored` is the path of a tar file with the app's sources. `heard` is called with the progress,
    from 0 to 1.
    """
    whole = io.BytesIO()
    with (
        tarfile.open(stored) as sources,
        tarfile.open(fileobj=whole, mode="w", format=tarfile.USTAR_FORMAT) as made,
    ):
        entries = sources.getmembers()
        for number, entry in enumerate(entries, 1):
            file = sources.extractfile(entry)
            name, content = _compiled(entry.name, file.read() if file else b"")
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
