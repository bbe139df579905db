"""The shares of an expense, and the nets that follow from them (RULES 1.3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .rounds import PlayerId


def expense_shares(
    amount: int, payer: PlayerId, parts: Mapping[PlayerId, int], seats: Sequence[PlayerId]
) -> Mapping[PlayerId, int]:
    """Return each person's share of `amount`, in proportion to their parts.

    At least one part must be above 0. Shares are rounded down. The coins left over go one each to the first
    sharers in the order of `seats`, starting after the payer, who comes last. The mapping has this order,
    without people who have no part.
    """
    after, all_parts = seats.index(payer) + 1, sum(parts.values())
    order = [player for player in (*seats[after:], *seats[:after]) if parts.get(player)]
    borne = {player: amount * parts[player] // all_parts for player in order}
    odd = amount - sum(borne.values())
    return {player: part + (place < odd) for place, (player, part) in enumerate(borne.items())}


def expense_nets(amount: int, payer: PlayerId, borne: Mapping[PlayerId, int]) -> dict[PlayerId, int]:
    """Return the change of each person's balance by an expense, the payer's first.

    The changes add up to zero: the payer is owed the amount less their own share, and each other sharer owes
    their share.
    """
    nets = {payer: amount}
    for player, part in borne.items():
        nets[player] = nets.get(player, 0) - part
    return nets
