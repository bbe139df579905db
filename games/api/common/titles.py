"""What was played, as JSON: the key of the game, and the name its table gave it."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from games.scoring.variants import split_title


class TitleSaid(serializers.Serializer[Any]):
    """Which game it was."""

    variant = serializers.CharField(help_text="The key of the game.")
    called = serializers.CharField(help_text='The name the table gave it; "" for none.')


def title_said(title: str) -> dict[str, str]:
    """The two parts of a title, by name."""
    key, name = split_title(title)
    return {"variant": key, "called": name}
