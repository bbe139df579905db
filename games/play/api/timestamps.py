"""The time of an entry, which a program that was offline may send: it is kept or refused, never changed.

The exception is a time at most a minute ahead, from a clock that is slightly fast: it becomes now.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from django.utils.timezone import localtime, now

from games.common.api.serializers import StrictDateTimeField, StrictSerializer
from games.models import Game
from games.play.services import writer
from games.scoring.errors import RuleError
from games.scoring.i18n import _

PLAYED_AT = "played_at"
MAX_AHEAD = timedelta(minutes=1)


class PlayedAtSerializer(StrictSerializer):
    """A body with the time of its entry, which is now by default."""

    played_at = StrictDateTimeField(
        required=False,
        help_text=(
            "The time with its offset. It is kept, or refused with the reason: more than a minute ahead, or "
            "before the last entry of this game."
        ),
    )


def get_played_at(data: Mapping[str, Any], game: Game) -> datetime | None:
    """Return the time of an entry in a game; None, meaning now, if the body has no time.

    Raise RuleError for a time before the last entry or in the future. Call this while the table is locked.
    """
    if PLAYED_AT not in data:
        return None
    earliest = writer.last_recorded_at(game)
    if data[PLAYED_AT] < earliest:
        moment = localtime(earliest).isoformat()
        raise RuleError(
            _("“played_at” is before the last entry: {earliest}. Nothing was recorded.", earliest=moment),
            field=PLAYED_AT,
        )
    return get_started_at(data)


def get_started_at(data: Mapping[str, Any]) -> datetime | None:
    """Return the time of a new game's start, which may be long past; None, meaning now, if none was sent.

    Raise RuleError for a time in the future.
    """
    if PLAYED_AT not in data:
        return None
    moment: datetime = data[PLAYED_AT]
    current_time = now()
    if moment > current_time + MAX_AHEAD:
        raise RuleError(_("“played_at” is in the future. Nothing was recorded."), field=PLAYED_AT)
    return min(moment, current_time)
