"""A game as a program reads it: its log, its state, and everything it is answered with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from rest_framework.response import Response

from games.api.common.amounts import moment_said, money_said
from games.api.common.endpoints import Endpoint, answer
from games.api.common.titles import title_said
from games.book import Book
from games.models import Game
from games.play.history import history_of
from games.play.recording import Recorded
from games.scoring.events import Event, renamed
from games.scoring.ledger import places
from games.scoring.replay import replay
from games.scoring.state import GameState
from games.scoring.text.report import full_summary
from games.shown.common.people import Person, people_of
from games.shown.common.sentences import translate


@dataclass(frozen=True)
class Opened:
    """A game read once, with people under the names they have now; `recorded` is its state where that is known."""

    game: Game
    book: Book
    people: Mapping[str, Person]
    recorded: GameState | None = None

    @classmethod
    def read(cls, game: Game) -> Opened:
        """The game as it stands in the database now."""
        return cls(game, Book.read(game), people_of(game.table))

    @cached_property
    def log(self) -> tuple[Event, ...]:
        """Everything recorded, oldest first."""
        return renamed(self.book.log, {player: person.name for player, person in self.people.items()})

    @cached_property
    def state(self) -> GameState:
        """Where the game stands: as it was recorded, if everybody is called there as he is now."""
        known = self.recorded
        if known and all(player.name == self.people[player.id].name for player in known.players):
            return known
        return replay(self.log)

    @property
    def after(self) -> int:
        """The number of the last event: the version of the game."""
        return len(self.book.rows)

    @property
    def said(self) -> dict[str, object]:
        """The game and how it stands."""
        game, state = self.game, self.state
        history = history_of(self.log, self.book.batches())
        return {
            **in_short(game),
            **full_summary(state, translate),
            "after": self.after,
            "options": dict(state.house.options),
            "direction": str(state.direction),
            "places": places(state) if state.is_over else {},
            "can_undo": bool(history.undoable) and game.discarded_at is None,
            "can_redo": history.last_is_undo and game.discarded_at is None,
        }

    def answer(self, status: int = 200) -> Response:
        """The answer that says it, with its version."""
        return answer(self.said, status=status, version=self.after)


class GameEndpoint(Endpoint):
    """Answers about one game."""

    def opened(self, code: str, *, for_writing: bool = False) -> Opened:
        """The game with this code, read once; not found for whoever has no grant."""
        return Opened.read(self.game_opened(code, for_writing=for_writing))

    def now(self, recorded: Recorded | None = None) -> Response:
        """The game that was opened: as it was left by what was just recorded, or read anew."""
        assert self.game is not None
        if recorded is None:
            return Opened.read(self.game).answer()
        return Opened(self.game, recorded.book, people_of(self.game.table), recorded.state).answer()


def in_short(game: Game) -> dict[str, object]:
    """What a list of games says of one; its table must be there."""
    return {
        "code": game.code,
        "table": game.table.code,
        **title_said(game.variant),
        "season": game.season_id,
        "started_at": moment_said(game.started_at, game.table),
        "ended_at": moment_said(game.ended_at, game.table),
        "discarded_at": moment_said(game.discarded_at, game.table),
        **money_said(game.table),
    }
