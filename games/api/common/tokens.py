"""Authentication by token: as its maker, with at most the role of the token (`games.people.access.Visitor`)."""

from __future__ import annotations

from django.contrib.auth.models import User
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed, Throttled
from rest_framework.request import Request

from games.models import Token
from games.network import client_key
from games.people.tokens import find_token, note_use
from games.people.tries import Tries

SCHEME = "Bearer"
WRONG = Tries("token", most=20, window=15 * 60)  # by address; a right token is never counted


class ByToken(BaseAuthentication):
    """Authentication by `Authorization: Bearer …`; the user is the token's maker, and `auth` the token.

    No cookie is involved, so there is no CSRF. A wrong token is refused even if a session would be enough.
    """

    def authenticate(self, request: Request) -> tuple[User, Token] | None:
        """Return the maker and the token, None without one; raise AuthenticationFailed for a wrong one."""
        scheme, _blank, secret = request.META.get("HTTP_AUTHORIZATION", "").partition(" ")
        if scheme.lower() != SCHEME.lower():
            return None
        token = find_token(secret.strip())
        if token is None:
            if not WRONG.take(client_key(request.META.get("REMOTE_ADDR", ""))):
                raise Throttled(wait=WRONG.window)
            raise AuthenticationFailed
        note_use(token)
        return token.user, token

    def authenticate_header(self, request: Request) -> str:
        """Return the scheme for `WWW-Authenticate`."""
        return SCHEME


class TokenDescribed(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """The token in the description of the API."""

    target_class = ByToken
    name = "token"

    def get_security_definition(self, auto_schema: object) -> dict[str, str]:
        """Return the security scheme."""
        return {
            "type": "http",
            "scheme": SCHEME.lower(),
            "description": "A token made on the page /programs/.",
        }
