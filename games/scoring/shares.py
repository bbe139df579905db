"""The shares of a cost, and the nets that follow from them (RULES 1.3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .rounds import PlayerId


def expense_shares(
    amount: int, payer: PlayerId, parts: Mapping[PlayerId, int], seats: Sequence[PlayerId]
) -> Mapping[PlayerId, int]:
    """Return what each sharer bears of `amount`, in proportion to their parts, of which one at least is above 0.

    It is rounded down, and the coins left over go one each to the first sharers in the order of `seats`,
    starting after the payer, who comes last. The mapping has this order. Who has no part is no sharer.
    """
    after, all_parts = seats.index(payer) + 1, sum(parts.values())
    order = [player for player in (*seats[after:], *seats[:after]) if parts.get(player)]
    borne = {player: amount * parts[player] // all_parts for player in order}
    odd = amount - sum(borne.values())
    return {player: part + (place < odd) for place, (player, part) in enumerate(borne.items())}


def expense_nets(amount: int, payer: PlayerId, borne: Mapping[PlayerId, int]) -> dict[PlayerId, int]:
    """Return the change of each person's balance by a shared cost, the payer's first, adding up to zero.

    The payer is owed the amount less what they bear themselves, and each other sharer owes what they bear.
    """
    nets = {payer: amount}
    for player, part in borne.items():
        nets[player] = nets.get(player, 0) - part
    return nets
