"""A step counter with limits on the work of replaying a game and solving its hands.

Work is counted in steps, never in seconds. Solvers cache the answer to each question, such as the points of a
hand. A cached answer counts as many steps as a new one, once for each counter. So the same request gets the
same answer on any machine. Without a limit nothing is refused.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from threading import Lock
from typing import Generic, TypeVar

from .errors import RefusalCode, RuleError
from .i18n import _

EVENT_STEPS = 400  # steps for replaying one event; a step takes about a quarter of a microsecond

Question = TypeVar("Question", bound=Hashable)
Answer = TypeVar("Answer")


@dataclass
class StepBudget:
    """A counter of steps with a limit (None for no limit).

    The steps also count for the enclosing counter, `outer`. `counted_answers` are the cached answers whose
    steps this counter has already counted.
    """

    limit: int | None
    outer: StepBudget | None
    used: int = 0
    counted_answers: set[Hashable] = field(default_factory=set)

    def spend(self, steps: int) -> None:
        """Count these steps. Raise RuleError if the limit is exceeded."""
        self.used += steps
        if self.outer is not None:
            self.outer.spend(steps)
        self.check()

    def spend_once(self, question: Hashable, steps: int) -> None:
        """Count the steps of the answer to `question`, unless this counter has already counted them."""
        if question not in self.counted_answers:
            self.counted_answers.add(question)
            self.used += steps
        if self.outer is not None:
            self.outer.spend_once(question, steps)
        self.check()

    def check(self) -> None:
        """Raise RuleError if the limit is exceeded."""
        if self.limit is not None and self.used > self.limit:
            raise RuleError(
                _("These cards take too long to count. Enter everyone's points instead."),
                code=RefusalCode.TOO_MUCH,
            )


_BUDGET: ContextVar[StepBudget | None] = ContextVar("effort", default=None)


@contextmanager
def count_steps(
    limit: int | None = None, *, independent: bool = False, after: StepBudget | None = None
) -> Iterator[StepBudget]:
    """Count the steps of all work in the `with` block; raise RuleError if they exceed `limit`.

    Yield the counter, whose `used` is the number of steps so far. The steps count for the enclosing counter
    too, unless `independent`. With `after`, the count continues from the steps of that counter.
    """
    budget = StepBudget(limit, None if independent else _BUDGET.get())
    if after is not None:
        budget.used, budget.counted_answers = after.used, set(after.counted_answers)
    token = _BUDGET.set(budget)
    try:
        yield budget
    finally:
        _BUDGET.reset(token)


def spend_steps(steps: int) -> None:
    """Count these steps in the current counter, if there is one. Raise RuleError if they exceed its limit."""
    budget = _BUDGET.get()
    if budget is not None:
        budget.spend(steps)


class AnswerCache(Generic[Question, Answer]):
    """A cache of the `most` most recently used answers, each with the steps it took."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._answers: OrderedDict[Question, tuple[Answer, int]] = OrderedDict()
        self._lock = Lock()

    def answer(self, question: Question, solve: Callable[[], Answer]) -> Answer:
        """Return the cached answer to `question`, or call `solve` for a new one.

        The steps of the answer are counted in both cases.
        """
        with self._lock:
            known = self._answers.get(question)
            if known is not None:
                self._answers.move_to_end(question)
        if known is None:
            known = self._solve(question, solve)
        budget = _BUDGET.get()
        if budget is not None:
            budget.spend_once((id(self), question), known[1])
        return known[0]

    def _solve(self, question: Question, solve: Callable[[], Answer]) -> tuple[Answer, int]:
        """Solve the question, cache the answer, and return it with the steps it took.

        The steps are counted against the caller's limit only afterwards, because the work for a single answer
        is bounded anyway.
        """
        with count_steps(independent=True) as effort:
            answer = solve()
        with self._lock:
            self._answers[question] = answer, effort.used
            while len(self._answers) > self._most:
                self._answers.popitem(last=False)
        return answer, effort.used
