"""Long lists in pages, by DRF's opaque cursor: what others write meanwhile repeats and hides no row."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ValidationError
from rest_framework import serializers
from rest_framework.exceptions import NotFound
from rest_framework.pagination import CursorPagination
from rest_framework.request import Request

from games.common.api.problems import Problem
from games.common.api.serializers import StrictSerializer
from games.scoring.words import _

USUAL, MOST = 50, 200
LONGEST_CURSOR = 300


class PageQuery(StrictSerializer):
    """The parameters of a list in pages."""

    cursor = serializers.CharField(
        required=False, max_length=LONGEST_CURSOR, help_text="It is part of the address in `next`."
    )
    limit = serializers.IntegerField(
        required=False, min_value=1, max_value=MOST, help_text=f"The most rows of a page; {USUAL} by default."
    )


class Pages(CursorPagination):
    """Pages in the view's `ordering`. A wrong cursor is refused as a wrong parameter."""

    page_size, max_page_size, page_size_query_param = USUAL, MOST, "limit"

    def get_ordering(self, request: Request, queryset: Any, view: Any) -> tuple[str, ...]:
        """Return the ordering of the view, whose first field the cursor holds."""
        ordering: tuple[str, ...] = view.ordering
        return ordering

    def paginate_queryset(self, queryset: Any, request: Request, view: Any = None) -> list[Any] | None:
        """Return the rows of the page; raise Problem for a cursor that is none of ours."""
        try:
            return super().paginate_queryset(queryset, request, view)
        except (NotFound, ValidationError, ValueError, TypeError, OverflowError):
            sentence = _("This cursor is unknown: use one from an earlier answer.")
            raise Problem("bad_request", sentence, field="cursor") from None
