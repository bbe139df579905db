"""The scripts and styles need no newer browser than README says."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from django.conf import settings

from tests.commands import require_node

BASE = Path(settings.BASE_DIR)
FLOOR = Path(__file__).parent / "floor.mjs"


@pytest.mark.slow
def test_scripts_and_styles_use_nothing_newer_than_the_oldest_supported_browser():
    require_node("acorn")
    checked = subprocess.run(["node", FLOOR], cwd=BASE, capture_output=True, text=True, check=True)
    assert [] == checked.stdout.splitlines()
