"""How often somebody may try: counted where every worker sees it, and every server that shares the cache."""

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
    """So many tries of one kind for each asker, within so many seconds of the last one."""

    kind: str
    most: int
    window: int

    @property
    def minutes(self) -> int:
        """How long one waits."""
        return self.window // 60

    def take(self, who: str) -> bool:
        """Whether this asker had a try left, which is counted now."""
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
        except ValueError:  # its window ended between these two lines
            return self._take_at_once(counter)
        if taken > self.most:
            _one_less(counter)
            return False
        cache.touch(counter, self.window)
        return True

    def give_back(self, who: str) -> None:
        """One more is left: the last was no try."""
        counter = self._counter(who)
        if is_shared():
            _one_less(counter)
            return
        with _alone():
            cache.set(counter, max(0, cache.get(counter, 0) - 1), self.window)

    def forget(self, who: str) -> None:
        """All of them are left again."""
        cache.delete(self._counter(who))

    def _counter(self, who: str) -> str:
        return f"{self.kind}:{sha256(who.encode()).hexdigest()}"


def _one_less(counter: str) -> None:
    with suppress(ValueError):  # forgotten meanwhile
        cache.decr(counter)


def is_shared() -> bool:
    """Whether the cache is one that several servers share, which counts in one step."""
    return not str(settings.CACHES["default"]["BACKEND"]).endswith("FileBasedCache")


@contextmanager
def _alone() -> Iterator[None]:
    """Nobody else counts meanwhile, in this process or another: a cache of files reads and writes in two steps."""
    folder = Path(str(settings.CACHES["default"]["LOCATION"]))
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with (folder / "tries.lock").open("wb") as file:  # closing it lets the next one go on
        locks.lock(file, locks.LOCK_EX)
        yield
