"""The moment of something that a phone or a program reports later: between what came before it and now."""

from __future__ import annotations

from datetime import datetime

from django.utils.timezone import now

from games.models import Game


def clamped(reported: datetime, *, earliest: datetime) -> datetime:
    """Return the reported moment, but never one before `earliest` or after now."""
    return min(max(reported, earliest), now())


def last_recorded(game: Game) -> datetime:
    """Return when the last event of a game was recorded."""
    return game.records.order_by("-number").values_list("recorded_at", flat=True)[0]
