"""The bundle for phones and the folder without a server, built for the tests; and a bundle that cannot run."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from django.test import override_settings

from games.management import bundling
from games.management.folder import write_folder
from games.pocket import bundle
from tests.pocket.books import prepared


@contextmanager
def served_from(static: Path) -> Iterator[None]:
    """Offer the bundle among these static files, and none afterwards."""
    with override_settings(STATIC_ROOT=static):
        bundle.forget()
        yield
    bundle.forget()


def written(folder: Path, *, later: bool = False) -> Path:
    """Write the app into this folder: the release of the tree, or one that comes later."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bundling, "migrated", prepared)  # the test database is equally empty
        if later:
            app = bundling.app
            patch.setattr(bundling, "app", lambda: [*app(), ("games/later.txt", b"a later release")])
        write_folder(folder)
    return folder


def an_engine(folder: Path) -> Path:
    """Create a stand-in for the engine's package; it cannot run."""
    folder.mkdir()
    for name in bundling.DRIVER:
        (folder / name).write_text(name)
    (folder / bundling.LOCK).write_text(json.dumps({"info": {"version": "1"}, "packages": {"numpy": {}}}))
    with zipfile.ZipFile(folder / "python_stdlib.zip", "w") as library:
        for name in ("json/__init__.py", "tkinter/__init__.py", "encodings/utf_8.py", "encodings/big5.py"):
            library.writestr(name, "")
    return folder
