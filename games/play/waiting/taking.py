"""Recording the entries that waited on a phone, in order, each with the rights that its user has now.

An entry is recorded once: a repeated one is recognized by its key, and one that another phone recorded too by
its content. If an entry is refused, later entries of its game wait; others are recorded. A round or an answer
is never recorded after events that its phone had not seen.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import Http404

from games.common.faults import is_database_fault
from games.common.fields import Unreadable
from games.common.locks import KeyReused, StaleGame, hold
from games.money.balances import StaleAccounts
from games.money.payments import MoreThanOwed
from games.play.moments import clamped, last_recorded
from games.play.waiting.entries import (
    OF_GAMES,
    TICK,
    Entry,
    FormRefused,
    Readers,
    prepare_entry,
    record_entry,
    record_payment,
    record_tick,
)
from games.scoring.errors import ScoringError
from games.tables.access import Visitor, accounts_for, game_for

MOST_ENTRIES = 200  # entries in one request; a phone sends further ones in the next request
DONE, REFUSED, WAITS = "done", "refused", "waits"
# The exceptions for which an entry stays on its phone until a person decides about it.
REFUSALS = (
    *(ScoringError, Unreadable, StaleGame, StaleAccounts, MoreThanOwed, KeyReused),
    *(Http404, PermissionDenied, FormRefused),
)

logger = logging.getLogger(__name__)


class Broken(Exception):
    """The reason of a refusal because of an unexpected error of the app, which sending again would repeat."""


@dataclass(frozen=True)
class Outcome:
    """The outcome of an entry: DONE, REFUSED for the reason `why`, or WAITS behind a refused entry.

    `entry` is None if it could not be read.
    """

    status: str
    entry: Entry | None = None
    why: Exception | None = None


def take(sent: Iterable[object], by: User, readers: Readers) -> Iterator[Outcome]:
    """Record each entry of a phone of this user, and yield its outcome.

    `readers` are the functions that read the forms of the entries.
    """
    stopped: set[str] = set()  # games with a refused entry
    for value in sent:
        game = value.get("game") if isinstance(value, dict) else None
        if isinstance(game, str) and game in stopped:
            yield Outcome(WAITS)
            continue
        outcome = _take(value, by, readers)
        if outcome.why is not None and isinstance(game, str) and _stops(outcome.entry):
            stopped.add(game)
        yield outcome


def _stops(entry: Entry | None) -> bool:
    """Return whether later entries of the game wait if this one is refused: payments and ticks stop none."""
    return entry is None or entry.form in OF_GAMES


def _take(value: object, by: User, readers: Readers) -> Outcome:
    entry = None
    try:
        entry = Entry.read(value)
        _record(entry, by, readers)
    except REFUSALS as refusal:
        return Outcome(REFUSED, entry, refusal)
    except Exception as fault:
        if is_database_fault(fault):
            raise  # the fault is temporary: the phone will send everything again
        logger.exception("An entry that waited could not be recorded")
        return Outcome(REFUSED, entry, Broken())
    return Outcome(DONE, entry)


def _record(entry: Entry, by: User, readers: Readers) -> None:
    if entry.form in OF_GAMES:
        _record_in_game(entry, by, readers)
    else:
        _record_payment(entry, by, readers)


def _record_in_game(entry: Entry, by: User, readers: Readers) -> None:
    """Record a round or the answer to a re-entry, at the moment when it was entered."""
    game, _role = game_for(Visitor(by), entry.game, for_writing=True)
    event = prepare_entry(game, entry, readers)
    if event is None:
        return
    with transaction.atomic():
        hold(game)
        at = clamped(entry.at, earliest=last_recorded(game))
        record_entry(game, entry, event, readers, by=by, at=at)


def _record_payment(entry: Entry, by: User, readers: Readers) -> None:
    """Record a payment or a tick, at the moment when it was entered."""
    table, role = accounts_for(Visitor(by), entry.table)
    at = clamped(entry.at, earliest=table.created_at)
    if entry.form == TICK:
        record_tick(table, entry, readers, by=by, role=role, at=at)
    else:
        record_payment(table, entry, readers, by=by, role=role, at=at)
