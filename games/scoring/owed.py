"""What a game that is over still owes, through payments and corrections as they came."""

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
    """The lines still open, and what was owed before and after the last correction that changed who owes what.

    Corrections with no payment between them are one. `before` and `after` are the same where none changed anything.
    """

    lines: Lines = ()
    before: Lines = ()
    after: Lines = ()


def owed_after(steps: Iterable[Nets | Transfer]) -> Owed:
    """What is owed once all of this has come, oldest first: how the game came out, each time it did, and each payment.

    Of everybody the open lines add up to his net less what he paid and was paid. A payment along a line leaves the
    others as they are; a correction leaves the lines of its own result, where these still explain what was paid.
    """
    nets: Nets | None = None
    paid: Counter[PlayerId] = Counter()
    known: list[Lines] = []
    found, is_correcting = Owed(), False
    for step in steps:
        if isinstance(step, Transfer):
            paid[step.payer] += step.amount
            paid[step.payee] -= step.amount
            is_correcting = False
            if nets is not None:
                found = Owed(kept_plan(found.lines, _left(nets, paid)), found.before, found.after)
        elif nets is None:
            nets = step
            lines = kept_plan(transfers(nets), _left(nets, paid))
            found = Owed(lines, lines, lines)
        elif step != nets:
            before = found.before if is_correcting else found.lines
            nets, is_correcting = step, True
            lines = _corrected(nets, _left(nets, paid), known)
            found = Owed(lines, before, lines)
        known.append(found.lines)
    return found


def _left(nets: Nets, paid: Mapping[PlayerId, int]) -> dict[PlayerId, int]:
    """Everybody's net less what was paid, in seat order; a payer or payee who did not play comes last."""
    return {player: nets.get(player, 0) + paid.get(player, 0) for player in dict.fromkeys((*nets, *paid))}


def _corrected(nets: Nets, left: Nets, known: Sequence[Lines]) -> Lines:
    """The rest of the lines the result has now, else of lines there were before, if they are no more than new ones."""
    rest = unpaid(transfers(nets), left)
    if rest is not None:
        return rest
    fresh = transfers(left)
    earlier = (unpaid(lines, left) for lines in reversed(known))
    return next((rest for rest in earlier if rest is not None and len(rest) <= len(fresh)), fresh)
