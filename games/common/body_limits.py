"""The maximum lengths of a URL, a form and its fields. A view that takes more says so with `limit_body`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

LONGEST_ADDRESS = 2000  # bytes of a path, decoded, with its query
LARGEST_FORM = 500_000  # bytes of the body of a form without a file
LARGEST_UPLOAD = 16 * 2**20  # bytes that the server accepts at all; a page with files has its own limit
LONGEST_FIELD = 2000  # characters of a field

View = TypeVar("View", bound=Callable[..., object])


def limit_body(largest_body: int, **longest_fields: int) -> Callable[[View], View]:
    """Let a view take a body of so many bytes, and so many characters in each of the named fields."""

    def mark(view: View) -> View:
        view.__dict__.update(largest_body=largest_body, longest_fields=longest_fields)
        return view

    return mark


def max_body(view: object) -> int:
    """Return the maximum size of a form for this view, in bytes."""
    return int(getattr(view, "largest_body", LARGEST_FORM))


def max_field(view: object, name: str) -> int:
    """Return the maximum length of the field `name` for this view, in characters."""
    return int(getattr(view, "longest_fields", {}).get(name, LONGEST_FIELD))
