"""The question before a game is started that the same people have already started."""

from __future__ import annotations

from django.utils.timezone import now
from django.utils.translation import gettext as _

from games.common.days import clock, moment_in_words, night_of
from games.models import Game, Table


def question_in_words(begun: Game, table: Table) -> str:
    """Return the question whether to start another game beside `begun`, in which no round is recorded.

    It has the time at which that game started, and the day unless that was tonight.
    """
    is_tonight = begun.night_number == night_of(now(), table).toordinal()
    when = (clock if is_tonight else moment_in_words)(begun.started_at, table)
    return _("You already have a game, started at %(when)s. Start another one?") % {"when": when}
