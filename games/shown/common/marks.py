"""The classes of an element, of which some depend on what it shows."""

from __future__ import annotations


def marked(*always: str, **depending: bool) -> str:
    """The class attribute: `marked("total", lead=True, red=False)` is "total lead"."""
    return " ".join([*always, *(mark for mark, holds in depending.items() if holds)])
