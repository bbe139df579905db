"""The class attribute of an element, in part depending on what it shows."""

from __future__ import annotations


def class_names(*always: str, **depending: bool) -> str:
    """Return the class attribute: `marked("total", lead=True, red=False)` is "total lead"."""
    return " ".join([*always, *(mark for mark, holds in depending.items() if holds)])
