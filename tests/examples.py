"""The number of examples a property test tries: a share by default, more in slow runs, all in long runs."""

from __future__ import annotations

import pytest
from hypothesis import settings

# `share` divides the full number: a twentieth in slow runs, everything in long runs.
in_a_twentieth_and_in_all = pytest.mark.parametrize(
    "share",
    [
        pytest.param(20, marks=pytest.mark.slow, id="a twentieth"),
        pytest.param(1, marks=pytest.mark.long, id="all"),
    ],
)


def examples(count: int) -> settings:
    """Return Hypothesis settings for this many examples, or for the share of them that this run tries."""
    share = settings.get_profile("here").max_examples
    return settings(max_examples=count * share // 100, deadline=None)
