"""The log formatter: one line for each entry, with the secret tokens of addresses masked."""

from __future__ import annotations

import logging
import re
from copy import copy

from scorekeeper.request_ids import request_id

REFUSED = "django.security."
# The token of a link has 32 of these characters. An address is often mangled (broken by a line, with a blank,
# with capitals), so half of one counts wherever it stands. `%` is for an address that was encoded twice.
TOKEN = re.compile(r"(?=[\w%-]*[A-Z0-9])[\w%-]{16,}", re.ASCII)


class Line(logging.Formatter):
    """A formatter of log lines. Only errors have tracebacks, and secret tokens in addresses are masked.

    `%(id)s` in the format is a blank and the request's id, or "" outside a request.
    """

    def format(self, record: logging.LogRecord) -> str:
        """Return the text of the log line for this record."""
        record = _prepared(record)
        record.id = f" {request_id()}" if request_id() else ""
        return "\n".join(map(_masked, super().format(record).split("\n")))


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


def _masked(line: str) -> str:
    """Return the line with everything masked that could be a token and stands behind its first slash."""
    before, slash, address = line.partition("/")
    return f"{before}{slash}{TOKEN.sub('…', address)}"
