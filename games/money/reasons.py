"""The reasons of a balance: which causes add up to it since the person was last even (RULES 1.3).

A debt between two people has no reason of its own, since netting moves it from one to another. A balance has:
it is the sum of a person's entries.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from itertools import groupby
from operator import attrgetter
from typing import TypeAlias

MOST_LINES = 6  # lines of reasons that a person reads without unfolding any

CauseId: TypeAlias = tuple[str, int]  # the kind of a cause, such as "game", and its id


class Part(StrEnum):
    """The part of a balance to which an entry belongs. What was forgiven is no payment: no money moved."""

    OPENING = "opening"
    GAME = "game"
    EXPENSE = "expense"
    PAYMENT = "payment"
    FORGIVEN = "forgiven"


@dataclass(frozen=True)
class Effect:
    """The change of one person's balance by one entry of the books. `number` is its place in the books."""

    number: int
    cause: CauseId
    night: date
    amount: int
    part: Part


@dataclass(frozen=True)
class Reason:
    """A cause with its effect on a person; `is_rest` says that it is only what changed of it since they were even."""

    cause: CauseId
    number: int
    night: date
    amount: int
    is_rest: bool = False


@dataclass(frozen=True)
class ReasonLine:
    """A line: one reason, or those of a night folded, or with `is_until` all up to that night. `amount` is the sum."""

    reasons: tuple[Reason, ...]
    is_until: bool = False

    @property
    def amount(self) -> int:
        return sum(reason.amount for reason in self.reasons)

    @property
    def night(self) -> date:
        return self.reasons[-1].night


def reasons_of(effects: Sequence[Effect]) -> tuple[Reason, ...]:
    """Return why a person's balance is what it is, by night and then by the books.

    `effects` are those of all entries of the person, in the order of the books. The amounts add up to their sum.
    """
    standing = sorted(_standing(effects), key=attrgetter("number"))
    start, balance = 0, 0
    for place, effect in enumerate(standing, start=1):
        balance += effect.amount
        if balance == 0:
            start = place
    before = {effect.cause for effect in standing[:start]}
    since = sorted(standing[start:], key=lambda effect: (effect.cause, effect.number))
    reasons = []
    for cause, grouped in groupby(since, key=attrgetter("cause")):
        own = list(grouped)
        amount = sum(effect.amount for effect in own)
        reasons.append(Reason(cause, own[0].number, own[0].night, amount, cause in before))
    return tuple(sorted(reasons, key=attrgetter("night", "number")))


def _standing(effects: Iterable[Effect]) -> Iterator[Effect]:
    """Yield the entries by which each cause first had the effect that it has now, and those before it down to 0.

    Its other entries cancel each other: what was undone, or put back as it was, leaves no trace.
    """
    for _cause, grouped in groupby(
        sorted(effects, key=attrgetter("cause", "number")), key=attrgetter("cause")
    ):
        own = list(grouped)
        sums = [0]
        for effect in own:
            sums.append(sums[-1] + effect.amount)
        place = sums.index(sums[-1])
        while place:
            yield own[place - 1]
            place = sums.index(sums[place - 1])


def folded(reasons: Sequence[Reason], most: int = MOST_LINES) -> tuple[ReasonLine, ...]:
    """Return the reasons in at most so many lines: the oldest nights folded first, then all up to a night."""
    nights = [tuple(grouped) for _night, grouped in groupby(reasons, key=attrgetter("night"))]
    folded, left = 0, len(reasons)
    while left > most and folded < len(nights):
        left -= len(nights[folded]) - 1
        folded += 1
    lines = [ReasonLine(night) for night in nights[:folded]]
    lines += [ReasonLine((reason,)) for night in nights[folded:] for reason in night]
    if len(lines) <= most:
        return tuple(lines)
    oldest = len(lines) - most + 1
    until = tuple(reason for line in lines[:oldest] for reason in line.reasons)
    return (ReasonLine(until, is_until=True), *lines[oldest:])
