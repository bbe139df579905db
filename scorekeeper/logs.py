"""What the server writes into its log, without what would let a reader in."""

from __future__ import annotations

import logging
import re

INVITATION = re.compile(r"/i/[^/?#\s\"']+")


class Line(logging.Formatter):
    """A line of the log with its traceback, where an invitation's address has lost its token."""

    def format(self, record: logging.LogRecord) -> str:
        """The line as it is written."""
        return INVITATION.sub("/i/…", super().format(record))
