"""The desk as an application of Django's, with templates, styles and a catalogue of its own."""

from __future__ import annotations

from django.apps import AppConfig


class DeskConfig(AppConfig):
    """The configuration of the operators' desk."""

    name = "games.desk"
    label = "desk"
