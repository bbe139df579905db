"""What the server writes into its log, without what would let a reader in."""

from __future__ import annotations

import logging
import re
from copy import copy

from scorekeeper.requests import request_id

INVITATION = re.compile(r"/i/[^/?#\s\"']+")


class Line(logging.Formatter):
    """A line of the log, of an error with its traceback, where an invitation's address has lost its token.

    `id` in its format is that of the request, with a blank before it, where there is one.
    """

    def format(self, record: logging.LogRecord) -> str:
        """The line as it is written."""
        record = copy(record)
        record.id = f" {request_id()}" if request_id() else ""
        if record.levelno < logging.ERROR:  # Django hands over a traceback of every refusal too
            record.exc_info = record.exc_text = None
        return INVITATION.sub("/i/…", super().format(record))
