"""Settings without rate limits, for servers and benchmarks that send more requests than a table does."""

from __future__ import annotations

from tests.settings import *  # noqa: F403
from tests.settings import CACHES, MIDDLEWARE

DUMMY_CACHE = {"BACKEND": "django.core.cache.backends.dummy.DummyCache"}
MIDDLEWARE = [name for name in MIDDLEWARE if name != "scorekeeper.floods.FloodMiddleware"]
CACHES |= {"throttles": DUMMY_CACHE, "polls": DUMMY_CACHE}
