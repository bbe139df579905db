"""The time of an entry, which a program may send in one of two fields.

A time in `at` that is outside the allowed range is moved into it. A time in `played_at` is exact: it is kept or
refused. A clock that is up to a minute ahead is the server's own.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from django.utils.timezone import localtime, now
from rest_framework import serializers

from games.api.common.serializers import Moment, StrictSerializer
from games.locks import hold, lock
from games.models import Game, Table
from games.play.moments import clamped, last_recorded
from games.scoring.errors import RuleError
from games.scoring.words import _
from games.shown.common.sentences import translate

EXACT = "played_at"
AHEAD = timedelta(minutes=1)


class DatedSerializer(StrictSerializer):
    """A body with the time of its entry, `at` or `played_at`; without them it is now."""

    at = Moment(
        required=False,
        help_text=(
            "The time with its offset. A time before the opening of the table, before the last entry of this "
            "game, or after now, is moved into this range; `last_at` of the answer says which time was kept."
        ),
    )
    played_at = Moment(
        required=False,
        help_text=(
            "The exact time with its offset, instead of `at`. It is kept as it is, or refused with the reason: "
            "more than a minute ahead, before the table was opened, before the last entry of this game."
        ),
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Return the parts; refuse both times at once."""
        if EXACT in attrs and "at" in attrs:
            raise serializers.ValidationError({EXACT: [translate(_("Send either “at” or “played_at”."))]})
        return attrs


def happened(sent: Mapping[str, Any], game: Game, *, key: str) -> datetime | None:
    """Return the time of an entry in a game; None, meaning now, if the body has no time.

    Raise RuleError for an exact time that cannot be kept. `key` is the request's idempotency key, which shows
    whether the request is a repeated one. With an exact time, the caller has begun a transaction.
    """
    if EXACT in sent:
        hold(game)
        is_repeated = game.records.filter(key=key).exists()
        return _exact(sent[EXACT], earliest=last_recorded(game), is_repeated=is_repeated)
    return clamped(sent["at"], earliest=last_recorded(game)) if "at" in sent else None


def began(sent: Mapping[str, Any], table: Table, *, key: str) -> datetime | None:
    """Return the time at which a new game began; None, meaning now, if the body has no time.

    The rules are those of `happened`, but with the creation of the table in place of the last entry.
    """
    if EXACT in sent:
        is_repeated = lock(table).games.filter(key=key).exists()
        return _exact(sent[EXACT], earliest=table.created_at, is_repeated=is_repeated)
    return clamped(sent["at"], earliest=table.created_at) if "at" in sent else None


def _exact(exact: datetime, *, earliest: datetime, is_repeated: bool) -> datetime:
    """Return the exact time. Raise RuleError for one in the future or before `earliest`.

    A repeated request is not refused, because it records nothing. The caller has locked the table.
    """
    if is_repeated:
        return exact
    present = now()
    if exact > present + AHEAD:
        raise RuleError(_("“played_at” is in the future. Nothing was recorded."), field=EXACT)
    if exact < earliest:
        raise RuleError(
            _(
                "“played_at” is before the last entry, or before the table was opened: {earliest}. "
                "Nothing was recorded.",
                earliest=localtime(earliest).isoformat(),
            ),
            field=EXACT,
        )
    return min(exact, present)
