"""The permissions of the API: the role that a request needs at its table.

A table that the user cannot see gets the same answer as one that does not exist: 404.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.utils import timezone
from django.utils.translation import gettext
from rest_framework.authentication import TokenAuthentication
from rest_framework.exceptions import AuthenticationFailed, Throttled
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from games.common import days, network, rate_limits, texts
from games.common.rate_limits import RateLimit
from games.models import Role, Table, Token
from games.tables.services import authorization, operators, tokens
from games.tables.services.authorization import Visitor


class HasTableAccess(BasePermission):
    """Anybody with access to the table. The check sets the view's `table`, `role` and, if needed, `game`."""

    for_writing = for_owning = False

    def has_permission(self, request: Request, view: Any) -> bool:
        """Return True; raise Http404 or PermissionDenied otherwise. Activate the table's time zone."""
        visitor, code = get_visitor(request), view.kwargs["code"]
        if view.is_of_a_game:
            view.game, view.role = authorization.get_game(visitor, code, for_writing=self.for_writing)
            view.table = view.game.table
        else:
            view.table, view.role = self.open_table(visitor, code)
        timezone.activate(days.table_zone(view.table))
        return True

    def open_table(self, visitor: Visitor, code: str) -> tuple[Table, Role]:
        return authorization.get_table(
            visitor, code, for_writing=self.for_writing, for_owning=self.for_owning
        )


class CanViewAccounts(HasTableAccess):
    """Users who may read the table's accounts: owners, scorers, and members confirmed for good."""

    def open_table(self, visitor: Visitor, code: str) -> tuple[Table, Role]:
        return authorization.get_accounts(visitor, code)


class IsScorer(HasTableAccess):
    """Owners and scorers."""

    for_writing = True


class IsOwner(HasTableAccess):
    """Owners."""

    for_owning = True


class CanCreateTables(BasePermission):
    """Any user who may create a table on this site. A token has to be for all tables."""

    def has_permission(self, request: Request, view: Any) -> bool:
        closed = operators.creation_refusal(request.user)
        if request.user.is_authenticated and closed is not None:
            raise PermissionDenied(texts.translate(closed))
        token = get_visitor(request).token
        if token is not None and token.table_id is not None:
            raise PermissionDenied(gettext("This needs a token for all tables."))
        return request.user.is_authenticated


def get_visitor(request: Request) -> Visitor:
    """Return the user of the request with their API token, which is None in a session."""
    token: Any = request.auth  # set by the authentication class
    return Visitor(request.user, token)


# --- the throttles ----------------------------------------------------------------------------------------------------

if TYPE_CHECKING:
    from rest_framework.views import APIView  # would be circular: the settings name the classes below


def _client_key(request: Request) -> str:
    return network.client_key(request.META.get("REMOTE_ADDR", ""))


class _PerMinute(BaseThrottle):
    """The base class of the throttles: a rate limit that uses the counters of the pages' limits."""

    limit: ClassVar[RateLimit]

    def allow_request(self, request: Request, view: APIView) -> bool:
        who = self.who(request)
        return not who or self.limit.hit(who)

    def wait(self) -> float:
        return self.limit.resets_in

    def who(self, request: Request) -> str:
        """Return the counter's key for this request: a user or an address; "" if it is not counted."""
        raise NotImplementedError


class AnonymousAddressThrottle(_PerMinute):
    """The rate limit of anonymous clients at an address. They cannot use up the limit of its users."""

    limit = rate_limits.API_ADDRESS

    def who(self, request: Request) -> str:
        return "" if request.user.is_authenticated else _client_key(request)


class UserAddressThrottle(_PerMinute):
    """The rate limit of all users at an address together.

    It is higher, because a home may have several programs.
    """

    limit = rate_limits.API_USERS

    def who(self, request: Request) -> str:
        return _client_key(request) if request.user.is_authenticated else ""


class UserThrottle(_PerMinute):
    limit = rate_limits.API_USER

    def who(self, request: Request) -> str:
        return str(request.user.pk) if request.user.is_authenticated else ""


class ScoringThrottle(_PerMinute):
    """The rate limit of a client address for operations that score a game or a hand.

    It is lower than the limit for all requests, because scoring may take a second. Users are counted
    separately from anonymous clients.
    """

    limit = rate_limits.API_COUNTING

    def who(self, request: Request) -> str:
        client = _client_key(request)
        return f"{client} of users" if request.user.is_authenticated else client


# --- authentication by token ------------------------------------------------------------------------------------------

WRONG = RateLimit("token", most=20)  # per client address; valid tokens are not counted


class BearerTokenAuthentication(TokenAuthentication):
    """Authentication by the HTTP header `Authorization: Bearer …`.

    `request.user` is the user who made the token, `request.auth` the token. No cookie is used, so CSRF
    does not apply. A wrong token is refused even if the request also has a valid session.
    """

    keyword = "Bearer"

    def authenticate(self, request: Request) -> tuple[Any, Any] | None:
        """Return the user and the token; None without the header.

        Raise AuthenticationFailed for a wrong token, and Throttled after too many from the client's address.
        """
        try:
            return super().authenticate(request)
        except AuthenticationFailed:
            if not WRONG.hit(_client_key(request)):
                raise Throttled(wait=WRONG.resets_in) from None
            raise

    def authenticate_credentials(self, key: str) -> tuple[User, Token]:
        """Return the user and the token with this secret, and record the token's use.

        Raise AuthenticationFailed if there is none.
        """
        token = tokens.find(key)
        if token is None:
            raise AuthenticationFailed
        tokens.record_use(token)
        return token.user, token
