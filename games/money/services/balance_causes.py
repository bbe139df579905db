"""The reasons for a balance: the causes that add up to it since the person was last even (RULES 1.3).

A debt between two people is not explained here, because netting moves debts from one pair to another
(`payee_reasons.py`). A balance is the sum of a person's entries.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from itertools import accumulate, groupby
from operator import attrgetter
from typing import NamedTuple, TypeAlias

MAX_LINES = 6  # lines of an explanation; older causes are folded

CauseId: TypeAlias = tuple[str, int]  # the kind of a cause, such as "game", and its id


class BalancePart(StrEnum):
    """The part of a balance that an entry belongs to. Forgiving is not payment, because no money moved."""

    OPENING = "opening"
    GAME = "game"
    EXPENSE = "expense"
    PAYMENT = "payment"
    FORGIVEN = "forgiven"


class EntryEffect(NamedTuple):
    """The change of one person's balance by one ledger entry. `number` is the entry's number."""

    number: int
    cause: CauseId
    night: date
    amount: int
    part: BalancePart


class BalanceCause(NamedTuple):
    """A cause with its effect on a person. With `is_rest` it is only the change since they were last even."""

    cause: CauseId
    number: int
    night: date
    amount: int
    is_rest: bool = False


class LineKind(StrEnum):
    """The kind of an explanation's line: one cause, or several folded into one.

    Folded are the causes of one night, of all nights up to one (`UNTIL`), or the smaller ones of the newest
    night (`OTHERS`).
    """

    CAUSE = "cause"
    NIGHT = "night"
    UNTIL = "until"
    OTHERS = "others"


@dataclass(frozen=True)
class ExplanationLine:
    """A line of an explanation: one cause, or several that are folded."""

    causes: tuple[BalanceCause, ...]
    kind: LineKind = LineKind.CAUSE

    @property
    def amount(self) -> int:
        return sum(reason.amount for reason in self.causes)

    @property
    def night(self) -> date:
        return self.causes[-1].night


def compute(effects: Sequence[EntryEffect]) -> tuple[BalanceCause, ...]:
    """Return the causes that add up to a person's balance, sorted by night and then by entry.

    `effects` are those of all of the person's entries, in ledger order.
    """
    net_effects = sorted(_net_effects(effects), key=attrgetter("number"))
    start, balance = 0, 0
    for place, effect in enumerate(net_effects, start=1):
        balance += effect.amount
        if balance == 0:
            start = place
    before = {effect.cause for effect in net_effects[:start]}
    reasons = []
    for cause, cause_effects in _group_by_cause(net_effects[start:]).items():
        amount = sum(effect.amount for effect in cause_effects)
        reasons.append(
            BalanceCause(cause, cause_effects[0].number, cause_effects[0].night, amount, cause in before)
        )
    return tuple(sorted(reasons, key=attrgetter("night", "number")))


def _group_by_cause(effects: Iterable[EntryEffect]) -> Mapping[CauseId, list[EntryEffect]]:
    groups = defaultdict[CauseId, list[EntryEffect]](list)
    for effect in effects:
        groups[effect.cause].append(effect)
    return groups


def _net_effects(effects: Iterable[EntryEffect]) -> Iterator[EntryEffect]:
    """Yield, for each cause, only the effects that make up its present amount.

    Effects that cancel each other out are dropped: an undone change, or one put back as it was, leaves no
    trace.
    """
    for cause_effects in _group_by_cause(effects).values():
        sums = [0, *accumulate(effect.amount for effect in cause_effects)]
        first_places = {total: place for place, total in reversed([*enumerate(sums)])}
        place = first_places[sums[-1]]
        while place:
            yield cause_effects[place - 1]
            place = first_places[sums[place - 1]]


def fold(reasons: Sequence[BalanceCause]) -> tuple[ExplanationLine, ...]:
    """Return the causes in at most MAX_LINES lines.

    Older nights are folded first, the oldest first, and then merged into one line. The newest night is never
    one line: if it does not fit, its largest amounts stay, and its other causes are folded.
    """
    nights = [tuple(group) for _night, group in groupby(reasons, key=attrgetter("night"))]
    newest = [ExplanationLine((reason,)) for night in nights[-1:] for reason in night]
    lines, unfolded = [], len(reasons)
    for night in nights[:-1]:
        if unfolded <= MAX_LINES or len(night) == 1:
            lines += [ExplanationLine((reason,)) for reason in night]
        else:
            lines.append(ExplanationLine(night, LineKind.NIGHT))
            unfolded -= len(night) - 1
    if len(lines) + len(newest) <= MAX_LINES:
        return (*lines, *newest)
    newest = _fold_newest(newest, MAX_LINES - bool(lines))
    merged = len(lines) + len(newest) - MAX_LINES + 1
    if merged > 1:
        until = tuple(reason for line in lines[:merged] for reason in line.causes)
        lines = [ExplanationLine(until, LineKind.UNTIL), *lines[merged:]]
    return (*lines, *newest)


def _fold_newest(lines: list[ExplanationLine], most: int) -> list[ExplanationLine]:
    """Return the newest night in at most `most` lines: the largest amounts in order, then the others."""
    if len(lines) <= most:
        return lines
    places = sorted(range(len(lines)), key=lambda place: (-abs(lines[place].amount), place))
    kept = set(places[: most - 1])
    others = tuple(line.causes[0] for place, line in enumerate(lines) if place not in kept)
    return [
        *(line for place, line in enumerate(lines) if place in kept),
        ExplanationLine(others, LineKind.OTHERS),
    ]
