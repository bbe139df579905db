from __future__ import annotations

DECIMAL_SEPARATOR = "."
THOUSAND_SEPARATOR = ","
MONEY_FORMAT = "¤\u00a00"
UNITS = ("$",)
SHORT_DATE_FORMAT = "d/m/Y"
DAY_FORMAT = "j/n"
DATE_FORMAT = "D j M Y"
MONTH_DAY_FORMAT = "D j M"
