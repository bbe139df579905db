"""The printed line of a goal of a benchmark."""

from __future__ import annotations


def report(goal: str, figure: str, *, met: bool) -> None:
    """Print a line that says whether the goal is met, its name, and the measured figure."""
    print(f"{'met ' if met else 'MISSED'}  {goal}: {figure}", flush=True)
