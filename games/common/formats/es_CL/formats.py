from __future__ import annotations

MONEY_FORMAT = "¤0"
SHORT_DATE_FORMAT = "d-m-Y"
DAY_FORMAT = "j-n"
