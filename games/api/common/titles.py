"""The title of a game, stored as one text: the key of its variant, and the table's own name for it."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from games.api.common.serializers import Answer
from games.scoring.variants import split_title


class TitleSaid(Answer):
    """The title of a game: its variant and its name at the table."""

    variant = serializers.CharField(
        help_text="The key of the variant; `notebook` for an old night whose notebook names none."
    )
    called = serializers.CharField(help_text='The name that the table gave to the game; "" without one.')

    def title(self, row: Any) -> str:
        """Return the title as the row stores it: the key of the variant and the table's name for the game."""
        return str(row.variant)

    def tell_variant(self, row: Any) -> str:
        """Return the key of the variant."""
        return split_title(self.title(row))[0]

    def tell_called(self, row: Any) -> str:
        """Return the name that the table gave to the game; an empty string if it has none."""
        return split_title(self.title(row))[1]
