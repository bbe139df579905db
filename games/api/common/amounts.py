"""Money and times as they are answered: whole numbers of the smallest coin, and moments with their zone."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

from games.models import Table


def money_said(table: Table) -> dict[str, object]:
    """What the amounts of this table are of, and how many of their digits are decimals."""
    return {"unit": table.unit, "decimals": table.decimals}


def moment_said(at: datetime | None, table: Table) -> str | None:
    """The moment as clocks at the table show it, None where there was none yet."""
    return None if at is None else at.astimezone(ZoneInfo(table.timezone)).isoformat()
