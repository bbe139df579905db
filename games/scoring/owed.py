"""The debts of a finished game, through payments and corrections in the order they happened."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from games.scoring.ledger import Transfer, transfers
from games.scoring.plan import kept_plan, unpaid
from games.scoring.rounds import PlayerId

Nets: TypeAlias = Mapping[PlayerId, int]
Lines: TypeAlias = tuple[Transfer, ...]


@dataclass(frozen=True)
class Owed:
    """The lines still open, and the debts before and after the last correction that changed them.

    Corrections with no payment between them count as one. `before` and `after` are equal if none changed
    anything.
    """

    lines: Lines = ()
    before: Lines = ()
    after: Lines = ()


def owed_after(steps: Iterable[Nets | Transfer]) -> Owed:
    """Return the debts after these steps, oldest first: results of the game as nets, and payments.

    The open lines of a player add up to their net less what they paid, plus what they received. A payment
    along a line leaves the others as they are; a correction keeps the lines of its own result if these still
    explain what was paid.
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
    """Return everybody's net less what was paid, in seat order; payers and payees who did not play come last."""
    return {player: nets.get(player, 0) + paid.get(player, 0) for player in dict.fromkeys((*nets, *paid))}


def _corrected(nets: Nets, left: Nets, known: Sequence[Lines]) -> Lines:
    """Return the rest of the new result's lines, or of earlier lines if they are no more than fresh ones."""
    rest = unpaid(transfers(nets), left)
    if rest is not None:
        return rest
    fresh = transfers(left)
    earlier = (unpaid(lines, left) for lines in reversed(known))
    return next((rest for rest in earlier if rest is not None and len(rest) <= len(fresh)), fresh)
