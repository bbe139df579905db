"""What a game moves: every movement has two ends, so the sum is zero by construction."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import assert_never

from games.scoring.events import GameStarted, PlayerJoined, PlayerReentered, SeatHandedOver
from games.scoring.rounds import PlayerId
from games.scoring.rules import Pot, price_of
from games.scoring.state import GameState

POT = "(pot)"  # no player's id can be written like this


class Cause(StrEnum):
    """Why money moved."""

    STAKE = "stake"
    REENTRY = "reentry"
    POT = "pot"
    REFUND = "refund"


@dataclass(frozen=True)
class Movement:
    """`amount` went from `payer` to `payee`; `number` is the event behind it, `count` which re-entry it was."""

    payer: str
    payee: str
    amount: int
    cause: Cause
    number: int
    count: int = 0


def movements(state: GameState) -> tuple[Movement, ...]:
    """Everything the game has moved so far, in order; seats handed over carry their money to the new player."""
    moved: list[Movement] = []
    for rule in state.rules.money:
        match rule:
            case Pot(stake):
                moved += _pot(state, stake)
            case _:
                assert_never(rule)
    return tuple(movement for movement in moved if movement.amount)


def pot_of(state: GameState) -> int:
    """What is in the pot (pozo) now."""
    return sum(
        movement.amount * ((movement.payee == POT) - (movement.payer == POT)) for movement in movements(state)
    )


def reentry_fee(state: GameState, player: PlayerId) -> int:
    """What the next re-entry of this player costs, on his own ladder."""
    reentry = state.rules.reentry
    assert reentry is not None, "nobody is pending where there is no re-entry"
    return price_of(reentry.price, state.player(player).reentries + 1)


def shares(amount: int, players: Sequence[PlayerId]) -> dict[PlayerId, int]:
    """`amount` in equal whole shares; the odd units go one each to the first of `players`."""
    each, odd = divmod(amount, len(players))
    return {player: each + (place < odd) for place, player in enumerate(players)}


def _pot(state: GameState, stake: int) -> Iterator[Movement]:
    paid = _paid_in(state, stake)
    yield from paid
    outcome = state.outcome
    if outcome is None:
        return
    if outcome.refunded:
        for put_in in paid:
            yield Movement(POT, put_in.payer, put_in.amount, Cause.REFUND, outcome.number)
        return
    # RULES 1.3: the odd units by seat after the dealer of the last round, before the first the one due to deal.
    around = state.seats_after(state.dealt or str(state.due))
    winners = [player.id for player in around if player.id in outcome.winners]
    for winner, share in shares(sum(put_in.amount for put_in in paid), winners).items():
        yield Movement(POT, winner, share, Cause.POT, outcome.number)


def _paid_in(state: GameState, stake: int) -> list[Movement]:
    paid: list[Movement] = []
    for step in state.steps:
        match step.event:
            case GameStarted(players=players):
                paid += (Movement(player.id, POT, stake, Cause.STAKE, step.number) for player in players)
            case PlayerJoined(player=player):
                paid.append(Movement(player.id, POT, stake, Cause.STAKE, step.number))
            case PlayerReentered(player=payer) if state.rules.reentry is not None:
                count = 1 + sum(m.payer == payer and m.cause is Cause.REENTRY for m in paid)
                fee = price_of(state.rules.reentry.price, count)
                paid.append(Movement(payer, POT, fee, Cause.REENTRY, step.number, count))
            case SeatHandedOver(player=old, to=new):
                paid = [replace(m, payer=new.id) if m.payer == old else m for m in paid]
            case _:
                pass  # nothing else reaches the pot
    return paid
