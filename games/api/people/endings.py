"""The base of endpoints that change who has access to a table."""

from __future__ import annotations

from games.api.common.endpoints import Endpoint
from games.api.people.payloads import AlsoSent


class InSession(Endpoint):
    """An endpoint about access to a table, or about its end: for sessions, never for tokens."""

    session_only = True

    def also_sent(self) -> set[int]:
        """Return the ids of other grants that end too; the whole body may be left out."""
        also: set[int] = self.sent(AlsoSent).get("also", set()) if self.request.data else set()
        return also
