"""Helpers that run management commands."""

from __future__ import annotations

from io import StringIO
from typing import Any

import pytest
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
