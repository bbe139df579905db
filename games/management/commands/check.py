"""`manage.py check`: Django's command; with `--database` or `--deploy` it checks the installation too."""

from __future__ import annotations

from typing import Any

from django.core.management.commands.check import Command as CheckCommand

from games.management import checks as checks  # registers them


class Command(CheckCommand):
    def handle(self, *app_labels: Any, **options: Any) -> None:
        """Check the installation too if a database is named."""
        super().handle(*app_labels, **{**options, "deploy": options["deploy"] or bool(options["databases"])})
