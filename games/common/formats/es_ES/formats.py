from __future__ import annotations

MONEY_FORMAT = "0\u00a0¤"
UNITS = ("€",)
