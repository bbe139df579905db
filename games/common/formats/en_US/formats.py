from __future__ import annotations

MONEY_FORMAT = "¤0"
SHORT_DATE_FORMAT = "m/d/Y"
DAY_FORMAT = "n/j"
DATE_FORMAT = "D, M j, Y"
MONTH_DAY_FORMAT = "D, M j"
