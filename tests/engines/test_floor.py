"""The scripts and styles need no newer browser than README says."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from django.conf import settings

BASE = Path(settings.BASE_DIR)
FLOOR = Path(__file__).parent / "floor.mjs"


@pytest.mark.slow
def test_scripts_and_styles_use_nothing_newer_than_the_oldest_supported_browser():
    if not shutil.which("node") or not (BASE / "node_modules" / "acorn").exists():
        if os.environ.get("REQUIRE_ENGINES") == "1":
            pytest.fail("Node, or what package.json names, is not installed")
        pytest.skip("Node, or what package.json names, is not installed")
    checked = subprocess.run(["node", FLOOR], cwd=BASE, capture_output=True, text=True, check=True)
    assert [] == checked.stdout.splitlines()
