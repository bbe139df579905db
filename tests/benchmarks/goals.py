"""How a benchmark says what it found."""

from __future__ import annotations


def say(goal: str, figure: str, *, met: bool) -> None:
    """One line: whether the goal is met, what it is, what was measured."""
    print(f"{'met ' if met else 'MISSED'}  {goal}: {figure}", flush=True)
