"""What the server writes into its log, without what would let a reader in."""

from __future__ import annotations

import json
import logging
import re
from copy import copy
from datetime import UTC, datetime

from scorekeeper.requests import request_id

INVITATION = re.compile(r"/i/[^/?#\s\"']+")


class Line(logging.Formatter):
    """A line of the log, of an error with its traceback, where an invitation's address has lost its token.

    `id` in its format is that of the request, with a blank before it, where there is one.
    """

    def format(self, record: logging.LogRecord) -> str:
        """The line as it is written."""
        record = _without_traces(record)
        record.id = f" {request_id()}" if request_id() else ""
        return _closed(super().format(record))


class Json(logging.Formatter):
    """The same as an object on a line, for programs that read logs; seconds where something took long."""

    def format(self, record: logging.LogRecord) -> str:
        """The line as it is written."""
        record = _without_traces(record)
        said = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "request": request_id(),
            "said": _closed(record.getMessage()),
            "seconds": getattr(record, "seconds", None),
            "trace": _closed(self.formatException(record.exc_info)) if record.exc_info else None,
        }
        return json.dumps(
            {name: one for name, one in said.items() if one not in ("", None)}, ensure_ascii=False
        )


def _without_traces(record: logging.LogRecord) -> logging.LogRecord:
    """A copy; without the traceback of a refusal, of which Django hands one over too."""
    record = copy(record)
    if record.levelno < logging.ERROR:
        record.exc_info = record.exc_text = None
    return record


def _closed(text: str) -> str:
    return INVITATION.sub("/i/…", text)
