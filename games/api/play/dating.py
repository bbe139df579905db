"""The time of an entry, which a program may send in one of two fields.

A time in `at` that is outside the allowed range is moved into it. A time in `played_at` is exact: it is kept
or refused, but never moved. A request with both fields is refused. `sent` always stands for the fields of the
request body.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

from django.db import transaction
from django.utils.timezone import now

from games.api.common.amounts import moment_said
from games.api.common.problems import Problem
from games.api.common.serializers import Parts
from games.api.common.writing import moment_sent
from games.locks import hold, lock
from games.models import Game, Table
from games.play.moments import last_recorded
from games.scoring.errors import RuleError
from games.scoring.words import _

EXACT = "played_at"


def happened(sent: Parts, game: Game, *, key: str) -> datetime | None:
    """Return the time of an entry in a game; None, meaning now, if the request has no time.

    A time in `at` before the last entry becomes the earliest allowed time; a future time becomes now. A time
    in `played_at` is returned as it is, or RuleError says why it cannot be kept. `key` is the request's idempotency key, which shows whether the request is a repeated one.
    """
    _check_one(sent)
    if EXACT in sent:
        table = hold(game)
        is_repeated = game.records.filter(key=key).exists()
        return _exact(sent, table, earliest=last_recorded(game), is_repeated=is_repeated)
    if "at" not in sent:
        return None
    return moment_sent(sent, earliest=last_recorded(game))


def began(sent: Parts, table: Table, *, key: str) -> datetime | None:
    """Return the time at which a new game began; None, meaning now, if the request has no time.

    The rules are those of `happened`, but with the creation of the table in place of the last entry.
    """
    _check_one(sent)
    if EXACT in sent:
        table = lock(table)
        is_repeated = table.games.filter(key=key).exists()
        return _exact(sent, table, earliest=table.created_at, is_repeated=is_repeated)
    if "at" not in sent:
        return None
    return moment_sent(sent, earliest=table.created_at)


@contextmanager
def timed(sent: Parts) -> Iterator[None]:
    """Run the `with` block in a transaction if the request has an exact time (`played_at`).

    The block checks the time and records the entry; without the transaction, another entry could be recorded
    in between.
    """
    if EXACT not in sent:
        yield
        return
    with transaction.atomic():
        yield


def _check_one(sent: Parts) -> None:
    if EXACT in sent and "at" in sent:
        raise Problem("misshapen", _("Send either “at” or “played_at”."), field=EXACT)


def _exact(sent: Parts, table: Table, *, earliest: datetime, is_repeated: bool) -> datetime:
    """Return the time in `played_at`.

    Raise RuleError for a time in the future or before `earliest`. A repeated request is not refused, because
    it records nothing. The caller has locked the table.
    """
    exact: datetime = sent[EXACT]
    if is_repeated:
        return exact
    if exact > now():
        raise RuleError(_("“played_at” is in the future. Nothing was recorded."), field=EXACT)
    if exact < earliest:
        raise RuleError(
            _(
                "“played_at” is before the last entry, or before the table was opened: {earliest}. "
                "Nothing was recorded.",
                earliest=str(moment_said(earliest, table)),
            ),
            field=EXACT,
        )
    return exact
