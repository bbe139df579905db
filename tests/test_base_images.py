"""The base images of the Dockerfile and of the compose files: one tag each, and the script that pins and renews them."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path
from shutil import copy

import pytest

BASE = Path(__file__).parents[1]
FILES = ("Dockerfile", "compose.yaml", "compose.postgres.yaml")
IMAGES = ("caddy:2", "debian:bookworm-slim", "postgres:15", "valkey/valkey:8")
# A registry in the place of Docker: each image's digest is made of one letter; one image may be unknown.
DOCKER = """#!/bin/sh
[ "$4" != "$UNKNOWN" ] || { echo "ERROR: $4: not found" >&2; exit 1; }
printf 'sha256:%s\\n' "$(printf "%64s" | tr ' ' "$LETTER")"
"""


@pytest.fixture
def pin(tmp_path):
    """`pin("a")` runs the script in a copy, where each image has the digest aaa…; it returns what ended."""
    (tmp_path / ".ci").mkdir()
    (tmp_path / "bin").mkdir()
    copy(BASE / ".ci" / "pin_images", tmp_path / ".ci")
    for name in FILES:
        copy(BASE / name, tmp_path)
    docker = tmp_path / "bin" / "docker"
    docker.write_text(DOCKER)
    docker.chmod(0o755)

    def run(letter: str, unknown: str = "") -> subprocess.CompletedProcess[str]:
        environment = {"PATH": f"{docker.parent}:{os.environ['PATH']}", "LETTER": letter, "UNKNOWN": unknown}
        return subprocess.run(
            [tmp_path / ".ci" / "pin_images"], env=environment, text=True, capture_output=True, check=False
        )

    return run


def test_each_base_image_is_pinned_and_renewed(pin, tmp_path):
    for letter in ("a", "b"):
        ended = pin(letter)
        pinned = [f"{image}@sha256:{letter * 64}" for image in IMAGES]
        texts = "".join((tmp_path / name).read_text(encoding="utf-8") for name in FILES)
        assert (0, "", pinned) == (ended.returncode, ended.stderr, ended.stdout.splitlines())
        assert [1] * len(IMAGES) == [texts.count(image) for image in pinned]
        assert len(IMAGES) == texts.count("@sha256:")


def test_pinning_changes_nothing_else(pin, tmp_path):
    pin("a")
    for name in FILES:
        changed = re.sub("@sha256:a{64}", "", (tmp_path / name).read_text(encoding="utf-8"))
        assert re.sub("@sha256:[0-9a-f]{64}", "", (BASE / name).read_text(encoding="utf-8")) == changed


@pytest.mark.parametrize(("letter", "unknown"), [("a", "caddy:2"), ("?", "")])
def test_without_every_digest_no_file_is_changed(pin, tmp_path, letter, unknown):
    ended = pin(letter, unknown)

    assert (1, True) == (ended.returncode, bool(ended.stderr))
    for name in FILES:
        assert (BASE / name).read_bytes() == (tmp_path / name).read_bytes()
