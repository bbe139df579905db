"""Management commands as tests run them."""

from __future__ import annotations

from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError


def output_of(*words: Any, **options: Any) -> str:
    """Run a command that must succeed and return its output."""
    output = StringIO()
    call_command(*words, stdout=output, **options)
    return output.getvalue()


def refusal_of(*words: Any, **options: Any) -> str:
    """Run a command that must fail and return its message."""
    with pytest.raises(CommandError) as refusal:
        call_command(*words, **options)
    return str(refusal.value)
