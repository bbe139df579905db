"""The middleware that answers 503 for suspended tables and users."""

from __future__ import annotations

from django.contrib.auth import SESSION_KEY
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.utils.deprecation import MiddlewareMixin

from games.desk.suspended import table_suspended, user_suspended
from games.people.suspension import TableSuspended, suspension_of

API = "/api/"
# The views that a suspended user may open. A suspended user must be able to hand the phone to another user,
# who signs in on it, and to return a borrowed phone.
ALLOWED = {"login", "logout"}


class SuspensionMiddleware(MiddlewareMixin):
    """Answers requests of suspended users, and views that raise TableSuspended.

    A suspended user has a session, but Django's `request.user` is anonymous. Without this middleware, views
    would take the client for a new visitor and create another guest, and a suspended guest would lose the
    session for good.
    """

    def process_view(self, request: HttpRequest, *_view: object) -> HttpResponse | None:
        """Return the response with status 503 to a request of a suspended user, else None.

        Suspended users who have a password may still sign in and out.
        """
        if SESSION_KEY not in request.session or request.user.is_authenticated:
            return None
        act = suspension_of(int(request.session[SESSION_KEY]))
        if act is None or (_is_allowed(request) and isinstance(act.user, User) and _can_return(act.user)):
            return None
        return _problem(request) if request.path.startswith(API) else user_suspended(request, act)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Return the page with status 503 if the view raised TableSuspended, else None."""
        return table_suspended(request, exception) if isinstance(exception, TableSuspended) else None


def _problem(request: HttpRequest) -> HttpResponse:
    from games.api.common.problems import answer_beside  # loads the API's framework, which pages do not need

    return answer_beside(request, 503)


def _is_allowed(request: HttpRequest) -> bool:
    return request.resolver_match is not None and request.resolver_match.url_name in ALLOWED


def _can_return(user: User) -> bool:
    """Return whether the user has a password to sign in again. A guest who signs out loses the account."""
    return user.has_usable_password()
