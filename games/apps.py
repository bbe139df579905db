"""The Django application that holds everything but the project's settings."""

from __future__ import annotations

from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Warning, register


class GamesConfig(AppConfig):
    name = "games"


@register
def check_folder(**_of: Any) -> list[CheckMessage]:
    """Warn that the folder without a server is to be served and is missing."""
    if not settings.SERVE_FOLDER or (settings.FOLDER / "sw.js").exists():
        return []
    text = f"SERVE_FOLDER is on, but {settings.FOLDER} is missing."
    return [Warning(text, hint="Write it with: python manage.py folder", id="games.W001")]
