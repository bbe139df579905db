from __future__ import annotations

THOUSAND_SEPARATOR = "\u00a0"
MONEY_FORMAT = "¤0"
UNITS = ("₡",)
