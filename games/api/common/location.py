"""The address of what a request created, for the header `Location` of a 201 response."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.urls import reverse

# By the URL name of an operation that creates an object: the URL name of that object, and the field of the
# answer that identifies it (its code, or an id that follows the table's code in the address).
CREATED: Mapping[str, tuple[str, str]] = {
    "api-tables": ("api-table", "code"),
    "api-table-files": ("api-table", "code"),
    "api-games": ("api-game", "code"),
    "api-rematch": ("api-game", "code"),
    "api-payments": ("api-payment", "id"),
}


def location_of(created_by: str, code: str, body: Mapping[str, Any]) -> str | None:
    """Return the address of the object that this request created; None if the object has no address.

    `created_by` is the URL name of the requested address, `code` the code of the table in it ("" if there is
    none), and `body` the body of the answer.
    """
    if created_by not in CREATED:
        return None
    name, field = CREATED[created_by]
    return reverse(name, args=[body[field]] if field == "code" else [code, body[field]])
