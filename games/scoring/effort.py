"""How much it takes to play a game and to solve its hands, in steps, and how many of them whoever asks allows.

Steps are counted, never timed, and what is kept from before counts as if it were worked out anew, once for whoever asks:
the same question always gets the same answer, on any machine. Nobody who sets no bound is ever refused.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from threading import Lock
from typing import Generic, TypeVar

from games.scoring.errors import Refusal, RuleError
from games.scoring.words import _

EVENT = 400  # steps of playing an event, each of them about a quarter of a microsecond

Question = TypeVar("Question", bound=Hashable)
Answer = TypeVar("Answer")


@dataclass
class Effort:
    """The steps taken so far, and at most how many, None for any number; they count for the `outer` one too."""

    most: int | None
    outer: Effort | None
    taken: int = 0
    answered: set[Hashable] = field(default_factory=set)

    def spend(self, steps: int) -> None:
        """Counts these steps; RuleError where they are too many."""
        self.taken += steps
        if self.outer is not None:
            self.outer.spend(steps)
        self.check()

    def spend_once(self, question: Hashable, steps: int) -> None:
        """Counts the steps of an answer that is kept, unless they count already."""
        if question not in self.answered:
            self.answered.add(question)
            self.taken += steps
        if self.outer is not None:
            self.outer.spend_once(question, steps)
        self.check()

    def check(self) -> None:
        """RuleError where the steps are too many."""
        if self.most is not None and self.taken > self.most:
            raise RuleError(
                _("This takes too much counting here. Enter what everybody was left with as points."),
                code=Refusal.TOO_MUCH,
            )


_EFFORT: ContextVar[Effort | None] = ContextVar("effort", default=None)


@contextmanager
def counted(most: int | None = None, *, alone: bool = False, after: Effort | None = None) -> Iterator[Effort]:
    """Counts the steps of everything solved inside; RuleError there as soon as they are more than `most`.

    They count for who counts outside too, unless they are to be counted `alone`. With `after` the count goes on where
    that one ended.
    """
    effort = Effort(most, None if alone else _EFFORT.get())
    if after is not None:
        effort.taken, effort.answered = after.taken, set(after.answered)
    token = _EFFORT.set(effort)
    try:
        yield effort
    finally:
        _EFFORT.reset(token)


def spend(steps: int) -> None:
    """Counts these steps; RuleError where whoever asked allows no more."""
    effort = _EFFORT.get()
    if effort is not None:
        effort.spend(steps)


class Kept(Generic[Question, Answer]):
    """The newest answers to questions that take long, at most so many, each with the steps it took."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._answers: OrderedDict[Question, tuple[Answer, int]] = OrderedDict()
        self._lock = Lock()

    def answer(self, question: Question, solve: Callable[[], Answer]) -> Answer:
        """What `solve` says, or said of this question before; either way its steps count."""
        with self._lock:
            known = self._answers.get(question)
            if known is not None:
                self._answers.move_to_end(question)
        if known is None:
            known = self._solved(question, solve)
        effort = _EFFORT.get()
        if effort is not None:
            effort.spend_once((id(self), question), known[1])
        return known[0]

    def _solved(self, question: Question, solve: Callable[[], Answer]) -> tuple[Answer, int]:
        """The answer, and how many steps it took, which whoever asks counts afterwards: one answer is bounded."""
        with counted(alone=True) as effort:
            found = solve()
        with self._lock:
            self._answers[question] = found, effort.taken
            while len(self._answers) > self._most:
                self._answers.popitem(last=False)
        return found, effort.taken
