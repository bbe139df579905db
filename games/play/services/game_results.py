"""The results of a finished game and the derived fields of the game's row, computed from the game's state."""

from __future__ import annotations

from collections.abc import Mapping

from games.models import MOST_MONEY, Game, Member, Result, Season
from games.scoring.errors import RefusalCode, RuleError
from games.scoring.game_statistics import longest_survival, pot_won, rounds_in_one_go, rounds_to_win
from games.scoring.i18n import MoneyParam, _
from games.scoring.ledger import nets, places
from games.scoring.rounds import PlayerId
from games.scoring.state import GameState
from games.tables.services.roster import People

# The columns of a game that are derived from its state.
DERIVED_FIELDS = ("variant", "pot", "decided_in")


def set_derived_fields(game: Game, state: GameState) -> None:
    """Set the game's DERIVED_FIELDS from its state. The caller saves the game."""
    game.variant = state.title
    game.pot = pot_won(state)
    game.decided_in = rounds_to_win(state)


def check_money(state: GameState) -> None:
    """Raise RuleError if a player of a finished game won or lost more than MOST_MONEY."""
    if not state.is_over:
        return
    for player, net in nets(state).items():
        if abs(net) > MOST_MONEY:
            raise RuleError(
                _(
                    "{name} would win or lose {amount}, but the limit is {most} a game. "
                    "Correct the stakes first.",
                    name=state.player_name(player),
                    amount=MoneyParam(abs(net)),
                    most=MoneyParam(MOST_MONEY),
                )
            )


def check_people(people: People, state: GameState) -> None:
    """Raise RuleError unless every player is one of `people`, and no two players are the same person.

    The results of anyone else could not be stored.
    """
    for player in dict.fromkeys(player_id for step in state.steps for player_id in step.seats):
        if player not in people.by_slug:
            raise RuleError(
                _("{name} does not belong to this table.", name=state.player_name(player)),
                code=RefusalCode.UNKNOWN_PLAYER,
                field="players",
                player=player,
            )
    if len({people.by_slug[player.id].pk for player in state.players}) < len(state.players):
        raise RuleError(_("Two of the players are the same member."), field="players")


def build(game: Game, state: GameState, members: Mapping[PlayerId, Member]) -> list[Result]:
    """Return the unsaved results of a finished game in seat order; `members` are the table's, by slug.

    If the stakes were refunded, there are no places and no placing points. A pot shared by agreement is not a
    win.
    """
    assert state.outcome is not None, "a running game has no results"
    net, place = nets(state), places(state)
    in_one_go, close_to_out = rounds_in_one_go(state), longest_survival(state)
    is_counted = state.imported_night is None or bool(state.imported_night.totals)
    total = {player.id: player.total if is_counted else None for player in state.players}
    refunded = state.outcome.refunded
    return [
        Result(
            game=game,
            member=members[player.id],
            place=None if refunded else place[player.id],
            points=0 if refunded else sum(other > place[player.id] for other in place.values()),
            net=net[player.id],
            won=player.id in state.outcome.winners and not state.outcome.agreed,
            reentries=player.reentries,
            rounds_won=sum(played.closer == player.id for played in state.rounds),
            total=total[player.id],
            in_one_go=in_one_go.get(player.id, 0),
            survived=close_to_out.get(player.id, 0),
            variant=state.title,
            night_number=game.night_number,
        )
        for player in state.players
    ]


def affected_season(game: Game, before: GameState, after: GameState | None) -> Season | None:
    """Return the season whose standings this change of the game alters; None if it alters none.

    Standings change only if a value that they add up changes. `after` is None if the game is discarded.
    """
    return None if _standings_values(before) == _standings_values(after) else game.season


def _standings_values(state: GameState | None) -> object:
    if state is None or state.outcome is None:
        return None
    players = [(player.id, player.total, player.reentries) for player in state.players]
    return (
        nets(state),
        places(state),
        state.outcome.winners,
        state.outcome.refunded,
        state.outcome.agreed,
        players,
        len(state.rounds),
    )
