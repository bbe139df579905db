"""Rate limits, counted in the cache: all workers and servers that share the cache see the same count."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from django.conf import settings
from django.core.cache import cache
from django.core.files import locks


@dataclass(frozen=True)
class Tries:
    """A rate limit: at most `most` tries of one kind per client.

    The count of a client is reset `window` seconds after the client's last try.
    """

    kind: str
    most: int
    window: int

    @property
    def minutes(self) -> int:
        """The time in minutes until the count of a client is reset."""
        return self.window // 60

    def take(self, who: str) -> bool:
        """Count a try of this client. Return False if the client has exceeded the limit, else True."""
        counter = self._counter(who)
        if is_shared():
            return self._take_at_once(counter)
        with _alone():
            taken = cache.get(counter, 0)
            if taken >= self.most:
                return False
            cache.set(counter, taken + 1, self.window)
            return True

    def _take_at_once(self, counter: str) -> bool:
        cache.add(counter, 0, self.window)
        try:
            taken = cache.incr(counter)
        except ValueError:  # the counter expired between these two calls
            return self._take_at_once(counter)
        if taken > self.most:
            _one_less(counter)
            return False
        cache.touch(counter, self.window)
        return True

    def give_back(self, who: str) -> None:
        """Uncount the last try of this client."""
        counter = self._counter(who)
        if is_shared():
            _one_less(counter)
            return
        with _alone():
            cache.set(counter, max(0, cache.get(counter, 0) - 1), self.window)

    def forget(self, who: str) -> None:
        """Reset the count of this client."""
        cache.delete(self._counter(who))

    def _counter(self, who: str) -> str:
        return f"{self.kind}:{sha256(who.encode()).hexdigest()}"


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
