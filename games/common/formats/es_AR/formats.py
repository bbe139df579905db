from __future__ import annotations

UNITS = ("$", "U$S")
