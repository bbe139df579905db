"""Marks around names in a page's text, from which elements are made that no browser translates.

Rosa would become a rose. A sentence with a name is plain text until the page is written, so the name has a mark
on each side: two characters of Unicode's private use area, which no font shows. `naming.isolate` sets them while
a page is rendered, and `resolve` replaces them in the response. Files, the API and other texts have no marks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

BEGIN, END = "\ue000", "\ue001"
_ELEMENT = r'<bdi translate="no">\1</bdi>'
_MARKED = re.compile(f"{BEGIN}([^{BEGIN}{END}<]*){END}")
# also as JSON escapes them
_MARKS = re.compile(f"[{BEGIN}{END}]" + r"|\\ue00[01]")
# What takes no element inside: a text of its own, or a tag with its attributes.
_WITHOUT_ELEMENTS = re.compile(
    r"<(textarea|title|option|script)\b.*?</\1>"
    r"""|<[a-zA-Z/!](?:[^>"']|"[^"]*"|'[^']*')*>""",
    re.DOTALL,
)
_are_set: ContextVar[bool] = ContextVar("name_marks", default=False)


@contextmanager
def use_marks() -> Iterator[None]:
    """Mark names in the `with` block, in which a page is rendered."""
    token = _are_set.set(True)
    try:
        yield
    finally:
        _are_set.reset(token)


@contextmanager
def leave_out_marks() -> Iterator[None]:
    """Mark no names in the `with` block, in which a file is written."""
    token = _are_set.set(False)
    try:
        yield
    finally:
        _are_set.reset(token)


def mark(name: str) -> str:
    """Return the name between marks while a page is rendered, otherwise unchanged."""
    return f"{BEGIN}{name}{END}" if name and _are_set.get() and not name.startswith(BEGIN) else name


def are_in(content: bytes) -> bool:
    """Return whether the body of a response may have marks."""
    return BEGIN.encode() in content or rb"\ue000" in content


def remove(text: str) -> str:
    """Return the text without marks."""
    return _MARKS.sub("", text)


def resolve(html: str) -> str:
    """Return a page whose marked names are elements that no browser translates.

    In attributes and other places that take no elements, only the marks are removed.
    """
    cleaned = _WITHOUT_ELEMENTS.sub(lambda place: _MARKS.sub("", place[0]), html)
    return remove(_MARKED.sub(_ELEMENT, cleaned))
