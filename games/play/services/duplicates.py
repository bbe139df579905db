"""Limits on a table's games, and the detection of a game that the same people have just started."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

from django.utils.timezone import now

from games.common import event_store
from games.models import MOST_GAMES_A_NIGHT, MOST_RUNNING, Game, Table
from games.scoring.errors import RuleError
from games.scoring.events import Event, GameStarted
from games.scoring.i18n import _
from games.scoring.rounds import PlayerId
from games.scoring.state import GameState, Seat
from games.tables.services.roster import People

SIMULTANEOUS = timedelta(seconds=10)  # requests so close were sent without knowing of each other


class DuplicateGame(Exception):
    """These people have just started a game: the user should say whether they want another."""

    def __init__(self, game: Game) -> None:
        super().__init__()
        self.game = game


def check_running_limit(table: Table, *, new_count: int) -> None:
    if table.games.filter(ended_at=None, discarded_at=None).count() + new_count > MOST_RUNNING:
        raise RuleError(
            _(
                "{most} games are in progress at this table. End or delete one first.",
                most=MOST_RUNNING,
            )
        )


def check_night_limit(table: Table, night: date) -> None:
    if table.games.filter(night_number=night.toordinal()).count() >= MOST_GAMES_A_NIGHT:
        raise RuleError(_("At most {most} games can start in one night.", most=MOST_GAMES_A_NIGHT))


def find_duplicate(table: Table, event: GameStarted) -> Game | None:
    """Return the game that another request has just started with the same content, or None.

    Raise DuplicateGame if these people have another game without a recorded round. Call this while the table
    is locked.
    """
    people = People.of(table)
    running = {game.pk: game for game in table.games.filter(ended_at=None, discarded_at=None)}
    candidates = [
        running[pk]
        for pk, state in event_store.load_states(running).items()
        if state is not None
        and not state.rounds
        and _remaining_player_ids(state, people) == {player.id for player in event.players}
    ]
    for game in candidates:
        if now() - game.started_at < SIMULTANEOUS and _nameless_content(game.log()[0]) == _nameless_content(
            event
        ):
            return game
    if candidates:
        raise DuplicateGame(max(candidates, key=lambda game: game.started_at))
    return None


def _remaining_player_ids(state: GameState, people: People) -> set[PlayerId]:
    return {people.by_slug[player.id].slug for player in state.players if player.seat is not Seat.LEFT}


def _nameless_content(event: Event) -> object:
    """Return the event's content without the players' names, which may have changed since."""
    assert isinstance(event, GameStarted)
    return replace(event, players=tuple(replace(player, name="") for player in event.players))
