"""A game loaded for a page, with the user's role, its log, state and players; and recording from a page."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from django.contrib.auth.models import AnonymousUser, User
from django.http import Http404, HttpRequest
from django.utils.translation import gettext as _

from games import models
from games.common import amounts, days, event_sentences, naming, request_handling, roles, texts
from games.common.locks import IdempotencyKeyReused, StaleGame
from games.common.naming import Person
from games.common.poll_tickets import PageVersion
from games.common.request_handling import PageRefusal
from games.play.presenters import offline_numbers
from games.play.services import recording
from games.play.services.recording import GameNotOver
from games.play.services.snapshots import Snapshot, UndoHistory
from games.scoring import moves
from games.scoring.errors import ScoringError
from games.scoring.events import Event, GameStarted
from games.scoring.game_statistics import pot_won
from games.scoring.money import pot_amount
from games.scoring.replay import replay
from games.scoring.rounds import PlayerId
from games.scoring.state import GameState
from games.tables.presenters import claim_list, pen_display
from games.tables.presenters.claim_list import ClaimItem
from games.tables.presenters.pen_display import PenNotice
from games.tables.services import authorization, roster
from games.tables.services.pens import PenState
from games.tables.services.roster import People


@dataclass(frozen=True)
class OpenGame:
    """A game loaded once for a request: its row, the user's role, and the state after its whole log."""

    game: models.Game
    role: models.Role
    snapshot: Snapshot
    people: Mapping[str, Person]
    reader: User | AnonymousUser

    @property
    def table(self) -> models.Table:
        return self.game.table

    @property
    def members(self) -> People:
        return self.snapshot.members

    @property
    def log(self) -> tuple[Event, ...]:
        """The events of the game, with the players' current names."""
        return self.snapshot.log

    @property
    def state(self) -> GameState:
        return self.snapshot.state

    def at(self, state: GameState) -> OpenGame:
        """Return the game as it is in another state, for a page about a moment of a corrected game."""
        return replace(self, snapshot=replace(self.snapshot, state=state))

    @property
    def start_event(self) -> GameStarted:
        """The first event of the game, with the corrections of its rules and seats."""
        start = self.state.steps[0].event
        assert isinstance(start, GameStarted)
        return start

    @property
    def history(self) -> UndoHistory:
        return self.snapshot.history

    @cached_property
    def latest(self) -> str:
        """A sentence about the last entry; "" if the game has only been started."""
        if len(self.log) == 1:
            return ""
        # An undo strikes an entry's events from last to first, so its last strike is that of the first event,
        # which names the entry.
        log, last = self.log, self.history.last
        number = last[-1] if self.history.last_is_undo else last[0]
        if len(last) > 1 and moves.is_move(log[last[0] - 1], log[last[1] - 1]):
            number = last[1]  # an event that was moved is named by its new place
        event = log[number - 1]
        return event_sentences.event_sentence(
            event, log=log, state=self.state, people=self.people, table=self.table
        )

    @property
    def is_past(self) -> bool:
        """True once the night when the game ended is over: an undo then shows its consequences first."""
        return days.is_past_night(self.game.ended_at, self.table)

    @property
    def version(self) -> PageVersion:
        """The version of a page of this game; it increases with every change of the game or its table."""
        return PageVersion(self.table.revision, len(self.log))

    @cached_property
    def reader_access(self) -> models.Access | None:
        """The reader's access; None if it has ended since the game was opened."""
        return self.snapshot.lobby.of(self.reader)

    @property
    def has_role(self) -> bool:
        """True if the user records here by their role, so not only with the pen."""
        return self.role in roles.WRITERS

    @cached_property
    def can_record(self) -> bool:
        if self.has_role:
            return True
        access = self.table.reader_access
        return access is not None and access.has_pen and authorization.is_open_to_pen(self.game)

    @cached_property
    def pen(self) -> PenState:
        return PenState.load(self.table, self.snapshot.lobby.phones)

    @cached_property
    def phone_claims(self) -> Sequence[ClaimItem]:
        """The questions about an owner's new phone that this reader may answer."""
        reader = self.reader
        return claim_list.new_phone_items(self.snapshot.lobby, reader) if isinstance(reader, User) else ()

    @cached_property
    def pen_notice(self) -> PenNotice:
        return pen_display.build_notice(self.pen, self.reader_access)

    @property
    def questions(self) -> Mapping[str, object]:
        """The template variables of the question that the reader has to answer first, and of the pen.

        It is one question at a time, because the page needs the room.
        """
        claims = () if self.pen_notice.question else self.phone_claims[:1]
        return {"pen": self.pen_notice, "phone_claims": claims}

    @property
    def has_question(self) -> bool:
        """True if there is a question about the pen or an owner's phone for this reader, now or later."""
        is_asked = self.pen.request is not None and isinstance(self.reader, User)
        return bool(self.phone_claims) or (is_asked and self._may_answer)

    @property
    def _may_answer(self) -> bool:
        return self.can_record or (isinstance(self.reader, User) and self.pen.find(self.reader) is not None)

    @property
    def context(self) -> dict[str, object]:
        """The template variables that every page of a game needs, such as `game`, `table` and `state`."""
        return {
            "game": self.game,
            "table": self.table,
            "state": self.state,
            "after": len(self.log),
            "variant_name": texts.translate(self.state.variant.name),
            "pot": pot_won(self.state) if self.state.is_over else pot_amount(self.state),
            "may_record": self.can_record,
            "has_role": self.has_role,
            # Functions, so that only the templates that print these values compute them.
            "numbers": lambda: request_handling.to_json(offline_numbers.build(self.state, len(self.log))),
            "names": lambda: request_handling.to_json(
                {person.id: naming.isolate(person.name) for person in self.people.values()}
            ),
            "latest": lambda: self.latest,
            "can_undo": lambda: bool(self.history.undoable) and not self.is_past,
            "can_redo": lambda: self.history.last_is_undo and not self.is_past,
            "can_reopen": lambda: self.can_record and bool(self.history.undoable) and self.is_past,
        }


def get_or_404(request: HttpRequest, code: str, *, or_old_night: bool = False, **needed: bool) -> OpenGame:
    """Return the game with this code; raise Http404 if it does not exist or the user has no access to it.

    Raise PermissionDenied for a user who has not what is `needed`, as `authorization.get_game` says. For a
    night of an old notebook, a game without rounds and rules, raise Http404 too, unless the page passes
    `or_old_night`.
    """
    game, role = authorization.get_game(request.user, code, **needed)
    snapshot = Snapshot.load(game)
    if snapshot.state.imported_night is not None and not or_old_night:
        raise Http404(_("This is a night from an old notebook: it has no rounds or rules."))
    return OpenGame(game, role, snapshot, roster.to_persons(snapshot.members), request.user)


def find_number_by_key(key: str, game_page: OpenGame) -> int | None:
    """Return the number of the first event recorded under this idempotency key; None if the key is new."""
    keys = (row_key for _kind, _data, row_key in game_page.snapshot.book.rows)
    return next((number for number, known in enumerate(keys, start=1) if known == key), None)


def reentry_refusal(game_page: OpenGame, player: PlayerId) -> PageRefusal:
    """Return a refusal with the question that has to be answered first: whether this player re-enters."""
    question = event_sentences.reentry_question(game_page.people[player].name)
    return PageRefusal(request_handling.UNPROCESSABLE, {"": question})


def try_to_record(
    request: HttpRequest,
    game_page: OpenGame,
    *events: Event,
    step: Callable[..., GameState] = recording.record,
) -> GameState | PageRefusal:
    """Record the events under the form's idempotency key, and return the state after them or the refusal.

    `step` may undo or redo instead, without events.
    """
    after, key = request_handling.seen_version(request), request_handling.form_key(request)
    by = request_handling.current_user(request)
    try:
        return step(game_page.game, *events, after=after, key=key, by=by, snapshot=game_page.snapshot)
    except (ScoringError, StaleGame, IdempotencyKeyReused) as refusal:
        return refusal_for(refusal, game_page)


def refusal_for(
    refusal: ScoringError | StaleGame | IdempotencyKeyReused | GameNotOver, game_page: OpenGame
) -> PageRefusal:
    """Return the refusal (HTTP status and messages) that a page of the game shows for this exception."""
    match refusal:
        case StaleGame():
            if not refusal.since:
                return PageRefusal(request_handling.CONFLICT, {"": stale_message(refusal)})
            recorded = tuple(sentences_since(refusal.after, game_page))
            return PageRefusal(request_handling.CONFLICT, news=stale_message(refusal), recorded=recorded)
        case IdempotencyKeyReused():
            return PageRefusal(
                request_handling.CONFLICT,
                {"": _("This form already recorded another entry. Check the sheet.")},
            )
        case GameNotOver():
            return PageRefusal(
                request_handling.CONFLICT,
                {"": _("This game is still being played. Start the rematch when it is over.")},
            )
        case _:
            return PageRefusal(
                request_handling.UNPROCESSABLE,
                {refusal.field: texts.translate(refusal.text, amounts.money_formatter(game_page.table))},
            )


def stale_message(stale: StaleGame) -> str:
    """Return the message about a conflict: the server has newer events, or lacks one that the user saw."""
    if stale.since:
        return _("Recorded in the meantime:")
    return _("The entry before this one is missing here: check the sheet.")


def sentences_since(after: int, game_page: OpenGame) -> list[str]:
    """Return a sentence about each event recorded after event `after`."""
    # Load the members again: the user who recorded meanwhile may have added a player.
    log, people = game_page.game.log(), roster.persons_at(game_page.table)
    state = replay(log)
    return [
        event_sentences.event_sentence(event, log=log, state=state, people=people, table=game_page.table)
        for event in log[max(after, 0) :]
    ]
