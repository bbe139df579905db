"""A game as a page opens it: the user's role, its log, its state, its people."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from django.contrib.auth.models import User
from django.http import Http404, HttpRequest
from django.utils.translation import gettext

from games.book import Book
from games.models import Game, Role, Table
from games.people.access import WRITERS, open_to
from games.play.history import History, history_of
from games.play.snapshot import Snapshot
from games.scoring.events import Event
from games.scoring.money import pot_of
from games.scoring.state import GameState
from games.shown.common.people import Person, people_among
from games.shown.common.sentences import translate
from games.shown.play.numbers import names_of, numbers_of


@dataclass(frozen=True)
class OpenGame:
    """A game read once for one request."""

    game: Game
    role: Role
    snapshot: Snapshot
    people: Mapping[str, Person]

    @property
    def table(self) -> Table:
        """The table it is played at."""
        return self.game.table

    @property
    def book(self) -> Book:
        """The game's records."""
        return self.snapshot.book

    @property
    def log(self) -> tuple[Event, ...]:
        """The game's events, with the members' present names."""
        return self.snapshot.log

    @property
    def state(self) -> GameState:
        """The state that the log comes to."""
        return self.snapshot.state

    @cached_property
    def history(self) -> History:
        """The history for undo and redo."""
        return history_of(self.log, self.book.batches())

    @property
    def version(self) -> int:
        """The version of a page of this game: a number that every change of it raises."""
        return len(self.log) + self.table.revision

    @property
    def may_record(self) -> bool:
        """True if the user records and corrects here."""
        return self.role in WRITERS

    @property
    def context(self) -> dict[str, object]:
        """The template variables of every page of a game."""
        return {
            "game": self.game,
            "table": self.table,
            "state": self.state,
            "after": len(self.log),
            "variant_name": translate(self.state.variant.name),
            "pot": pot_of(self.state),
            "may_record": self.may_record,
            # Called only by the templates that print them.
            "numbers": lambda: _as_json(numbers_of(self.state, len(self.log))),
            "names": lambda: _as_json(names_of(self.people)),
        }


def open_game(
    request: HttpRequest, code: str, *, for_writing: bool = False, or_old_night: bool = False
) -> OpenGame:
    """Return the game with this code; Http404 for a user without a grant at its table.

    A night of an old notebook has no rounds and no rules: only pages that say so open it.
    """
    game, role = open_to(request, code, for_writing=for_writing)
    snapshot = Snapshot.read(game)
    if snapshot.state.imported is not None and not or_old_night:
        raise Http404(gettext("This is a night of an old notebook: it has neither rounds nor rules."))
    return OpenGame(game, role, snapshot, people_among(snapshot.members))


def _as_json(printed: object) -> str:
    return json.dumps(printed, ensure_ascii=False, separators=(",", ":"))


def user_of(request: HttpRequest) -> User:
    """Return the user, on pages that open only with a grant."""
    assert isinstance(request.user, User)
    return request.user
