"""Recording from a page: the fields common to all HTML forms, and the refusals that the page shows."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace

from django.http import HttpRequest, JsonResponse
from django.utils.translation import gettext as _

from games.keys import KeyReused
from games.locks import StaleGame
from games.models import KEY_LENGTH
from games.names import Alike, isolated
from games.play.recording import NotOver, Recorded, record
from games.scoring.errors import ScoringError
from games.scoring.events import Event
from games.scoring.replay import replay
from games.shown.common.amounts import money_of
from games.shown.common.people import people_of
from games.shown.common.sentences import translate
from games.shown.common.words import event_in_words
from games.views.common.numbers import whole_number
from games.views.common.opened import OpenGame, user_of

UNPROCESSABLE, CONFLICT, TOO_MANY = 422, 409, 429
MISSING, FORBIDDEN = 404, 403


@dataclass(frozen=True)
class Refused:
    """A refusal for a page to show: an HTTP status, error messages, and news about a conflict.

    `errors` are messages by field of the form; the field "" is for messages about no field. In a conflict,
    `news` is the message about it, and `recorded` are sentences on the events that others recorded meanwhile.
    """

    status: int
    errors: Mapping[str, str] = field(default_factory=dict)
    news: str = ""
    recorded: tuple[str, ...] = ()

    @property
    def notice(self) -> tuple[str, ...]:
        """The message about a conflict, followed by sentences on the events that others recorded.

        It is an empty tuple if there was no conflict.
        """
        return (self.news, *self.recorded) if self.news else ()

    def beside(self, *fields: str) -> Refused:
        """Return the refusal without the messages about `fields`: the page shows those at the fields."""
        return replace(
            self, errors={name: sentence for name, sentence in self.errors.items() if name not in fields}
        )


def refused_as_json(*sentences: str) -> JsonResponse:
    """Return a refusal with these messages as JSON, for a page's script."""
    return JsonResponse({"sentences": sentences}, status=UNPROCESSABLE)


def sent_after(request: HttpRequest) -> int:
    """Return the number of the last event that the user has seen, as the HTML form says.

    Return 0 if the field is no number. A game's services refuse 0 as out of date, because every game has at
    least one event.
    """
    return whole_number(request.POST.get("after", ""), most_digits=8)


def sent_key(request: HttpRequest) -> str:
    """Return the idempotency key of the HTML form; "" if the key is missing or invalid."""
    key = request.POST.get("key", "")
    return key if key.isprintable() and len(key) <= KEY_LENGTH else ""


def asked_about(refusal: Exception) -> str:
    """Return the entered name if it was refused because a member has a similar name, else "".

    Similar names differ only in accents. The page then asks if it is another person.
    """
    return refusal.name if isinstance(refusal, Alike) else ""


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
