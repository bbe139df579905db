"""`manage.py spectacular`: writes and validates the API's OpenAPI schema; drf-spectacular's own command."""

from __future__ import annotations

from drf_spectacular.management.commands.spectacular import Command as Command
