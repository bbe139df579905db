"""The CSS classes of an element, some of them conditional."""

from __future__ import annotations


def class_names(*always: str, **depending: bool) -> str:
    """Return the CSS classes in one string: `class_names("total", lead=True, red=False)` is "total lead"."""
    return " ".join([*always, *(mark for mark, holds in depending.items() if holds)])
