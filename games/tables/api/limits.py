"""The throttles: DRF's interface to the one rate limiter of the project, which all its processes share."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from games.common.limits import API_ADDRESS, API_COUNTING, API_USER, Limit
from games.common.network import client_key

if TYPE_CHECKING:
    from rest_framework.views import APIView  # a circular import: the settings name the classes below


class _PerMinute(BaseThrottle):
    """The base class of the throttles: a rate limit, counted by the same code as the limits of pages."""

    limit: ClassVar[Limit]

    def allow_request(self, request: Request, view: APIView) -> bool:
        """Count the request; return whether it is within the limit."""
        who = self.who(request)
        return not who or self.limit.take(who)

    def wait(self) -> float:
        """Return the seconds until the client may ask again."""
        return self.limit.resets_in

    def who(self, request: Request) -> str:
        """Return the key of the counter for this request: a user or an address; "" if it is not counted."""
        raise NotImplementedError


class PerAddress(_PerMinute):
    """The rate limit of a client address.

    Requests by users (with a session or token) are counted apart from anonymous requests, so that an
    anonymous client cannot use up the limit of the users at the same address.
    """

    limit = API_ADDRESS

    def who(self, request: Request) -> str:
        """Return the client's IPv4 address or IPv6 network, followed by " of users" for a user's request."""
        address = client_key(request.META.get("REMOTE_ADDR", ""))
        return f"{address} of users" if request.user.is_authenticated else address


class PerUser(_PerMinute):
    """The rate limit of a signed-in user, whatever the client's address."""

    limit = API_USER

    def who(self, request: Request) -> str:
        """Return the primary key of the user; "" for an anonymous client, which has no such limit."""
        return str(request.user.pk) if request.user.is_authenticated else ""


class Counting(PerAddress):
    """The rate limit of a client address for operations that score a game or a hand.

    It is lower than the limit for all requests, because scoring a game or a hand may take a second.
    """

    limit = API_COUNTING
