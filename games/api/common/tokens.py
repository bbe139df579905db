"""Authentication by token.

A request acts for the user who made the token, with at most the role of the token.
"""

from __future__ import annotations

from django.contrib.auth.models import User
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed, Throttled
from rest_framework.request import Request

from games.models import Token
from games.network import client_key
from games.people.limits import Limit
from games.people.tokens import find_token, note_use

SCHEME = "Bearer"
WRONG = Limit("token", most=20)  # per client address; valid tokens are not counted


class ByToken(BaseAuthentication):
    """Authentication by the HTTP header `Authorization: Bearer …`.

    `request.user` is the user who made the token, `request.auth` the token. No cookie is used, so CSRF
    does not apply. A wrong token is refused even if the request also has a valid session.
    """

    def authenticate(self, request: Request) -> tuple[User, Token] | None:
        """Return the token's user and the token; None without the header.

        Raise AuthenticationFailed for a wrong token, and Throttled after too many from the client's address.
        """
        scheme, _blank, secret = request.META.get("HTTP_AUTHORIZATION", "").partition(" ")
        if scheme.lower() != SCHEME.lower():
            return None
        token = find_token(secret.strip())
        if token is None:
            if not WRONG.take(client_key(request.META.get("REMOTE_ADDR", ""))):
                raise Throttled(wait=WRONG.resets_in)
            raise AuthenticationFailed
        note_use(token)
        return token.user, token

    def authenticate_header(self, request: Request) -> str:
        """Return "Bearer", the scheme for the header `WWW-Authenticate` of a 401 response."""
        return SCHEME


class TokenDescribed(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """The description of `ByToken` for the OpenAPI schema."""

    target_class = ByToken
    name = "token"

    def get_security_definition(self, auto_schema: object) -> dict[str, str]:
        """Return the OpenAPI security scheme."""
        return {
            "type": "http",
            "scheme": SCHEME.lower(),
            "description": (
                "A token made on the page /you/. It acts as its maker, at one table or at all of theirs; one "
                "that only reads is refused by every operation that writes."
            ),
        }
