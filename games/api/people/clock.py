"""The clock of a table: the time zone that decides its hours and nights, and the earlier zones."""

from __future__ import annotations

from typing import Any

from django.utils.timezone import now
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.common.endpoints import Endpoint, answer
from games.api.common.schema import refusals
from games.api.people import payloads
from games.models import Table
from games.nights import night_of, zone_on
from games.people.clocks import change_zone, zone_change

_COSTA_RICA, _BUENOS_AIRES = "America/Costa_Rica", "America/Argentina/Buenos_Aires"
CHANGED = OpenApiExample(
    "from tomorrow on",
    value={
        "timezone": _BUENOS_AIRES,
        "next": _COSTA_RICA,
        "counts_from": "2026-11-21T03:00:00-06:00",
        "earlier": [{"timezone": _BUENOS_AIRES, "until": "2026-11-19"}],
    },
    response_only=True,
)


class Clock(Endpoint):
    """The endpoint that returns or changes the clock of a table."""

    query = ()

    @extend_schema(
        operation_id="clock",
        summary="The clock of a table",
        description=(
            "The time zone that counts now, the one that counts from the next night if it was changed, and "
            "those of earlier nights."
        ),
        responses={200: payloads.ClockSaid, **refusals("not_found")},
        examples=[CHANGED],
    )
    def get(self, request: Request, code: str) -> Response:
        """Return the table's clock."""
        return _answer(self.table_opened(code))

    @extend_schema(
        operation_id="change_clock",
        summary="Change the time zone of a table",
        description=(
            "For owners. The change counts from the next night; earlier nights keep their hours. A second "
            "change in the same night replaces the first one."
        ),
        request=payloads.ClockSent,
        responses={200: payloads.ClockSaid, **refusals("body", "not_found")},
        examples=[CHANGED],
    )
    def patch(self, request: Request, code: str) -> Response:
        """Change the time zone, and return the clock."""
        table = self.table_opened(code, for_owning=True)
        change_zone(table, self.sent(payloads.ClockSent)["timezone"])
        return _answer(table)


def _answer(table: Table) -> Response:
    counts_from = zone_change(table)
    clock: dict[str, Any] = {
        "timezone": zone_on(night_of(now(), table), table),
        "next": None if counts_from is None else table.timezone,
        "counts_from": counts_from,
        "earlier": [{"timezone": zone, "until": last} for zone, last in table.earlier_zones],
    }
    return answer(payloads.ClockSaid.of(clock, table=table))
