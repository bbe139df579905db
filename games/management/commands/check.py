"""`manage.py check`: Django's command; with `--deploy` and `--database` it also checks the installation."""

from __future__ import annotations

from django.core.management.commands.check import Command as Command

from games.management import checks as checks  # registers them
