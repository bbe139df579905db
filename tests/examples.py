"""The number of examples a property test tries: a share by default, more in slow runs, all in long runs."""

from __future__ import annotations

from hypothesis import settings


def examples(count: int) -> settings:
    """Return Hypothesis settings for this run's share of `count` examples."""
    share = settings.get_profile("here").max_examples
    return settings(max_examples=count * share // 100, deadline=None)
