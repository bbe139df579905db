"""Pagination of long lists by an opaque cursor, which holds the last row of a page or an offset."""

from __future__ import annotations

import binascii
import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, TypeVar

from django.core.exceptions import ValidationError
from django.db.models import Field, Model, Q, QuerySet
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.request import Request

from games.api.common.problems import Problem
from games.scoring.words import _

USUAL, MOST = 50, 200
LONGEST_CURSOR = 200
HIGHEST = 2**31  # limit of a number inside a cursor; every database can store it

CURSOR = OpenApiParameter(
    "cursor",
    {"type": "string", "maxLength": LONGEST_CURSOR},
    OpenApiParameter.QUERY,
    description="The `next` of the previous page.",
)
LIMIT = OpenApiParameter(
    "limit",
    {"type": "integer", "minimum": 1, "maximum": MOST, "default": USUAL},
    OpenApiParameter.QUERY,
    description="The largest number of rows in a page.",
)
PAGED = [CURSOR, LIMIT]

Row = TypeVar("Row", bound=Model)


class NextSaid(serializers.CharField):
    """The answer field for the cursor of the next page; null on the last page."""

    def __init__(self) -> None:
        super().__init__(allow_null=True, help_text="The cursor of the next page; null on the last page.")


@dataclass(frozen=True)
class Page(Generic[Row]):
    """The rows of one page, and the cursor of the next page; the cursor is None on the last page."""

    rows: list[Row]
    next: str | None


def page_of(request: Request, rows: QuerySet[Row], by: str) -> Page[Row]:
    """Return the requested page of the rows, ordered by the field `by`, descending if it begins with `-`.

    The query parameters `cursor` and `limit` say which page; raise Problem if one of them is wrong. Rows with
    the same value are ordered by primary key, so that no row is repeated or left out between pages.
    """
    field, limit = by.removeprefix("-"), limit_sent(request)
    sign, beyond = ("-", "lt") if by.startswith("-") else ("", "gt")
    cursor = _cursor_sent(request)
    if cursor is not None:
        value, pk = _place(rows.model, field, cursor)
        rows = rows.filter(Q((f"{field}__{beyond}", value)) | Q((field, value), (f"pk__{beyond}", pk)))
    page = list(rows.order_by(by, f"{sign}pk")[: limit + 1])
    if len(page) <= limit:
        return Page(page, None)
    last = page[limit - 1]
    return Page(page[:limit], _cursor([_plain(getattr(last, field)), last.pk]))


def limit_sent(request: Request) -> int:
    """Return the requested page size; raise Problem unless it is a number from 1 to `MOST`."""
    text = request.query_params.get("limit", str(USUAL))
    if text.isascii() and text.isdigit() and len(text) <= 9 and 1 <= int(text) <= MOST:
        return int(text)
    raise Problem(
        "bad_request", _("“limit” must be a whole number from 1 to {most}.", most=MOST), field="limit"
    )


def start_sent(request: Request) -> int:
    """Return the offset in the cursor that was sent, for lists paged by offset; 0 without a cursor.

    Raise Problem if the cursor is not one that `cursor_at` returned.
    """
    cursor = _cursor_sent(request)
    if cursor is None:
        return 0
    if len(cursor) != 1 or not _is_number(cursor[0]):
        raise _unknown()
    return int(cursor[0])


def cursor_at(start: int) -> str:
    """Return the cursor of the page that begins at the row with this offset."""
    return _cursor([start])


def _plain(value: object) -> object:
    return value.isoformat() if isinstance(value, datetime) else value


def _cursor(place: list[object]) -> str:
    return urlsafe_b64encode(json.dumps(place).encode()).decode().rstrip("=")


def _cursor_sent(request: Request) -> list[Any] | None:
    text = request.query_params.get("cursor")
    if text is None:
        return None
    if len(text) > LONGEST_CURSOR:
        raise _unknown()
    try:
        place = json.loads(urlsafe_b64decode(text.encode() + b"=" * (-len(text) % 4)))
    except (ValueError, binascii.Error, RecursionError):
        raise _unknown() from None
    if not isinstance(place, list):
        raise _unknown()
    return place


def _place(model: type[Model], field: str, cursor: list[Any]) -> tuple[Any, int]:
    """Return the value of `field` in the last row of the previous page, and the primary key of that row.

    Both are in `cursor`, the decoded cursor that was sent; raise Problem if it has another form.
    """
    if len(cursor) != 2 or not _is_number(cursor[1]):
        raise _unknown()
    value, pk = cursor
    if not isinstance(value, str) and not _is_number(value):
        raise _unknown()
    try:
        ordered = _column(model, field).to_python(value)
    except (ValidationError, OverflowError, TypeError, ValueError):
        raise _unknown() from None
    if (isinstance(ordered, datetime) and ordered.tzinfo is None) or "\x00" in str(ordered):
        raise _unknown()
    return ordered, pk


def _column(model: type[Model], name: str) -> Field[Any, Any]:
    column = model._meta.get_field(name)
    assert isinstance(column, Field)
    return column


def _is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < HIGHEST


def _unknown() -> Problem:
    return Problem(
        "bad_request", _("This cursor is unknown: use one from an earlier answer."), field="cursor"
    )
