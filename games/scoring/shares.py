"""The shares of an expense, and the nets that follow from them (RULES 1.3)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from .rounds import PlayerId


def main_payer(paid: Mapping[PlayerId, int], seats: Iterable[PlayerId]) -> PlayerId:
    """Return the person who paid most; of equal payers, the first in the order of `seats`."""
    most = max(paid.values())
    return next(player for player in seats if paid.get(player) == most)


def expense_shares(
    amount: int, paid: Mapping[PlayerId, int], parts: Mapping[PlayerId, int], seats: Sequence[PlayerId]
) -> Mapping[PlayerId, int]:
    """Return each person's share of `amount`, in proportion to their parts.

    `paid` is what each payer paid. At least one part must be above 0. Shares are rounded down. The coins left
    over go one each to the first sharers in the order of `seats`, starting after the main payer: first to
    those who paid nothing, then to the payers, the main payer last. The mapping has this order, without
    people who have no part.
    """
    after, all_parts = seats.index(main_payer(paid, seats)) + 1, sum(parts.values())
    sharers = [player for player in (*seats[after:], *seats[:after]) if parts.get(player)]
    order = sorted(sharers, key=paid.__contains__)
    borne = {player: amount * parts[player] // all_parts for player in order}
    odd = amount - sum(borne.values())
    return {player: part + (place < odd) for place, (player, part) in enumerate(borne.items())}


def expense_nets(paid: Mapping[PlayerId, int], borne: Mapping[PlayerId, int]) -> dict[PlayerId, int]:
    """Return the change of each person's balance by an expense: what they paid less their share.

    The payers come first. The changes add up to zero, because both add up to the amount.
    """
    nets = dict(paid)
    for player, part in borne.items():
        nets[player] = nets.get(player, 0) - part
    return nets
