"""Rate limits: of guesses, of costly acts, and of all requests for pages and the API (`traffic.py`).

Each is a `RateLimit`, counted in a cache: all workers and servers that share the cache see the same count.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from time import time

from django.conf import settings
from django.core.cache import cache, caches
from django.core.files import locks


@dataclass(frozen=True)
class RateLimit(ABC):
    """A rate limit: at most `most` tries of one kind per client in a window of `window` seconds.

    In its methods, `who` is the key under which a client is counted, e.g. an IP address or a user's id.
    """

    kind: str
    most: int
    window: int

    @property
    def minutes(self) -> int:
        """The window in minutes."""
        return self.window // 60

    @property
    @abstractmethod
    def resets_in(self) -> int:
        """The time in seconds until the count of a client is reset, at the latest."""

    def take(self, who: str) -> bool:
        """Count a try of this client. Return False if the client has exceeded the limit, else True."""
        taken = self._taken(who)
        counts = _counts.get()
        if counts is not None:
            counts.append(Count(self, max(0, self.most - taken), self.resets_in, taken > self.most))
        return taken <= self.most

    @abstractmethod
    def _taken(self, who: str) -> int:
        """Count a try. Return the number of tries in this window, this one included.

        A number above `most` means that the try is refused.
        """


@dataclass(frozen=True)
class Count:
    """The state of a rate limit after a try of a client: the tries left until it is reset."""

    limit: RateLimit
    left: int
    resets_in: int
    is_refused: bool


_counts: ContextVar[list[Count] | None] = ContextVar("counts", default=None)


@contextmanager
def noted_counts() -> Iterator[list[Count]]:
    """Yield a list to which each try in the `with` block, refused or not, appends its Count."""
    counts: list[Count] = []
    before = _counts.set(counts)
    try:
        yield counts
    finally:
        _counts.reset(before)


@dataclass(frozen=True)
class Requests(RateLimit):
    """A rate limit of requests, which may come without a pause.

    The windows follow the clock, so that the count is reset even if requests never stop. `store` is the name
    of the cache that counts them, which never writes to a disk.
    """

    store: str = "throttles"

    @property
    def resets_in(self) -> int:
        """The time in seconds until the next window."""
        return self.window - int(time()) % self.window

    def _taken(self, who: str) -> int:
        counts, counter = caches[self.store], f"{counter_of(self.kind, who)}:{int(time()) // self.window}"
        try:
            return int(counts.incr(counter))
        except ValueError:  # no counter yet: the first request, or one of several at the same time
            return 1 if counts.add(counter, 1, self.window) else int(counts.incr(counter))


@dataclass(frozen=True)
class Tries(RateLimit):
    """A rate limit of guesses and other rare acts.

    The count of a client is reset `window` seconds after the client's last try. A refused try does not count.
    """

    @property
    def resets_in(self) -> int:
        """The window in seconds: the count is reset by then, or sooner if the last try was some time ago."""
        return self.window

    def _taken(self, who: str) -> int:
        counter = counter_of(self.kind, who)
        return self._taken_at_once(counter) if is_shared() else self._taken_alone(counter)

    def _taken_alone(self, counter: str) -> int:
        with _alone():
            taken = int(cache.get(counter, 0)) + 1
            if taken <= self.most:
                cache.set(counter, taken, self.window)
            return taken

    def _taken_at_once(self, counter: str) -> int:
        cache.add(counter, 0, self.window)
        try:
            taken = int(cache.incr(counter))
        except ValueError:  # the counter expired between these two calls
            return self._taken_at_once(counter)
        if taken > self.most:
            _one_less(counter)
        else:
            cache.touch(counter, self.window)
        return taken

    def give_back(self, who: str) -> None:
        """Uncount the last try of this client."""
        counter = counter_of(self.kind, who)
        if is_shared():
            _one_less(counter)
            return
        with _alone():
            cache.set(counter, max(0, cache.get(counter, 0) - 1), self.window)

    def forget(self, who: str) -> None:
        """Reset the count of this client."""
        cache.delete(counter_of(self.kind, who))


def counter_of(kind: str, who: str) -> str:
    """Return the cache key under which a rate limit counts this client."""
    return f"{kind}:{sha256(who.encode()).hexdigest()}"


def _one_less(counter: str) -> None:
    with suppress(ValueError):  # the counter was reset meanwhile
        cache.decr(counter)


def is_shared() -> bool:
    """Return whether several servers can share the cache. Such a cache increments its counters atomically."""
    return not str(settings.CACHES["default"]["BACKEND"]).endswith("FileBasedCache")


@contextmanager
def _alone() -> Iterator[None]:
    """Hold a lock across processes, because a file cache cannot increment a counter atomically."""
    folder = Path(str(settings.CACHES["default"]["LOCATION"]))
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with (folder / "tries.lock").open("wb") as file:  # closing the file releases the lock
        locks.lock(file, locks.LOCK_EX)
        yield
