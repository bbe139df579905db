"""How many examples a law is tried on: all of them with the slow tests, fewer by default."""

from __future__ import annotations

from hypothesis import settings


def examples(count: int) -> settings:
    """Settings for so many examples, or the share of them that this run tries."""
    share = settings.get_profile("here").max_examples
    return settings(max_examples=count * share // 100, deadline=None)
