"""The title of a game: the key of its variant, and for some games the name that the table gave to it.

The title is stored as one text, e.g. "loba_menos" or, with a name after a colon, "points:Truco".
"""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from games.api.common.serializers import Answer
from games.scoring.variants import split_title


class TitleSaid(Answer):
    """The base class of answers with the title of a game as two fields: the variant's key, and the name."""

    variant = serializers.CharField(
        help_text="The key of the variant; `notebook` for an old night whose notebook names none."
    )
    called = serializers.CharField(help_text='The name that the table gave to the game; "" without one.')

    def title(self, row: Any) -> str:
        """Return the stored title of the game, e.g. "points:Truco": the attribute `variant` of the row."""
        return str(row.variant)

    def tell_variant(self, row: Any) -> str:
        """Return the key of the variant, e.g. "points"."""
        return split_title(self.title(row))[0]

    def tell_called(self, row: Any) -> str:
        """Return the name that the table gave to the game, e.g. "Truco"; an empty string if it has none."""
        return split_title(self.title(row))[1]
