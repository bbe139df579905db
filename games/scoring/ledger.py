"""Each player's net amount and place, and the payments that settle a game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import chain

from .frozen import Frozen
from .i18n import Text, _
from .money import Cause, Movement, movements
from .rounds import PlayerId
from .state import GameState, PlayerState, Seat
from .zero_sums import partition_amounts


@dataclass(frozen=True, eq=False, repr=False)
class Transfer(Frozen):
    """A payment of `amount` from `payer` to `payee`, to be made or already made."""

    payer: PlayerId
    payee: PlayerId
    amount: int


@dataclass(frozen=True, eq=False, repr=False)
class Settlement(Frozen):
    """Payments that clear every net amount; `least` is a lower bound for the number of payments."""

    transfers: tuple[Transfer, ...]
    least: int

    @property
    def is_exact(self) -> bool:
        """True if these are known to be the fewest payments possible: there are only `least` of them."""
        return len(self.transfers) == self.least

    @property
    def text(self) -> Text:
        """A sentence that says whether these are the fewest payments possible."""
        if self.is_exact:
            return _("This is already the fewest payments possible.")
        return _("At least {least} payments are needed; this is too few.", least=self.least)


def nets(state: GameState) -> dict[PlayerId, int]:
    """Return each player's net amount so far, won (+) or lost (−), in seat order.

    Together with the pot the amounts add up to zero.
    """
    net = dict.fromkeys((player.id for player in state.players), 0)
    for movement in movements(state):
        if movement.payer in net:
            net[movement.payer] -= movement.amount
        if movement.payee in net:
            net[movement.payee] += movement.amount
    return net


def pair_nets(game_movements: Iterable[Movement]) -> Mapping[tuple[PlayerId, PlayerId], int]:
    """Return what each player won (+) or lost (−) against each other player, by (player, other).

    Only movements that settle a difference of totals count. Both orders of a pair are present.
    """
    won: Counter[tuple[PlayerId, PlayerId]] = Counter()
    for movement in game_movements:
        if movement.cause is Cause.DIFFERENCE:
            won[movement.payee, movement.payer] += movement.amount
            won[movement.payer, movement.payee] -= movement.amount
    return won


def places(state: GameState) -> dict[PlayerId, int]:
    """Return everyone's place, 1 for winners; equal players share a place (RULES 1.3)."""
    if state.imported_night is not None:
        return dict(state.imported_night.places)
    ranks = {player.id: _rank(state, player) for player in state.players}
    return {player: 1 + sum(other < rank for other in ranks.values()) for player, rank in ranks.items()}


def _rank(state: GameState, player: PlayerState) -> tuple[int, int, int]:
    """Return the sort key of a player's place; the best comes first.

    The order: winners; players still in, the best total first; players who sat out a play-off, likewise;
    players who are bust, those who went bust later first; leavers.
    """
    total = player.total if state.rules.lowest_wins else -player.total
    if state.outcome is not None and player.id in state.outcome.winners:
        return (0, 0, 0)
    match player.seat:
        case Seat.IN:
            return (1, 0, total)
        case Seat.SITTING_OUT:
            return (1, 1, total)
        case Seat.OUT | Seat.PENDING:
            return (2, -player.bust_at, total)
        case Seat.LEFT:
            return (3, 0, 0)


def payments(state: GameState) -> tuple[Transfer, ...]:
    """Return the payments that settle a finished game; none while the game is running."""
    return transfers(nets(state)) if state.is_over else ()


def transfers(net: Mapping[PlayerId, int]) -> tuple[Transfer, ...]:
    """Return payments that clear every net amount; the same amounts always give the same payments.

    They are the fewest possible for up to 12 people. Above that, use `settlement`: its result tells whether
    the payments are known to be the fewest.
    """
    return settlement(net).transfers


def settlement(net: Mapping[PlayerId, int]) -> Settlement:
    """Return the payments that clear every net amount.

    `net` is in seat order and sums to zero. For up to 12 people with an amount the payments are always the
    fewest possible. Above that, they are known to be the fewest only if this can be proved (RULES 1.3).
    """
    owing = [(player, amount) for player, amount in net.items() if amount]
    partition = partition_amounts([amount for _player, amount in owing])
    groups = ([owing[position] for position in group] for group in partition.groups)
    paid = tuple(chain.from_iterable(map(_within_group, groups)))
    return Settlement(paid, least=len(owing) - partition.most)


def _within_group(owing: list[tuple[PlayerId, int]]) -> list[Transfer]:
    """Return the payments that settle one group, whose amounts sum to zero.

    The largest debtor pays the largest creditor until all are clear; equal amounts go by seat.
    """
    remaining, group_transfers = dict(owing), []
    while any(remaining.values()):
        payer, payee = min(remaining, key=remaining.__getitem__), max(remaining, key=remaining.__getitem__)
        amount = min(-remaining[payer], remaining[payee])
        remaining[payer] += amount
        remaining[payee] -= amount
        group_transfers.append(Transfer(payer, payee, amount))
    return group_transfers
