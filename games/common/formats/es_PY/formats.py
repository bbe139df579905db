from __future__ import annotations

UNITS = ("Gs.", "U$S")
