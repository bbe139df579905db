"""The names of users in answers."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from games.tables.pages.people import known_as


class UserNameField(serializers.CharField):
    """A field of answers for the name by which the table knows a user; empty for a guest without a name."""

    def __init__(self, **options: Any) -> None:
        super().__init__(read_only=True, **options)

    def to_representation(self, value: Any) -> str:
        """Return the name."""
        return known_as(value, self.context["people"])
