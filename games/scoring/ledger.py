"""From movements to people: what each won or lost, the places, and who pays whom."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from games.scoring.money import movements
from games.scoring.rounds import PlayerId
from games.scoring.state import GameState, PlayerState, Seat

EXACT_UP_TO = 12


@dataclass(frozen=True)
class Transfer:
    """One payment that helps to settle a game."""

    payer: PlayerId
    payee: PlayerId
    amount: int


def nets(state: GameState) -> dict[PlayerId, int]:
    """Won (+) or lost (−) by everybody so far, in seat order; with the pot they add up to zero."""
    net = dict.fromkeys((player.id for player in state.players), 0)
    for movement in movements(state):
        if movement.payer in net:
            net[movement.payer] -= movement.amount
        if movement.payee in net:
            net[movement.payee] += movement.amount
    return net


def places(state: GameState) -> dict[PlayerId, int]:
    """The place of everybody, 1 for winners; equal players share one (RULES 1.3)."""
    ranks = {player.id: _rank(state, player) for player in state.players}
    return {player: 1 + sum(other < rank for other in ranks.values()) for player, rank in ranks.items()}


def _rank(state: GameState, player: PlayerState) -> tuple[int, int, int]:
    """Sorts players: winners, those in by total, the out with later busts first, leavers."""
    total = player.total if state.rules.lowest_wins else -player.total
    if state.outcome is not None and player.id in state.outcome.winners:
        return (0, 0, 0)
    match player.seat:
        case Seat.IN:
            return (1, 0, total)
        case Seat.OUT | Seat.PENDING:
            return (2, -player.bust_at, total)
        case Seat.LEFT:
            return (3, 0, 0)


def payments(state: GameState) -> tuple[Transfer, ...]:
    """Who pays whom when the game is over; nothing while it runs."""
    return transfers(nets(state)) if state.is_over else ()


def transfers(net: Mapping[PlayerId, int]) -> tuple[Transfer, ...]:
    """The fewest payments that clear every net, the same ones for the same nets.

    `net` is in seat order and sums to zero. Exact up to 12 people with a net; above that one group, which
    takes at most one payment fewer than there are people (RULES 1.3).
    """
    owing = [(player, amount) for player, amount in net.items() if amount]
    groups = _zero_sum_groups([amount for _player, amount in owing])
    return tuple(payment for group in groups for payment in _within_group([owing[seat] for seat in group]))


def _within_group(owing: list[tuple[PlayerId, int]]) -> list[Transfer]:
    """The largest debtor pays the largest creditor until all are clear; ties by seat."""
    left = dict(owing)
    seats = {player: seat for seat, (player, _amount) in enumerate(owing)}
    payments = []
    while any(left.values()):
        payer = min(left, key=lambda player: (left[player], seats[player]))
        payee = min(left, key=lambda player: (-left[player], seats[player]))
        amount = min(-left[payer], left[payee])
        left[payer] += amount
        left[payee] -= amount
        payments.append(Transfer(payer, payee, amount))
    return payments


def _zero_sum_groups(amounts: list[int]) -> list[tuple[int, ...]]:
    """The amounts' positions in the most groups that each sum to zero; of several divisions the first by seat."""
    if len(amounts) > EXACT_UP_TO:
        return [tuple(range(len(amounts)))]
    sums, most = _group_counts(amounts)
    groups = []
    rest = (1 << len(amounts)) - 1
    while rest:
        group = min(
            (
                _positions(subset)
                for subset in _subsets_with_lowest(rest)
                if sums[subset] == 0 and most[rest & ~subset] == most[rest] - 1
            ),
        )
        groups.append(group)
        rest &= ~sum(1 << position for position in group)
    return groups


def _group_counts(amounts: list[int]) -> tuple[list[int], list[int]]:
    """For every subset as a bit mask: its sum, and the most disjoint zero-sum groups inside it."""
    size = 1 << len(amounts)
    sums, most = [0] * size, [0] * size
    for subset in range(1, size):
        lowest = subset & -subset
        sums[subset] = sums[subset ^ lowest] + amounts[lowest.bit_length() - 1]
        inside = max(most[subset ^ (1 << position)] for position in _positions(subset))
        most[subset] = inside + (sums[subset] == 0)
    return sums, most


def _positions(subset: int) -> tuple[int, ...]:
    return tuple(position for position in range(subset.bit_length()) if subset >> position & 1)


def _subsets_with_lowest(whole: int) -> list[int]:
    """Every subset of `whole` that holds its lowest member."""
    lowest = whole & -whole
    others = whole ^ lowest
    found, subset = [], others
    while True:
        found.append(subset | lowest)
        if not subset:
            return found
        subset = (subset - 1) & others
