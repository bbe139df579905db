"""The raw lengths that an address and a form may have: of its body and its fields. A view that takes more says so."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

LONGEST_ADDRESS = 2000  # bytes of a path, decoded, with its query
LARGEST_FORM = 500_000  # bytes of the body of a form without a file
LARGEST_UPLOAD = 16 * 2**20  # bytes that the server takes at all: a page with files tells its own limit
LONGEST_FIELD = 2000  # letters of a field

View = TypeVar("View", bound=Callable[..., object])


def limit_body(largest_body: int, **longest_fields: int) -> Callable[[View], View]:
    """Let a view take a body of so many bytes, and in the named fields so many letters."""

    def mark(view: View) -> View:
        view.__dict__.update(largest_body=largest_body, longest_fields=longest_fields)
        return view

    return mark


def max_body(view: object) -> int:
    """Return the most bytes of a form that this view takes."""
    return int(getattr(view, "largest_body", LARGEST_FORM))


def max_field(view: object, name: str) -> int:
    """Return the most letters that this view takes in the field `name`."""
    return int(getattr(view, "longest_fields", {}).get(name, LONGEST_FIELD))
