"""What a finished game gives each member, worked out from its state."""

from __future__ import annotations

from games.models import Game, Result
from games.scoring.ledger import nets, places
from games.scoring.state import GameState


def results_of(game: Game, state: GameState) -> list[Result]:
    """The results of a game that is over, in seat order and not saved; of a refunded one only the money counts."""
    assert state.outcome is not None, "a running game has no results"
    net, place = nets(state), places(state)
    members = {member.slug: member for member in game.table.members.all()}
    refunded = state.outcome.refunded
    return [
        Result(
            game=game,
            member=members[player.id],
            place=None if refunded else place[player.id],
            points=0 if refunded else sum(other > place[player.id] for other in place.values()),
            net=net[player.id],
            won=player.id in state.outcome.winners,
            reentries=player.reentries,
            rounds_won=sum(played.closer == player.id for played in state.rounds),
        )
        for player in state.players
    ]
