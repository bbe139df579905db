"""Recording from a page: what is posted with every form, and how a refusal comes back to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from django.http import HttpRequest
from django.utils.translation import gettext as _

from games.keys import KeyReused
from games.locks import StaleGame
from games.models import KEY_LENGTH
from games.names import Alike
from games.play.recording import NotOver, Recorded, record
from games.scoring.errors import ScoringError
from games.scoring.events import Event
from games.scoring.replay import replay
from games.shown.common.amounts import money_of
from games.shown.common.people import people_of
from games.shown.common.sentences import translate
from games.shown.common.words import event_in_words
from games.views.common.opened import OpenGame, user_of

UNPROCESSABLE, CONFLICT, TOO_MANY = 422, 409, 429
MISSING, FORBIDDEN = 404, 403


@dataclass(frozen=True)
class Refused:
    """Why nothing was recorded: sentences by the field they are about ("" for none), and what others did meanwhile."""

    status: int
    errors: Mapping[str, str] = field(default_factory=dict)
    news: str = ""
    recorded: tuple[str, ...] = ()

    @property
    def notice(self) -> tuple[str, ...]:
        """What is new, and below it what was recorded."""
        return (self.news, *self.recorded) if self.news else ()

    def beside(self, *fields: str) -> Refused:
        """The same without the sentences that stand at these fields."""
        return replace(self, errors={name: said for name, said in self.errors.items() if name not in fields})


def sent_after(request: HttpRequest) -> int:
    """The number of the last event the person had seen; 0, which is always stale, where it is not a number."""
    text = request.POST.get("after", "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 9 else 0


def sent_key(request: HttpRequest) -> str:
    """The key the form was shown with, "" where it was shown with none like it."""
    key = request.POST.get("key", "")
    return key if key.isprintable() and len(key) <= KEY_LENGTH else ""


def asked_about(refusal: Exception) -> str:
    """The name a refusal asks about, since accents alone tell it from somebody's; "" for any other refusal."""
    return refusal.name if isinstance(refusal, Alike) else ""


def number_under(key: str, opened: OpenGame) -> int | None:
    """Return the number of the first event recorded under this key; None if the key is new."""
    keys = (row_key for _kind, _data, row_key in opened.book.rows)
    return next((number for number, known in enumerate(keys, start=1) if known == key), None)


def unanswered(opened: OpenGame) -> Refused:
    """That the bust player whose turn it is has to answer first; somebody must be pending."""
    asked = opened.people[opened.state.pending[0].id]
    return Refused(UNPROCESSABLE, {"": _("Does %(name)s re-enter?") % {"name": asked.name}})


def try_to_record(request: HttpRequest, opened: OpenGame, *events: Event) -> Recorded | Refused:
    """Record these events and return the game as it stands then, or the refusal, which has written nothing."""
    try:
        return record(
            opened.game,
            *events,
            after=sent_after(request),
            key=sent_key(request),
            by=user_of(request),
            snapshot=opened.snapshot,
        )
    except (ScoringError, StaleGame, KeyReused) as refusal:
        return refused_by(refusal, opened)


def refused_by(refusal: ScoringError | StaleGame | KeyReused | NotOver, opened: OpenGame) -> Refused:
    """The refusal as a page shows it."""
    match refusal:
        case StaleGame():
            recorded = tuple(_meanwhile(refusal, opened))
            if not recorded:  # the phone had seen more than there is
                said = _("What came before this is not recorded here: look at the sheet.")
                return Refused(CONFLICT, {"": said})
            return Refused(CONFLICT, news=_("Meanwhile this was recorded:"), recorded=recorded)
        case KeyReused():
            return Refused(
                CONFLICT, {"": _("This was recorded already, with something else. Look at the sheet.")}
            )
        case NotOver():
            return Refused(
                CONFLICT, {"": _("This game is still being played. The rematch comes when it is over.")}
            )
        case _:
            return Refused(UNPROCESSABLE, {refusal.field: translate(refusal.text, money_of(opened.table))})


def latest_of(opened: OpenGame) -> str:
    """What was recorded last, in words; "" while the game has only begun."""
    if len(opened.log) == 1:
        return ""
    history = opened.history
    # An undo strikes backwards: its last strike is about the first event of what it took back.
    number = history.last[-1] if history.last_is_undo else history.last[0]
    return event_in_words(
        opened.log[number - 1],
        log=opened.log,
        state=opened.state,
        people=opened.people,
        table=opened.table,
    )


def _meanwhile(stale: StaleGame, opened: OpenGame) -> list[str]:
    # Read anew: who recorded meanwhile may also have seated somebody new.
    log, people = opened.game.log(), people_of(opened.table)
    state = replay(log)
    return [
        event_in_words(event, log=log, state=state, people=people, table=opened.table)
        for event in log[max(stale.after, 0) :]
    ]
