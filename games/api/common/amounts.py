"""The text form of times in API answers: ISO 8601 in the time zone of the table."""

from __future__ import annotations

from datetime import datetime

from games.models import Table
from games.nights import local


def moment_said(at: datetime | None, table: Table) -> str | None:
    """Return the time in the time zone of the table as ISO 8601 text; None stays None."""
    return None if at is None else local(at, table).isoformat()
