"""Helpers that run management commands, or need Node's packages."""

from __future__ import annotations

import os
import shutil
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import CommandError


def run_command(*args: Any, **options: Any) -> str:
    """Run a command that must succeed and return its output."""
    output = StringIO()
    call_command(*args, stdout=output, **options)
    return output.getvalue()


def command_error(*args: Any, **options: Any) -> str:
    """Run a command that must fail and return its message."""
    with pytest.raises(CommandError) as refusal:
        call_command(*args, **options)
    return str(refusal.value)


def require_node(package: str) -> None:
    """Skip this test without Node or this package of package.json; fail it with REQUIRE_ENGINES=1."""
    if shutil.which("node") and Path(settings.BASE_DIR, "node_modules", package).exists():
        return
    missing = "Node, or what package.json names, is not installed"
    if os.environ.get("REQUIRE_ENGINES") == "1":
        pytest.fail(missing)
    pytest.skip(missing)
