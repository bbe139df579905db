"""The class that describes an operation for OpenAPI: its path parameters, authentication and body."""

from __future__ import annotations

import re
from typing import Any

from drf_spectacular.openapi import AutoSchema
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter

TEXT, NUMBER, DAY = OpenApiTypes.STR, OpenApiTypes.INT, {"type": "string", "format": "date"}
LONG: Any = {"type": "integer", "minimum": 1, "maximum": 2**63 - 1}
SEASON: Any = {"type": "integer", "minimum": 1, "maximum": 2**31}


def _part(name: str, kind: Any, text: str) -> OpenApiParameter:
    return OpenApiParameter(name, kind, OpenApiParameter.PATH, description=text)


# The path parameters of all addresses, by name.
PARTS = {
    part.name: part
    for part in (
        _part("code", TEXT, "The code of a table or a game, as in the address of its page."),
        _part("member", TEXT, "The id of a member, as in events."),
        _part("other", TEXT, "The id of another member."),
        _part("payment", LONG, "The id of a payment."),
        _part("cost", LONG, "The id of a shared cost."),
        _part("night", DAY, "The day the night began."),
        _part("season", SEASON, "The id of a season."),
        _part("key", TEXT, "The key of a variant."),
    )
}


class Operation(AutoSchema):
    """The drf-spectacular schema of an endpoint, adapted to this API."""

    def get_override_parameters(self) -> list[Any]:
        """Return the descriptions of the path parameters in the operation's address."""
        return [PARTS[name] for name in re.findall(r"\{(\w+)\}", self.path) if name in PARTS]

    def get_request_serializer(self) -> Any:
        """Return None: an operation has no body unless `extend_schema` names a serializer for it."""
        return None
