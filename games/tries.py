"""How often somebody may try: counted where every worker sees it, forgotten after a while."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256

from django.core.cache import cache


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

    def are_spent(self, who: str) -> bool:
        """Whether this asker has none left."""
        return bool(cache.get(self._counter(who), 0) >= self.most)

    def count(self, who: str) -> None:
        """One more."""
        counter = self._counter(who)
        cache.set(counter, cache.get(counter, 0) + 1, self.window)

    def forget(self, who: str) -> None:
        """All of them are left again."""
        cache.delete(self._counter(who))

    def _counter(self, who: str) -> str:
        return f"{self.kind}:{sha256(who.encode()).hexdigest()}"
