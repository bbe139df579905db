"""What the server writes into its log, without what would let a reader in."""

from __future__ import annotations

import logging
import re
from copy import copy

INVITATION = re.compile(r"/i/[^/?#\s\"']+")


class Line(logging.Formatter):
    """A line of the log, of an error with its traceback, where an invitation's address has lost its token."""

    def format(self, record: logging.LogRecord) -> str:
        """The line as it is written."""
        if record.levelno < logging.ERROR:  # Django hands over a traceback of every refusal too
            record = copy(record)
            record.exc_info = record.exc_text = None
        return INVITATION.sub("/i/…", super().format(record))
