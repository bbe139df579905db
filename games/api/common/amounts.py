"""Times as they are answered: in the time zone of their table."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

from games.models import Table


def moment_said(at: datetime | None, table: Table) -> str | None:
    """Return a moment as clocks at the table show it, or None."""
    return None if at is None else at.astimezone(ZoneInfo(table.timezone)).isoformat()
