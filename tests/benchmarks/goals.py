"""The printed line for a benchmark's goal."""

from __future__ import annotations


def report(goal: str, figure: str, *, met: bool) -> None:
    """Print whether the goal is met, its name, and the measured figure."""
    print(f"{'met ' if met else 'MISSED'}  {goal}: {figure}", flush=True)
