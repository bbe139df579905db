"""How much is tried: of a law's examples all with the slow tests and fewer by default, of great numbers a twentieth."""

from __future__ import annotations

import pytest
from hypothesis import settings

# `share` is what a number is divided by: a twentieth in the slow run, everything by name.
in_a_twentieth_and_in_all = pytest.mark.parametrize(
    "share",
    [
        pytest.param(20, marks=pytest.mark.slow, id="a twentieth"),
        pytest.param(1, marks=pytest.mark.long, id="all"),
    ],
)


def examples(count: int) -> settings:
    """Settings for so many examples, or the share of them that this run tries."""
    share = settings.get_profile("here").max_examples
    return settings(max_examples=count * share // 100, deadline=None)
