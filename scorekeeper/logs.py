"""Log formatters that write one line for each entry, and mask the secret tokens in addresses."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Mapping
from copy import copy
from datetime import UTC, datetime

from scorekeeper.request_ids import request_id

REFUSED = "django.security."
SECRET_LINK = re.compile(r"/(i|in|address)/[^/?#\s\"']+")


class Line(logging.Formatter):
    """A formatter of log lines. Only errors have tracebacks, and secret tokens in addresses are masked.

    `%(id)s` in the format is a blank and the request's id, or "" outside a request.
    """

    def format(self, record: logging.LogRecord) -> str:
        """Return the text of the log line for this record."""
        record = _prepared(record)
        record.id = f" {request_id()}" if request_id() else ""
        return _closed(super().format(record))


class Json(logging.Formatter):
    """A formatter like `Line`, but with one JSON object per line.

    In warnings about slow requests and queries, the field `seconds` has the duration.
    """

    def format(self, record: logging.LogRecord) -> str:
        """Return the text of the log line for this record."""
        record = _prepared(record)
        fields = {
            "at": _time_of(record),
            "level": record.levelname,
            "logger": record.name,
            "request": request_id(),
            "said": _closed(record.getMessage()),
            "seconds": getattr(record, "seconds", None),
            "trace": _closed(self.formatException(record.exc_info)) if record.exc_info else None,
        }
        return _object(fields)


class Access(logging.Formatter):
    """A formatter of the access log: one JSON object per request, with secret tokens masked as in `Line`."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the text of the log line for this record."""
        fields = {
            "at": _time_of(record),
            "request": request_id(),
            **{name: _masked(field) for name, field in vars(record)["access"].items()},
        }
        return _object(fields)


def _prepared(record: logging.LogRecord) -> logging.LogRecord:
    """Return a copy of the record whose message is one line; only errors of the program keep a traceback.

    Django logs a request that it refuses as suspicious as an error with a traceback. Here it becomes a
    warning without one.
    """
    record = copy(record)
    record.msg, record.args = _escaped(record.getMessage()), ()
    if record.name.startswith(REFUSED):
        record.levelno, record.levelname = logging.WARNING, "WARNING"
    if record.levelno < logging.ERROR:
        record.exc_info = record.exc_text = None
    return record


def _escaped(text: str) -> str:
    """Return the text with its unprintable characters escaped.

    Otherwise an address with a line break could forge a line of the log.
    """
    return "".join(
        letter if letter.isprintable() else letter.encode("unicode_escape").decode("ascii") for letter in text
    )


def _closed(text: str) -> str:
    return SECRET_LINK.sub(r"/\1/…", text)


def _masked(field: object) -> object:
    return _closed(_escaped(field)) if isinstance(field, str) else field


def _time_of(record: logging.LogRecord) -> str:
    return datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")


def _object(fields: Mapping[str, object]) -> str:
    """Return the fields as JSON text, without those that are "" or None."""
    return json.dumps(
        {name: field for name, field in fields.items() if field not in ("", None)}, ensure_ascii=False
    )
