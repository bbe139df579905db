"""Packages with card games, installed for a test: their metadata in a folder of the path."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import invalidate_caches
from pathlib import Path

from games.scoring.plug_ins import GROUP, Unusable, load_plug_ins
from games.scoring.variants import VARIANTS

SEVENTH = "tests.seventh_game:SEVENTH_GAME"


def add_package(
    folder: Path, name: str = "seventh-package", *, key: str = "seventh_game", at: str = SEVENTH
) -> None:
    """Put the metadata of a package into the folder: it has the game with this key at this place."""
    metadata = folder / f"{name.replace('-', '_')}-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(f"[{GROUP}]\n{key} = {at}\n")


@contextmanager
def packages_of(folder: Path) -> Iterator[tuple[Unusable, ...]]:
    """Load the games of the packages in this folder inside the `with` block, as a new process does."""
    known, path = dict(VARIANTS), list(sys.path)
    sys.path.insert(0, str(folder))
    invalidate_caches()
    load_plug_ins.cache_clear()
    try:
        yield load_plug_ins()
    finally:
        sys.path[:] = path
        VARIANTS.clear()
        VARIANTS.update(known)
        invalidate_caches()
        load_plug_ins.cache_clear()
