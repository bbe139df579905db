"""Recording from a page: the fields common to all HTML forms, and the refusals that the page shows."""

from __future__ import annotations

from collections.abc import Collection

from django.http import HttpRequest
from django.utils.translation import gettext as _

from games.common.amounts import money_of
from games.common.locks import KeyReused, StaleGame
from games.common.names import isolated
from games.common.sent import CONFLICT, UNPROCESSABLE, Refused, sent_after, sent_key, user_of
from games.common.words import event_in_words, translate
from games.play.pages.opened import OpenGame
from games.play.recording import NotOver, Recorded, record
from games.scoring.errors import ScoringError
from games.scoring.events import Event
from games.scoring.replay import replay
from games.tables.people import people_of


def number_under(key: str, game_page: OpenGame) -> int | None:
    """Return the number of the first event recorded under this idempotency key; None if the key is new."""
    keys = (row_key for _kind, _data, row_key in game_page.book.rows)
    return next((number for number, known in enumerate(keys, start=1) if known == key), None)


def unanswered(game_page: OpenGame) -> Refused:
    """Return a refusal with the question that is still open: whether the next bust player re-enters.

    Call it only if a player is bust (over the limit of points) and has not answered yet.
    """
    pending = game_page.people[game_page.state.pending[0].id]
    return Refused(UNPROCESSABLE, {"": _("Does %(name)s re-enter?") % {"name": isolated(pending.name)}})


def try_to_record(
    request: HttpRequest, game_page: OpenGame, *events: Event, brought: Collection[int] = ()
) -> Recorded | Refused:
    """Record the events together and return the game after them.

    If they cannot be recorded, store none of them and return the refusal. `brought` are the primary keys of
    the hands that players sent from their phones and that filled the form.
    """
    try:
        return record(
            game_page.game,
            *events,
            after=sent_after(request),
            key=sent_key(request),
            by=user_of(request),
            snapshot=game_page.snapshot,
            brought=brought,
        )
    except (ScoringError, StaleGame, KeyReused) as refusal:
        return refused_by(refusal, game_page)


def refused_by(refusal: ScoringError | StaleGame | KeyReused | NotOver, game_page: OpenGame) -> Refused:
    """Return the refusal (HTTP status and messages) with which a page of the game shows this exception."""
    match refusal:
        case StaleGame():
            if not refusal.since:
                return Refused(CONFLICT, {"": meanwhile(refusal)})
            recorded = tuple(recorded_since(refusal.after, game_page))
            return Refused(CONFLICT, news=meanwhile(refusal), recorded=recorded)
        case KeyReused():
            return Refused(CONFLICT, {"": _("This form already recorded another entry. Check the sheet.")})
        case NotOver():
            return Refused(
                CONFLICT, {"": _("This game is still being played. Start the rematch when it is over.")}
            )
        case _:
            return Refused(UNPROCESSABLE, {refusal.field: translate(refusal.text, money_of(game_page.table))})


def latest_of(game_page: OpenGame) -> str:
    """Return a sentence about the last entry; "" if the game has only been started."""
    if len(game_page.log) == 1:
        return ""
    history = game_page.history
    # An undo strikes the events of an entry from last to first: its last strike is that of the entry's first
    # event, which names the entry.
    number = history.last[-1] if history.last_is_undo else history.last[0]
    return event_in_words(
        game_page.log[number - 1],
        log=game_page.log,
        state=game_page.state,
        people=game_page.people,
        table=game_page.table,
    )


def meanwhile(stale: StaleGame) -> str:
    """Return the message about a conflict: the server has newer events, or it lacks one that the user saw."""
    if stale.since:
        return _("Recorded meanwhile:")
    return _("The entry before this one is missing here: check the sheet.")


def recorded_since(after: int, game_page: OpenGame) -> list[str]:
    """Return a sentence about each event that was recorded after the one with this number."""
    # Load the members again: the user who recorded meanwhile may have added a player.
    log, people = game_page.game.log(), people_of(game_page.table)
    state = replay(log)
    return [
        event_in_words(event, log=log, state=state, people=people, table=game_page.table)
        for event in log[max(after, 0) :]
    ]
