"""`manage.py spectacular`: drf-spectacular's command, which writes and validates the OpenAPI document."""

from __future__ import annotations

from drf_spectacular.management.commands.spectacular import Command as Command
