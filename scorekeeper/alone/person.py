"""The only user of a folder without a site, and the pages that need a site."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib.auth.models import User
from django.contrib.sessions.backends.signed_cookies import SessionStore
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render

from games.people.guests import make_guest
from games.people.users import mark_of

# The views about other people, other phones, passwords and programs.
NEED_A_SITE = frozenset(
    {
        *("login", "logout", "credentials", "link", "sign-in-link"),
        *("yours", "end-device", "link-for-phone", "make-token", "revoke-token", "delete-account", "token"),
        *("invitation", "my-face", "live-lobby", "make-link", "end-link"),
        *("change-access", "confirm-all", "take-over"),
        *("own-hand", "preview-own-hand", "live-hands"),
        *("manifest", "service-worker", "offline", "waiting"),
    }
)


def only_person() -> User:
    """Return the only user of this database; in a new database, create a guest."""
    return User.objects.order_by("pk").first() or make_guest()


class OnlyPersonMiddleware:
    """Authenticates every request as the only user, and replaces pages that need a site by an explanation."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        request.session = SessionStore()
        request.user = only_person()
        return self.get_response(request)

    def process_view(self, request: HttpRequest, *_view: object) -> HttpResponse | None:
        """Return the explanation for a page that needs a site; None for any other page."""
        match = request.resolver_match
        if match is None or match.url_name not in NEED_A_SITE:
            return None
        status = 200 if request.method == "GET" else 403
        return render(request, "needs_site.html", status=status)


def variables(request: HttpRequest) -> dict[str, object]:
    """Return template variables: the user's identifier, and that there is no site (`alone`)."""
    assert isinstance(request.user, User)
    return {"alone": True, "pseudonym": mark_of(request.user)}
