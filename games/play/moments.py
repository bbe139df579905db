"""Moments reported by a phone or a program that sends its entries later."""

from __future__ import annotations

from datetime import datetime

from django.utils.timezone import now

from games.models import Game


def clamped(reported: datetime, *, earliest: datetime) -> datetime:
    """Return the reported moment, limited to the time between `earliest` and now."""
    return min(max(reported, earliest), now())


def last_recorded(game: Game) -> datetime:
    """Return the moment at which the last event of a game was recorded."""
    return game.records.order_by("-number").values_list("recorded_at", flat=True)[0]
