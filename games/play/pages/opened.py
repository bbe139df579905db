"""A game loaded for a page: the user's role, the log, the state and the players.

The log is the game's list of events. An access is a user's role at a table, e.g. scorer.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from django.http import Http404, HttpRequest
from django.utils.translation import gettext

from games.common.book import Book
from games.common.names import Person
from games.common.roles import WRITERS
from games.common.sent import as_json
from games.common.words import translate
from games.models import Game, Member, Role, Table
from games.play.history import History, history_of
from games.play.pages.numbers import names_of, numbers_of
from games.play.snapshot import Snapshot
from games.scoring.events import Event
from games.scoring.figures import pot_won
from games.scoring.money import pot_of
from games.scoring.state import GameState
from games.tables.access import game_for
from games.tables.people import People, people_among


@dataclass(frozen=True)
class OpenGame:
    """A game loaded once for a request: its row, the user's role, and the state after its whole log."""

    game: Game
    role: Role
    snapshot: Snapshot
    people: Mapping[str, Person]
    face: Member | None = None  # the member for whom the page is cached; None if it is not cached

    @property
    def table(self) -> Table:
        """The table of the game."""
        return self.game.table

    @property
    def book(self) -> Book:
        """The rows stored for the game, and the events in them."""
        return self.snapshot.book

    @property
    def members(self) -> People:
        """The members of the game's table."""
        return self.snapshot.members

    @property
    def log(self) -> tuple[Event, ...]:
        """The events of the game, with the players' present names."""
        return self.snapshot.log

    @property
    def state(self) -> GameState:
        """The state of the game after the whole log."""
        return self.snapshot.state

    @cached_property
    def history(self) -> History:
        """The entries (events recorded together) that can be undone, and the undos that can be redone."""
        return history_of(self.log, self.book.batches())

    @property
    def version(self) -> int:
        """The version of a page of this game; it increases with every change of the game or its table."""
        return len(self.log) + self.table.revision

    @property
    def may_record(self) -> bool:
        """True if the user may record and correct at this table."""
        return self.role in WRITERS

    @property
    def context(self) -> dict[str, object]:
        """The template variables that every page of a game needs, e.g. `game`, `table` and `state`."""
        return {
            "game": self.game,
            "table": self.table,
            "state": self.state,
            "after": len(self.log),
            "variant_name": translate(self.state.variant.name),
            "pot": pot_won(self.state) if self.state.is_over else pot_of(self.state),
            "may_record": self.may_record,
            # Functions, so that only the templates that print these values compute them.
            "numbers": lambda: as_json(numbers_of(self.state, len(self.log))),
            "names": lambda: as_json(names_of(self.people)),
        }


def open_game(
    request: HttpRequest, code: str, *, for_writing: bool = False, or_old_night: bool = False
) -> OpenGame:
    """Return the game with this code; raise Http404 if it does not exist or the user has no access to it.

    With `for_writing`, raise PermissionDenied for a user who may not record. A night imported from an old
    notebook (results from before the app) is a game without rounds and rules. For such a night, raise Http404
    too, unless the page passes `or_old_night`.
    """
    game, role = game_for(request.user, code, for_writing=for_writing)
    snapshot = Snapshot.read(game)
    if snapshot.state.imported is not None and not or_old_night:
        raise Http404(gettext("This is a night of an old notebook: it has no rounds or rules."))
    return OpenGame(game, role, snapshot, people_among(snapshot.members))
