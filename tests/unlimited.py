"""The settings of servers and benchmarks that send more than a table does: requests have no rate limits."""

from __future__ import annotations

from scorekeeper.settings import *  # noqa: F403

NOTHING_COUNTED = {"BACKEND": "django.core.cache.backends.dummy.DummyCache"}
MIDDLEWARE = [name for name in MIDDLEWARE if name != "scorekeeper.floods.FloodMiddleware"]  # noqa: F405
CACHES |= {"throttles": NOTHING_COUNTED, "polls": NOTHING_COUNTED}  # noqa: F405
