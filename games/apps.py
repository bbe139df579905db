"""The Django application that holds everything but the project's settings."""

from __future__ import annotations

from django.apps import AppConfig

from games.scoring.plug_ins import load_plug_ins


class GamesConfig(AppConfig):
    name = "games"

    def ready(self) -> None:
        """Load the games of plug-in packages now, because forms and the API list all games when imported."""
        load_plug_ins()
