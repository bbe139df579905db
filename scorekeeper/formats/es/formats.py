"""Figures as in `es_AR`: whoever shares a table reads the same ones, in Mexico too, where a comma parts the thousands."""

from __future__ import annotations

THOUSAND_SEPARATOR = "."
