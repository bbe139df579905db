"""The debts of a finished game after payments and corrections, in the order these happened."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from .ledger import Transfer, transfers
from .plan import kept_plan, unpaid
from .rounds import PlayerId

Nets: TypeAlias = Mapping[PlayerId, int]
Lines: TypeAlias = tuple[Transfer, ...]


@dataclass(frozen=True)
class Owed:
    """The debts still open, as lines: payments to be made, each with payer, payee and amount.

    `before` and `after` are the lines just before and just after the last correction that changed any debt;
    they are equal if no correction did. Corrections with no payment between them count as one.
    """

    lines: Lines = ()
    before: Lines = ()
    after: Lines = ()


def owed_after(steps: Iterable[Nets | Transfer]) -> Owed:
    """Return the debts after these steps, oldest first.

    A step is a payment or a result of the game, as the amount that each player won (+) or lost (−): the first
    result, and one after each correction of the game. A payment of a line leaves the other lines as they are.
    After a correction, the debts are the lines that settle the new result, less what was paid of them, if the
    payments so far fit these lines; otherwise the unpaid rest of earlier lines, or new lines.
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
    """Return the amount that each person is still owed (+) or owes (−), players first, in seat order.

    `nets` are the amounts won in the game. `paid` are the amounts paid less those received; people who did
    not play may be in it too.
    """
    return {player: nets.get(player, 0) + paid.get(player, 0) for player in dict.fromkeys((*nets, *paid))}


def _corrected(nets: Nets, left: Nets, known: Sequence[Lines]) -> Lines:
    """Return the open lines after a correction with the new result `nets`; `left` are the amounts still open.

    Lines fit if paying them, in full or in part, can have led to `left`. If the lines that settle the new
    result fit, return their unpaid rest. Otherwise try the lines after each earlier step (`known`), the
    latest first: return the unpaid rest of the first that fit, if it has no more lines than a fresh
    settlement of `left`. If none do, return this settlement.
    """
    rest = unpaid(transfers(nets), left)
    if rest is not None:
        return rest
    fresh = transfers(left)
    earlier = (unpaid(lines, left) for lines in reversed(known))
    return next((rest for rest in earlier if rest is not None and len(rest) <= len(fresh)), fresh)
