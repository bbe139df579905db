"""Rate limits: the maximum also holds for simultaneous requests."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any, cast

import pytest
import time_machine
from django.conf import settings
from django.core.cache import cache, caches
from django.core.cache.backends.redis import RedisCache
from django.test import override_settings

from games.common.rate_limits import RateLimit
from tests.reader import fields
from tests.shared_cache import has_redis

FEW = RateLimit("test", most=3)
MANY = RateLimit("test", most=50)
SHARED = "django.core.cache.backends.redis.RedisCache"
BEGINNING = "2026-11-20T21:00Z"


pytestmark = pytest.mark.usefixtures("fresh_cache")


@pytest.fixture
def redis_cache(shared_cache):
    """Use a cache shared by several servers, which counts atomically."""
    shared = {"BACKEND": SHARED, "LOCATION": shared_cache}
    with override_settings(CACHES={**settings.CACHES, "default": shared}):
        yield
        cache.clear()
        client: Any = cast("RedisCache", caches["default"])._cache
        client._get_connection_pool(write=True).disconnect()


def test_the_count_is_reset_with_the_next_window_even_if_the_client_never_stops():
    with time_machine.travel(BEGINNING, tick=False) as clock:
        for _ in range(5):
            FEW.hit("ana")
        clock.shift(timedelta(minutes=14))
        assert (60, False) == (FEW.resets_in, FEW.hit("ana"))
        clock.shift(timedelta(minutes=1))
        assert FEW.hit("ana")


def test_concurrent_tries_are_all_counted(new_window):
    with ThreadPoolExecutor(16) as phones:
        results = list(phones.map(lambda _: MANY.hit("ana"), range(200)))

    assert MANY.most == results.count(True)


def test_a_try_can_be_given_back_and_all_of_a_key_forgotten(new_window):
    assert [True, True, True] == [FEW.hit("ana") for _ in range(3)]
    FEW.refund("ana")
    assert [True, False] == [FEW.hit("ana"), FEW.hit("ana")]
    FEW.forget("ana")

    assert FEW.hit("ana")


def test_a_counter_that_is_forgotten_while_it_counts_raises_no_error(monkeypatch):
    at_hand = {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": "limits"}
    with override_settings(CACHES={**settings.CACHES, "default": at_hand}):
        add = caches["default"].add

        def add_and_forget(counter, value, timeout):
            add(counter, value, timeout)
            FEW.forget("ana")

        monkeypatch.setattr(caches["default"], "add", add_and_forget)
        assert FEW.hit("ana")


@pytest.mark.skipif(not has_redis(), reason="no Redis is installed")
def test_servers_that_share_a_cache_count_together(redis_cache):
    results = [MANY.hit("ana") for _ in range(50)]
    MANY.refund("ana")

    assert (MANY.most, [True, False]) == (results.count(True), [MANY.hit("ana"), MANY.hit("ana")])
    MANY.forget("ana")
    assert MANY.hit("ana")


def test_without_the_shared_cache_pages_still_work_and_sign_in_answers_503(nobody, db):
    gone = {"BACKEND": SHARED, "LOCATION": "redis://127.0.0.1:9/0"}  # no server listens on this port
    nobody.raise_request_exception = False
    with override_settings(CACHES={**settings.CACHES, "default": gone}):
        home = nobody.get("/")
        login_response = nobody.post("/login/", fields(username="ana", password="x"))

    assert (200, 503, "5") == (
        home.status_code,
        login_response.status_code,
        login_response.headers["Retry-After"],
    )
