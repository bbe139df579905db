"""The clients that exceeded a rate limit, for an operator to see and to release.

The list is in the cache, and a client stays on it for as long as the limit counts them; `manage.py clean`
then deletes the cache's file. Only this list has addresses in plain text. Limits of requests are not listed,
because they are reset within a minute.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256

from django.core.cache import cache
from django.utils.timezone import now

LISTED = "throttled"  # the cache key of the list
MOST = 100  # listed clients; beyond it the oldest is dropped


@dataclass(frozen=True)
class Throttled:
    """A client that exceeded the rate limit `kind`, and when the count is reset at the latest.

    `who` is an address, a user name, or both, as the limit counts them.
    """

    kind: str
    who: str
    until: datetime

    @property
    def mark(self) -> str:
        """An opaque identifier of this client and limit, for a URL or a form."""
        return sha256(f"{self.kind} {self.who}".encode()).hexdigest()[:20]


def counter_of(kind: str, who: str) -> str:
    """Return the cache key under which a rate limit counts this client."""
    return f"{kind}:{sha256(who.encode()).hexdigest()}"


def note_throttled(kind: str, who: str, window: int) -> None:
    """List a client that exceeded a rate limit, for `window` seconds.

    `kind` and `who` are those of Throttled. A client that is listed already costs no write.
    """
    listed = throttled()
    if any((row.kind, row.who) == (kind, who) for row in listed):
        return
    row = Throttled(kind, who, now() + timedelta(seconds=window))
    _store([row, *listed][:MOST])


def throttled() -> Sequence[Throttled]:
    """Return the clients that exceed a rate limit now, the latest first."""
    at = now()
    return [row for row in cache.get(LISTED) or () if row.until > at]


def release(row: Throttled) -> None:
    """Reset the count of this client."""
    cache.delete(counter_of(row.kind, row.who))
    _store([other for other in throttled() if other != row])


def sweep() -> None:
    """Remove the clients that are no longer counted from the stored list.

    Otherwise they would stay in it until another client is listed.
    """
    rows = throttled()
    if rows:
        _store(rows)
    else:
        cache.delete(LISTED)


def _store(rows: Sequence[Throttled]) -> None:
    """Store the list for as long as any of its clients is counted."""
    lasts = max((row.until for row in rows), default=now()) - now()
    cache.set(LISTED, list(rows), lasts.total_seconds())
