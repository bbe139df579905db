"""The Django application that holds everything but the project's settings."""

from __future__ import annotations

from django.apps import AppConfig

from games.scoring.plug_ins import load_plug_ins


class GamesConfig(AppConfig):
    name = "games"

    def ready(self) -> None:
        """Offer the games of other packages: forms and the API list all games as they are loaded."""
        load_plug_ins()
