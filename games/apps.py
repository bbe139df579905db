"""The Django application with everything except the project's settings."""

from __future__ import annotations

from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Warning, register
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created

from games.common import program, write_queue


class GamesConfig(AppConfig):
    name = "games"

    def ready(self) -> None:
        """Let writers wait for a lock in PostgreSQL as long as in SQLite, whose settings have the limit.

        Also connect the accounts to the members who stop playing.
        """
        connection_created.connect(_set_lock_timeout)
        from games.money.services import fewest_payments  # needs the models, which are loaded by now

        fewest_payments.follow_members()


def _set_lock_timeout(connection: BaseDatabaseWrapper, **_kwargs: Any) -> None:
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(f"SET lock_timeout = '{write_queue.PATIENCE}s'")


@register
def check_folder(**_kwargs: Any) -> list[CheckMessage]:
    """Warn if the serverless folder should be served and is missing."""
    if not settings.SERVE_FOLDER or (settings.FOLDER / "sw.js").exists():
        return []
    text = f"SERVE_FOLDER is on, but {settings.FOLDER} is missing."
    return [Warning(text, hint=f"Write it with: {program.NAME} folder", id="games.W001")]
