"""Moments reported by a phone or a program that sends its entries later."""

from __future__ import annotations

from datetime import datetime

from django.utils.timezone import now

from games.models import Game, Season, Table
from games.nights import night_of, season_on
from games.scoring.errors import RuleError
from games.scoring.words import _


class SeasonClosed(RuleError):
    """Raised for a game that would start or end, at a reported moment, in a season that is closed."""

    def __init__(self, season: Season) -> None:
        super().__init__(
            _(
                "The season {name} was closed meanwhile. Let an owner reopen it, or record "
                "this with today's date.",
                name=season.name,
            ),
            field="at",
        )
        self.season = season


def check_season(table: Table, reported: datetime) -> None:
    """Raise SeasonClosed if the night of a reported moment is over and its season is closed.

    So a closed season stays as everybody saw it. A game of tonight is accepted, even if its season was closed
    tonight.
    """
    night = night_of(reported, table)
    season = season_on(night, table)
    if season.ends_on is not None and night < night_of(now(), table):
        raise SeasonClosed(season)


def clamped(reported: datetime, *, earliest: datetime) -> datetime:
    """Return the reported moment, limited to the time between `earliest` and now."""
    return min(max(reported, earliest), now())


def last_recorded(game: Game) -> datetime:
    """Return the moment at which the last event of a game was recorded."""
    return game.records.order_by("-number").values_list("recorded_at", flat=True)[0]
