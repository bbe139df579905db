"""Settings without rate limits, for servers and benchmarks that send more requests than a table does."""

from __future__ import annotations

from tests.settings import *  # noqa: F403

DUMMY_CACHE = {"BACKEND": "django.core.cache.backends.dummy.DummyCache"}
MIDDLEWARE = [name for name in MIDDLEWARE if name != "scorekeeper.floods.FloodMiddleware"]  # noqa: F405
CACHES |= {"throttles": DUMMY_CACHE, "polls": DUMMY_CACHE}  # noqa: F405
