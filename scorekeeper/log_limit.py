"""One entry of the log a minute for each exception of a route, so that a lasting fault does not fill the disk."""

from __future__ import annotations

import logging
from dataclasses import dataclass, field
from threading import Lock

from scorekeeper.logs import find_request, message, request_id, route

MINUTE = 60  # seconds
MOST_KINDS = 1000  # kinds that a process counts; beyond them it forgets the oldest
MOST_NAMED = 50  # requests whose ids are written
SERVER_ERROR = 500


@dataclass
class Repeats:
    """The entries of one kind that were left out since the first one."""

    since: float
    count: int = 0
    ids: list[str] = field(default_factory=list)

    def is_over(self, moment: float) -> bool:
        return not 0 <= moment - self.since < MINUTE  # a clock may be put back

    def add(self, number: str) -> None:
        self.count += 1
        if number and len(self.ids) < MOST_NAMED:
            self.ids.append(number)


class ExceptionLimit(logging.Filter):
    """A filter that passes one entry a minute of each kind: an exception, or a status from 500, at a route.

    The next entry of any kind after that minute has an entry before it (`LogRecord.before`) that says how
    many were left out, with the ids that their error pages show.
    """

    def __init__(self) -> None:
        super().__init__()
        self._lock = Lock()
        self._repeats: dict[str, Repeats] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether the record is written. Count it otherwise."""
        kind = _kind(record)
        with self._lock:
            repeats = self._repeats.get(kind)
            if repeats is not None and not repeats.is_over(record.created):
                repeats.add(request_id())
                return False
            record.before = self._pop_over(record.created)
            if kind:
                self._repeats[kind] = Repeats(record.created)
        return True

    def _pop_over(self, moment: float) -> list[logging.LogRecord]:
        """Forget the kinds whose minute is over, or the oldest of too many. Return an entry for what they left out."""
        over = [kind for kind, repeats in self._repeats.items() if repeats.is_over(moment)]
        if not over and len(self._repeats) >= MOST_KINDS:
            over = [next(iter(self._repeats))]
        popped = [(kind, self._repeats.pop(kind)) for kind in over]
        return [_summary(kind, repeats, moment) for kind, repeats in popped if repeats.count]


def _kind(record: logging.LogRecord) -> str:
    """Return what is limited to one entry a minute; "" for an entry that is not."""
    raised = record.exc_info[0] if record.exc_info else None
    if raised is None and getattr(record, "status_code", 0) < SERVER_ERROR:
        return ""
    name = f"{raised.__module__}.{raised.__qualname__}" if raised else "an answer without an exception"
    request = find_request(record)
    return f"{name}: {route(request) if request else message(record)}"


def _summary(kind: str, repeats: Repeats, moment: float) -> logging.LogRecord:
    ids = [*repeats.ids, *["…"] * (repeats.count > len(repeats.ids))]
    text = f"Left out within a minute: {repeats.count} more of {kind} ({', '.join(ids)})"
    return logging.makeLogRecord(
        {
            "name": __name__,
            "levelno": logging.WARNING,
            "levelname": "WARNING",
            "msg": text,
            "created": moment,
            "id": "",
        }
    )
