"""The built scripts and styles, and the static files as a server serves them."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
from pathlib import Path

import brotli
import pytest
from django.conf import settings

from tests.commands import require_node

BASE = Path(settings.BASE_DIR)
STATIC = BASE / "static"
SOURCES = {".js": BASE / "scripts", ".css": BASE / "styles"}
BUILT = sorted(path for path in STATIC.rglob("*") if path.suffix in SOURCES)


def digest(kind: str) -> str:
    """Return what `build.mjs` writes on the first line: a digest of the sources and of how they are built."""
    version = json.loads((BASE / "package.json").read_text())["devDependencies"]["esbuild"]
    names = sorted(path.relative_to(BASE).as_posix() for path in SOURCES[kind].rglob(f"*{kind}"))
    summed = hashlib.sha256(version.encode())
    for name in (*names, "build.mjs"):
        summed.update(b"\0" + name.encode() + b"\0" + (BASE / name).read_bytes())
    return summed.hexdigest()


def test_what_is_served_was_built_from_the_present_sources():
    """After a change, `npm run build` does that."""
    assert len(BUILT) > 15
    first_lines = {path.name: path.read_text(encoding="utf-8").splitlines()[0] for path in BUILT}
    assert {path.name: f"/* {digest(path.suffix)} */" for path in BUILT} == first_lines


@pytest.mark.slow
def test_another_build_gives_the_same_files(tmp_path):
    require_node("esbuild")
    for name in ("scripts", "styles"):
        shutil.copytree(BASE / name, tmp_path / name)
    shutil.copy(BASE / "build.mjs", tmp_path)
    (tmp_path / "node_modules").symlink_to(BASE / "node_modules")
    subprocess.run(["node", "build.mjs"], cwd=tmp_path, check=True)
    again = {
        path.relative_to(tmp_path / "static"): path.read_bytes()
        for path in (tmp_path / "static").rglob("*.*")
    }
    assert {path.relative_to(STATIC): path.read_bytes() for path in BUILT} == again


@pytest.mark.slow
def test_every_file_is_served_as_it_was_built_under_the_name_of_its_content(prepared_site):
    for built in BUILT:
        content = built.read_bytes()
        named = f"{built.stem}.{hashlib.md5(content).hexdigest()[:12]}{built.suffix}"
        served = prepared_site / "static" / built.relative_to(STATIC).with_name(named)
        assert content == served.read_bytes()
        if len(content) > 1000:
            assert content == brotli.decompress(served.with_name(f"{named}.br").read_bytes())


def test_a_built_file_names_no_other_and_no_map_of_its_sources():
    """Their names change with their content."""
    for built in BUILT:
        text = built.read_text(encoding="utf-8")
        found = re.findall(r"""url\("?(?!data:|"data:)[^)]+|@import|sourceMappingURL|^import\b.*""", text)
        assert (built.name, []) == (built.name, found)
