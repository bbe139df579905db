"""The parts of a shared cost (RULES 1.3)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from .rounds import PlayerId


def parts_of(
    amount: int, payer: PlayerId, sharers: Collection[PlayerId], seats: Sequence[PlayerId]
) -> Mapping[PlayerId, int]:
    """Return the part of `amount` that each sharer bears.

    The parts are equal but for the coins left over. These go one each to the first sharers in the order of
    `seats`, starting after the payer, who comes last. The mapping has this order.
    """
    after = seats.index(payer) + 1
    order = [player for player in (*seats[after:], *seats[:after]) if player in sharers]
    part, odd = divmod(amount, len(order))
    return {player: part + (place < odd) for place, player in enumerate(order)}


def nets_of_cost(
    amount: int, payer: PlayerId, sharers: Collection[PlayerId], seats: Sequence[PlayerId]
) -> dict[PlayerId, int]:
    """Return the change of each person's balance by a shared cost, the payer's first, adding up to zero.

    The payer is owed the amount less any part of their own, and each other sharer owes their part. `parts_of`
    computes the parts.
    """
    nets = {payer: amount}
    for player, part in parts_of(amount, payer, sharers, seats).items():
        nets[player] = nets.get(player, 0) - part
    return nets
