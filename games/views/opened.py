"""A game as a page opens it: who may, its log, its state, its people."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.http import Http404, HttpRequest
from django.utils.translation import gettext

from games.access import get_game_or_404
from games.messages import translate
from games.models import Game, Table
from games.scoring.events import Event
from games.scoring.money import pot_of
from games.scoring.replay import replay
from games.scoring.state import GameState
from games.shown.people import Person, people_of


@dataclass(frozen=True)
class OpenGame:
    """A game read once for one request."""

    game: Game
    log: tuple[Event, ...]
    state: GameState
    people: Mapping[str, Person]

    @property
    def table(self) -> Table:
        """The table it is played at."""
        return self.game.table

    @property
    def context(self) -> dict[str, object]:
        """What every page of a game shows."""
        return {
            "game": self.game,
            "table": self.table,
            "state": self.state,
            "after": len(self.log),
            "variant_name": translate(self.state.variant.name),
            "pot": pot_of(self.state),
        }


def open_game(
    request: HttpRequest, code: str, *, for_writing: bool = False, or_old_night: bool = False
) -> OpenGame:
    """The game with this code; Http404 for who has no grant at its table.

    A night of an old notebook has no rounds and no rules: it opens only where it is asked for.
    """
    game = get_game_or_404(request, code, for_writing=for_writing)
    log = game.log()
    state = replay(log)
    if state.imported is not None and not or_old_night:
        raise Http404(gettext("This is a night of an old notebook: it has neither rounds nor rules."))
    return OpenGame(game, log, state, people_of(game.table))


def user_of(request: HttpRequest) -> User:
    """Who is asking, on pages that open only with a grant."""
    assert isinstance(request.user, User)
    return request.user
