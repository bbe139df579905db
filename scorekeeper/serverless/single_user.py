"""The single user of a serverless folder, and the pages that need a site."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.http import Http404, HttpRequest
from django.utils.deprecation import MiddlewareMixin

from games.tables.services import guests, users

# Views about other people, other phones, passwords and programs. No page links to them.
NEED_A_SITE = frozenset(
    {
        "login",
        "logout",
        "credentials",
        "link",
        "sign-in-link",
        "sign-in-again",
        "yours",
        "end-device",
        "link-for-phone",
        "make-token",
        "revoke-token",
        "delete-account",
        "token",
        "invitation",
        "my-face",
        "live-lobby",
        "live-home",
        "make-link",
        "end-link",
        "change-access",
        "confirm-all",
        "take-over",
        "pen",
        "own-hand",
        "live-hands",
        "manifest",
        "service-worker",
        "offline",
        "waiting",
    }
)


def get_or_create_user() -> User:
    """Return the single user of this database; in a new database, create a guest."""
    return User.objects.order_by("pk").first() or guests.create()


class SingleUserMiddleware(MiddlewareMixin):
    """Middleware that signs in the single user, and answers 404 for a page that needs a site."""

    def process_request(self, request: HttpRequest) -> None:
        request.user = get_or_create_user()

    def process_view(self, request: HttpRequest, *_view: object) -> None:
        if request.resolver_match and request.resolver_match.url_name in NEED_A_SITE:
            raise Http404


def template_context(request: HttpRequest) -> dict[str, object]:
    """Return the template variables for a user without a site: `serverless`, and the user's id as a mark."""
    assert isinstance(request.user, User)
    return {"serverless": True, "visitor": {"mark": users.opaque_id(request.user)}}
