"""Version 1 of the API answers old calls with the status, codes, fields and values that it had."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from django.conf import settings

from tests.api.kept import _lost


@pytest.mark.slow
def test_recorded_calls_of_version_1_still_get_all_recorded_fields_and_values():
    """The comparison runs in a process of its own, where the ids of rows start from 1."""
    compared = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "tests.api.kept"],
        cwd=settings.BASE_DIR,
        env={name: value for name, value in os.environ.items() if name != "DATABASE_URL"},
        capture_output=True,
        text=True,
        timeout=300,
    )

    assert 0 == compared.returncode, compared.stdout[-3000:] + compared.stderr[-1000:]


@pytest.mark.parametrize(
    ("old", "new", "lost"),
    [
        ({"a": 1}, {"a": 1, "b": 2}, []),
        ({"a": 1}, {"b": 2}, ["answer.a is missing"]),
        ({"a": [1, 2]}, {"a": [1, 3]}, ["answer.a[1] was 2 and is 3"]),
        ({"a": [1]}, {"a": [1, 2]}, ["answer.a was [1] and is [1, 2]"]),
        ({"a": None}, {"a": 0}, ["answer.a was None and is 0"]),
        ({"detail": "Wrong."}, {"detail": "That is wrong."}, []),
        ({"text": None}, {"text": "so"}, ["answer.text was None and is so"]),
    ],
)
def test_only_missing_or_changed_fields_count_as_lost(old, new, lost):
    assert lost == list(_lost(old, new))
