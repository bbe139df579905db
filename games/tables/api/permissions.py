"""The permissions of the API: the role that a request needs at its table.

Whoever may not see a table gets the same answer as for a table that does not exist: 404.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar
from zoneinfo import ZoneInfo

from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.utils import timezone
from django.utils.translation import gettext
from rest_framework.authentication import TokenAuthentication
from rest_framework.exceptions import AuthenticationFailed, Throttled
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from games.common import network, rate_limits, texts
from games.common.rate_limits import RateLimit
from games.models import Role, Table, Token
from games.tables.services import authorization, operators, tokens
from games.tables.services.authorization import Visitor


class HasTableAccess(BasePermission):
    """Anybody with an access to the table. It opens the view's `table`, or `game` with its table."""

    for_writing = for_owning = False

    def has_permission(self, request: Request, view: Any) -> bool:
        """Return True; raise Http404 or PermissionDenied otherwise."""
        visitor, code = get_visitor(request), view.kwargs["code"]
        if view.is_of_a_game:
            view.game, view.role = authorization.get_game(visitor, code, for_writing=self.for_writing)
            view.table = view.game.table
        else:
            view.table, view.role = self.open_table(visitor, code)
        timezone.activate(ZoneInfo(view.table.timezone))
        return True

    def open_table(self, visitor: Visitor, code: str) -> tuple[Table, Role]:
        """Return the table with this code and the visitor's role; raise Http404 or PermissionDenied."""
        return authorization.get_table(
            visitor, code, for_writing=self.for_writing, for_owning=self.for_owning
        )


class HasTableAccessOrAccounts(HasTableAccess):
    """Anybody with an access to the table. The view's `can_view_accounts` says whether it shows the accounts too."""

    def has_permission(self, request: Request, view: Any) -> bool:
        """Return True; raise Http404 otherwise. One query answers all of it."""
        access = authorization.get_access(get_visitor(request), view.kwargs["code"])
        view.table, view.role, view.can_view_accounts = (
            access.table,
            Role(access.role),
            authorization.can_view_accounts(access),
        )
        timezone.activate(ZoneInfo(view.table.timezone))
        return True


class CanViewAccounts(HasTableAccess):
    """Whoever may read the accounts of the table: owners, scorers, and who is confirmed for good."""

    def open_table(self, visitor: Visitor, code: str) -> tuple[Table, Role]:
        """Return the table whose accounts the visitor may read."""
        return authorization.get_accounts(visitor, code)


class IsScorer(HasTableAccess):
    """Owners and scorers."""

    for_writing = True


class IsOwner(HasTableAccess):
    """Owners."""

    for_owning = True


class CanCreateTables(BasePermission):
    """Any user who may open a table on this site; with a token, one that is for all tables."""

    def has_permission(self, request: Request, view: Any) -> bool:
        """Return whether there is a user; raise PermissionDenied for one who may not, or a token that does not suffice."""
        closed = operators.creation_refusal(request.user)
        if request.user.is_authenticated and closed is not None:
            raise PermissionDenied(texts.translate(closed))
        token = get_visitor(request).token
        if token is not None and token.table_id is not None:
            raise PermissionDenied(gettext("This needs a token for all tables."))
        return request.user.is_authenticated


def get_visitor(request: Request) -> Visitor:
    """Return the user of the request, and the token they authenticated with; the token is None in a session."""
    token: Any = request.auth  # set by the authentication class, hence of any type
    return Visitor(request.user, token)


# --- the throttles ----------------------------------------------------------------------------------------------------

if TYPE_CHECKING:
    from rest_framework.views import APIView  # a circular import: the settings name the classes below


class _PerMinute(BaseThrottle):
    """The base class of the throttles: a rate limit, counted by the same code as the limits of pages."""

    limit: ClassVar[RateLimit]

    def allow_request(self, request: Request, view: APIView) -> bool:
        """Count the request; return whether it is within the limit."""
        who = self.who(request)
        return not who or self.limit.hit(who)

    def wait(self) -> float:
        """Return the seconds until the client may ask again."""
        return self.limit.resets_in

    def who(self, request: Request) -> str:
        """Return the key of the counter for this request: a user or an address; "" if it is not counted."""
        raise NotImplementedError


class AnonymousAddressThrottle(_PerMinute):
    """The rate limit of the anonymous clients at an address: they cannot use up the limit of its users."""

    limit = rate_limits.API_ADDRESS

    def who(self, request: Request) -> str:
        """Return the client's IPv4 address or IPv6 network; "" for a user, with a session or token."""
        return (
            "" if request.user.is_authenticated else network.client_key(request.META.get("REMOTE_ADDR", ""))
        )


class UserAddressThrottle(_PerMinute):
    """The rate limit of all users at an address together. It is higher: a home may have several programs."""

    limit = rate_limits.API_USERS

    def who(self, request: Request) -> str:
        """Return the client's address or network; "" for an anonymous client."""
        return (
            network.client_key(request.META.get("REMOTE_ADDR", "")) if request.user.is_authenticated else ""
        )


class UserThrottle(_PerMinute):
    """The rate limit of a signed-in user, whatever the client's address."""

    limit = rate_limits.API_USER

    def who(self, request: Request) -> str:
        """Return the primary key of the user; "" for an anonymous client, which has no such limit."""
        return str(request.user.pk) if request.user.is_authenticated else ""


class ScoringThrottle(_PerMinute):
    """The rate limit of a client address for operations that score a game or a hand.

    It is lower than the limit for all requests, because scoring a game or a hand may take a second. Users are
    counted apart from anonymous clients.
    """

    limit = rate_limits.API_COUNTING

    def who(self, request: Request) -> str:
        """Return the client's address or network, followed by " of users" for a user's request."""
        address = network.client_key(request.META.get("REMOTE_ADDR", ""))
        return f"{address} of users" if request.user.is_authenticated else address


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
            if not WRONG.hit(network.client_key(request.META.get("REMOTE_ADDR", ""))):
                raise Throttled(wait=WRONG.resets_in) from None
            raise

    def authenticate_credentials(self, key: str) -> tuple[User, Token]:
        """Return the token with this secret, after its user; raise AuthenticationFailed if there is none."""
        token = tokens.find(key)
        if token is None:
            raise AuthenticationFailed
        tokens.record_use(token)
        return token.user, token
