"""Authentication by token.

A request acts for the user who made the token, with at most the role of the token.
"""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User
from rest_framework.authentication import TokenAuthentication
from rest_framework.exceptions import AuthenticationFailed, Throttled
from rest_framework.request import Request

from games.common.limits import Limit
from games.common.network import client_key
from games.models import Token
from games.tables.tokens import find_token, note_use

WRONG = Limit("token", most=20)  # per client address; valid tokens are not counted


class ByToken(TokenAuthentication):
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
            if not WRONG.take(client_key(request.META.get("REMOTE_ADDR", ""))):
                raise Throttled(wait=WRONG.resets_in) from None
            raise

    def authenticate_credentials(self, key: str) -> tuple[User, Token]:
        """Return the token with this secret, after its user; raise AuthenticationFailed if there is none."""
        token = find_token(key)
        if token is None:
            raise AuthenticationFailed
        note_use(token)
        return token.user, token
