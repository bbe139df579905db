"""The base class of endpoints that change or end access to a table."""

from __future__ import annotations

from games.api.common.endpoints import Endpoint
from games.api.people.payloads import AlsoSent


class InSession(Endpoint):
    """The base class of endpoints that change access to a table or erase it.

    They accept only a signed-in session, no token.
    """

    session_only = True

    def also_sent(self) -> set[int]:
        """Return the ids of other users' grants that the request ends too: the field `also` of the body.

        The set is empty if the field was not sent.
        """
        also: set[int] = self.sent(AlsoSent).get("also", set()) if self.request.data else set()
        return also
