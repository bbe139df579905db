"""The base class of endpoints that change or end access to a table."""

from __future__ import annotations

from games.api.common.endpoints import Endpoint
from games.api.people.payloads import AlsoSent


class InSession(Endpoint):
    """The base class of endpoints for sessions only, because they change access to a table or erase it."""

    session_only = True

    def also_sent(self) -> set[int]:
        """Return the ids in `also`: the other grants to be removed; an empty set if none were sent."""
        also: set[int] = self.sent(AlsoSent).get("also", set()) if self.request.data else set()
        return also
