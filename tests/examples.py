"""How much is tried: of a law's examples all with the slow tests and fewer by default, of great numbers a tenth."""

from __future__ import annotations

import pytest
from hypothesis import settings

# `share` is what a number is divided by: a tenth in the slow run, everything by name.
in_a_tenth_and_in_all = pytest.mark.parametrize(
    "share",
    [
        pytest.param(10, marks=pytest.mark.slow, id="a tenth"),
        pytest.param(1, marks=pytest.mark.long, id="all"),
    ],
)


def examples(count: int) -> settings:
    """Settings for so many examples, or the share of them that this run tries."""
    share = settings.get_profile("here").max_examples
    return settings(max_examples=count * share // 100, deadline=None)
