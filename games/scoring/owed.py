"""The debts of a finished game after payments and corrections, in the order these happened."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from .frozen import dataclass
from .ledger import Transfer, transfers
from .plan import kept_plan, unpaid
from .rounds import PlayerId

Nets: TypeAlias = Mapping[PlayerId, int]
Lines: TypeAlias = tuple[Transfer, ...]


@dataclass(frozen=True)
class Owed:
    """The debts still open, as lines of payer, payee and amount.

    `before` and `after` are the debts around the last correction that changed any debt; they are equal if no
    correction did. Corrections with no payment between them count as one.
    """

    lines: Lines = ()
    before: Lines = ()
    after: Lines = ()


def owed_after(steps: Iterable[Nets | Transfer]) -> Owed:
    """Return the debts after these steps, oldest first: results of the game (as nets), and payments.

    The open lines of a player add up to their net amount, less what they paid, plus what they received. A
    payment along one line leaves the other lines as they are. After a correction, the lines of the new result
    are used if they still explain the payments so far.
    """
    nets: Nets | None = None
    paid: Counter[PlayerId] = Counter()
    known: list[Lines] = []
    owed, is_correcting = Owed(), False
    for step in steps:
        if isinstance(step, Transfer):
            paid[step.payer] += step.amount
            paid[step.payee] -= step.amount
            is_correcting = False
            if nets is not None:
                owed = Owed(kept_plan(owed.lines, _left(nets, paid)), owed.before, owed.after)
        elif nets is None:
            nets = step
            lines = kept_plan(transfers(nets), _left(nets, paid))
            owed = Owed(lines, lines, lines)
        elif step != nets:
            before = owed.before if is_correcting else owed.lines
            nets, is_correcting = step, True
            lines = _corrected(nets, _left(nets, paid), known)
            owed = Owed(lines, before, lines)
        known.append(owed.lines)
    return owed


def _left(nets: Nets, paid: Mapping[PlayerId, int]) -> dict[PlayerId, int]:
    """Return each player's net amount after the payments, in seat order.

    Payers and payees who did not play come after the players.
    """
    return {player: nets.get(player, 0) + paid.get(player, 0) for player in dict.fromkeys((*nets, *paid))}


def _corrected(nets: Nets, left: Nets, known: Sequence[Lines]) -> Lines:
    """Return the open lines after a correction.

    These are the unpaid rest of the new result's lines. If those do not explain the payments, they are the
    rest of earlier lines, provided that a fresh settlement would not have fewer lines; otherwise a fresh
    settlement.
    """
    rest = unpaid(transfers(nets), left)
    if rest is not None:
        return rest
    fresh = transfers(left)
    earlier = (unpaid(lines, left) for lines in reversed(known))
    return next((rest for rest in earlier if rest is not None and len(rest) <= len(fresh)), fresh)
