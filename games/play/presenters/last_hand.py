"""The hand that may be the last: only two players are left, and if one goes bust, the other takes the pot."""

from __future__ import annotations

from dataclasses import dataclass

from games.common import amounts
from games.common.event_sentences import PersonsById
from games.common.naming import Person
from games.scoring.events import Log, PlayerReentered
from games.scoring.rule_types import LastIn
from games.scoring.state import GameState, Seat

PAIR = 2


@dataclass(frozen=True)
class LastHand:
    """The player nearest to going bust, the points left to them, and the player who would take the pot.

    `is_new` is true if the newest event brought the game down to these two.
    """

    nearest: Person
    margin: str
    taker: Person
    is_new: bool


def find_last_hand(state: GameState, people: PersonsById) -> LastHand | None:
    """Return the hand that may be the last in a game for a pot, or None.

    It is None while more than two players are left or a re-entry is pending, and in a game of only two
    players.
    """
    limit, is_for_pot = state.rules.out_at, state.rules.pot is not None
    is_for_last = isinstance(state.rules.ending, LastIn) and not state.rules.counts_down
    if not (is_for_pot and is_for_last and limit) or state.is_over or state.pending:
        return None
    if len(state.playing) != PAIR or len(state.players) == PAIR:
        return None
    taker, nearest = sorted(state.playing, key=lambda player: player.total)
    before = state.steps[-2].seats.values()
    return LastHand(
        nearest=people[nearest.id],
        margin=amounts.points(limit - nearest.total),
        taker=people[taker.id],
        is_new=sum(seat in (Seat.IN, Seat.PENDING) for seat in before) != PAIR,
    )


def has_filled_pot(log: Log) -> bool:
    """Return whether the newest event is a re-entry, which puts its price into the pot."""
    return isinstance(log[-1], PlayerReentered)
