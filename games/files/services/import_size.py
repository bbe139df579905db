"""How many rows are imported at once, so that others need not wait for a table."""

from __future__ import annotations

from games.scoring.errors import RuleError
from games.scoring.i18n import _

MOST_ROWS = 600  # games, payments and expenses


def check(count: int) -> None:
    """Raise RuleError if these are too many rows."""
    if count > MOST_ROWS:
        raise RuleError(_("At most {most} games and payments can be imported at a time.", most=MOST_ROWS))
