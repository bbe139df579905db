"""Rate limits like django-ratelimit's and django-axes', but atomic in a cache of files, and with refunds.

Each `RateLimit` counts in a cache, so processes and servers that share the cache share the count. Limits of
requests are here, those of an action beside the action. Requests are limited far above the needs of a table,
but low enough that one client cannot occupy a processor: a phone that polls every second sends 60 a minute,
and one that was offline sends up to 200 entries at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from threading import Lock
from time import time
from typing import Final

from django.conf import settings
from django.contrib.auth.models import AnonymousUser, User
from django.core.cache import caches
from django.core.cache.backends.base import BaseCache
from django.core.cache.backends.filebased import FileBasedCache
from django.core.files import locks

from games.common import network

MINUTE: Final = 60
QUARTER: Final = 15 * MINUTE


@dataclass(frozen=True)
class RateLimit:
    """At most `most` attempts of one kind by a client in a window of `window` seconds.

    The windows follow the clock, so a count is reset even if the client never stops. `store` is the name of
    the cache that counts. A `client` is a key, such as an address or a user's id.
    """

    kind: str
    most: int
    window: int = QUARTER
    store: str = "default"

    @property
    def minutes(self) -> int:
        return self.window // MINUTE

    @property
    def resets_in(self) -> int:
        """Seconds until the next window."""
        return self.window - int(time()) % self.window

    def hit(self, client: str) -> bool:
        """Count an attempt of this client. Return whether it is within the limit."""
        return self._count(client, 1) <= self.most

    def refund(self, client: str) -> None:
        """Uncount the last attempt of this client."""
        self._count(client, -1)

    def forget(self, client: str) -> None:
        caches[self.store].delete(self._counter(client))

    def _counter(self, client: str) -> str:
        return f"{self.kind}:{sha256(client.encode()).hexdigest()}:{int(time()) // self.window}"

    def _count(self, client: str, step: int) -> int:
        """Add `step` to the count of this client, and return the count."""
        store, counter = caches[self.store], self._counter(client)
        if isinstance(store, FileBasedCache):
            with _exclusive_lock():
                count = int(store.get(counter, 0)) + step
                store.set(counter, count, self.window)
                return count
        return _increment(store, counter, step, self.window)


def _increment(store: BaseCache, counter: str, step: int, window: int) -> int:
    """Add to a counter in a cache that increments atomically, and return the count."""
    store.add(counter, 0, window)
    try:
        return int(store.incr(counter, step))
    except ValueError:  # the cache dropped the counter between these two calls
        return step


class FloodCounter:
    """The requests and bytes of each client in this minute, counted only in the memory of this process.

    It comes before all other limits, since they would count a request only once it has been parsed. Only
    floods reach it: two hundred phones at one address do not.
    """

    most_requests = 12_000  # a minute
    most_bytes = 200_000_000
    most_clients = 100_000  # further clients are not counted, so that nobody can fill the memory

    def __init__(self) -> None:
        self._lock = Lock()
        self._minute = 0
        self._counts: dict[str, tuple[int, int]] = {}

    @property
    def resets_in(self) -> int:
        """Seconds until the next minute."""
        return MINUTE - int(time()) % MINUTE

    def hit(self, client: str, size: int) -> bool:
        """Count a request of `size` bytes. Return whether the client is within both limits."""
        minute = int(time()) // MINUTE
        with self._lock:
            if minute != self._minute:
                self._minute, self._counts = minute, {}
            requests, received = self._counts.get(client, (0, 0))
            if requests or len(self._counts) < self.most_clients:
                self._counts[client] = requests + 1, received + size
        return requests < self.most_requests and received + size <= self.most_bytes


FLOODS = FloodCounter()


@contextmanager
def _exclusive_lock() -> Iterator[None]:
    """Hold a lock across processes, because a file cache cannot increment a counter atomically."""
    folder = Path(str(settings.CACHES["default"]["LOCATION"]))
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with (folder / "limits.lock").open("wb") as file:  # closing the file releases the lock
        locks.lock(file, locks.LOCK_EX)
        yield


def _request_limit(kind: str, most: int) -> RateLimit:
    """Return a limit of requests per minute, counted in a cache that never writes to disk."""
    return RateLimit(kind, most, MINUTE, store="throttles")


PAGES = _request_limit("pages", 1200)  # pages and parts of pages read, by user
FORMS = _request_limit("forms", 300)  # forms sent, by user; an import is one form
ANONYMOUS_PAGES = _request_limit("pages-here", 1200)  # pages read by anonymous clients, by address
# Forms sent by anonymous clients, by address. They are fewer, because checking a password is slow.
ANONYMOUS_FORMS = _request_limit("forms-here", 120)
# Polls answered by a ticket, by session, in the memory of each process: asking a shared cache would take
# longer than the poll itself.
POLLS = RateLimit("polls", 1200, MINUTE, store="polls")
# Requests for URLs that lead nowhere, by address, counted in the same memory.
NOT_FOUND = RateLimit("nowhere", 240, MINUTE, store="polls")
API_USER = _request_limit("user", 240)
API_ADDRESS = _request_limit("address", 240)  # of anonymous clients
# All users at one address together, as many as for pages: a home may have several programs.
API_USERS = _request_limit("users-of-address", 1200)
API_COUNTING = _request_limit("counting", 60)  # scoring games and hands; a request may take a second


def page_limit(user: User | AnonymousUser, address: str, *, is_reading: bool) -> tuple[RateLimit, str]:
    """Return the rate limit for a request, and the client's key under that limit.

    The key is made from the user's id or, for an anonymous user, from `address`, the client's IP address, so
    an anonymous client never uses up a user's allowance. `is_reading` is True for a page, False for a form.
    """
    if user.is_authenticated:
        return PAGES if is_reading else FORMS, str(user.pk)
    return ANONYMOUS_PAGES if is_reading else ANONYMOUS_FORMS, network.client_key(address)
