"""A game loaded with its log and state, and the base class of endpoints about one game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from rest_framework.response import Response

from games.api.common.amounts import moment_said
from games.api.common.endpoints import Endpoint, answer
from games.api.play.game_payloads import GameInShort
from games.api.play.payloads import GameScored, wins_of
from games.book import Book
from games.models import Game
from games.play.history import history_of
from games.play.moments import last_recorded
from games.play.recording import Recorded
from games.scoring.events import Event, renamed
from games.scoring.ledger import places
from games.scoring.replay import replay
from games.scoring.state import GameState
from games.shown.common.people import Person, people_of


@dataclass(frozen=True)
class Opened:
    """A game loaded once: its stored log (`book`), and the present names of its players (`people`).

    `recorded` is the state of the game if recording has just calculated it; otherwise it is None.
    """

    game: Game
    book: Book
    people: Mapping[str, Person]
    recorded: GameState | None = None

    @classmethod
    def read(cls, game: Game) -> Opened:
        """Return the game in its present state in the database."""
        return cls(game, Book.read(game), people_of(game.table))

    @cached_property
    def log(self) -> tuple[Event, ...]:
        """The events of the game with the present names of the players, oldest first."""
        return renamed(self.book.log, {player: person.name for player, person in self.people.items()})

    @cached_property
    def state(self) -> GameState:
        """The state of the game, with the present names of the players.

        It is `recorded` if the names in that are still the present ones, else a replay of the log.
        """
        known = self.recorded
        if known and all(player.name == self.people[player.id].name for player in known.players):
            return known
        return replay(self.log)

    @property
    def after(self) -> int:
        """The number of the last event: the version of the game."""
        return len(self.book.rows)

    @property
    def body(self) -> dict[str, object]:
        """The game and its state as JSON, with the actions that are possible now."""
        game, state = self.game, self.state
        history = history_of(self.log, self.book.batches())
        return {
            **GameInShort.of(game, table=game.table),
            **GameScored.of(state),
            "after": self.after,
            "options": dict(state.house.options),
            "direction": str(state.direction),
            "wins": wins_of(state.rules),
            "places": places(state) if state.is_over else {},
            "can_undo": bool(history.undoable) and game.discarded_at is None,
            "can_redo": history.last_is_undo and game.discarded_at is None,
        }

    def answer(self, status: int = 200, *, is_recorded: bool = False) -> Response:
        """Return the response about the game, with its version as `ETag`.

        The response to a recording (`is_recorded`) also has the time that was stored for the last event.
        """
        kept = {"last_at": moment_said(last_recorded(self.game), self.game.table)} if is_recorded else {}
        return answer({**self.body, **kept}, status=status, version=self.after)


class GameEndpoint(Endpoint):
    """The base class of endpoints about one game."""

    def opened(self, code: str) -> Opened:
        """Return the loaded game with this code.

        Answer "not found" for a user without a grant, which gives access to the table.
        """
        return Opened.read(self.game_opened(code))

    def now(self, recorded: Recorded | None = None) -> Response:
        """Return the response about the game of this request (`self.game`) after a write.

        The state comes from `recorded`, the result of recording. If that is None, the game is loaded again.
        """
        assert self.game is not None
        if recorded is None:
            return Opened.read(self.game).answer()
        return Opened(self.game, recorded.book, people_of(self.game.table), recorded.state).answer(
            is_recorded=True
        )
