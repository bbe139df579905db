"""The desk as a Django application, with its own templates, styles and translations."""

from __future__ import annotations

from django.apps import AppConfig


class DeskConfig(AppConfig):
    """The configuration of the operators' desk."""

    name = "games.desk"
    label = "desk"
