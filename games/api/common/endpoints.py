"""The base of all endpoints: authentication, and the table or game opened under the rights of the user."""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.utils.translation import get_language, gettext
from rest_framework.authentication import SessionAuthentication
from rest_framework.exceptions import NotAuthenticated
from rest_framework.permissions import SAFE_METHODS, AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games.api.common.serializers import Body, Parts
from games.api.common.writing import is_known
from games.models import Game, Role, Table
from games.people.access import Visitor, accounts_for, ensure_guest, game_for, table_for
from games.people.guest_keys import signed

TAG_LENGTH = 12  # digits


class Endpoint(APIView):
    """An endpoint for users with a grant; each method first opens its table or game by one of the methods below.

    `table`, `game` and the user's `role` are set by that. A `session_only` endpoint takes a session and no token: a
    token creates neither tokens nor invitations nor owners, and ends nothing for good. A token that only reads is
    refused by every method that writes.
    """

    session_only = False

    # Opening the table decides, and answers anonymous users exactly as strangers.
    permission_classes = [AllowAny]
    table: Table | None = None
    game: Game | None = None
    role: Role

    def finalize_response(self, request: Request, response: Response, *args: Any, **kwargs: Any) -> Response:
        """Return the answer, or 304 without a body if the client has it already (`If-None-Match`)."""
        if (
            request.method in ("GET", "HEAD")
            and isinstance(response, Response)
            and "ETag" in response.headers
        ):
            tag = response.headers["ETag"] = _tag_of(response)
            if is_known(request, tag):
                response = Response(status=304, headers={"ETag": tag})
        return super().finalize_response(request, response, *args, **kwargs)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Raise PermissionDenied for a token if the endpoint takes only a session."""
        super().initial(request, *args, **kwargs)
        if self.session_only and request.auth is not None:
            raise PermissionDenied(gettext("No token does this: it takes somebody who is signed in."))

    @property
    def visitor(self) -> Visitor:
        """The user with the token of their program; a session has none."""
        token: Any = self.request.auth  # whatever authenticated it
        return Visitor(self.request.user, token)

    @property
    def user(self) -> User:
        """The user; raises NotAuthenticated for an anonymous one."""
        if not isinstance(self.request.user, User):
            raise NotAuthenticated
        return self.request.user

    def table_opened(self, code: str, *, for_writing: bool = False, for_owning: bool = False) -> Table:
        """Return the table with this code; not found without a grant, forbidden if the role is not enough."""
        self.table, self.role = table_for(self.visitor, code, for_writing=for_writing, for_owning=for_owning)
        self._check_reading()
        return self.table

    def accounts_opened(self, code: str, *, for_writing: bool = False, for_owning: bool = False) -> Table:
        """Return the table with this code, for users who may read its accounts."""
        self.table, self.role = accounts_for(
            self.visitor, code, for_writing=for_writing, for_owning=for_owning
        )
        self._check_reading()
        return self.table

    def game_opened(self, code: str, *, for_writing: bool = False) -> Game:
        """Return the game with this code, and set its table; the conditions are those of a table."""
        self.game, self.role = game_for(self.visitor, code, for_writing=for_writing)
        self.table = self.game.table
        self._check_reading()
        return self.game

    def _check_reading(self) -> None:
        """Raise PermissionDenied for a write by a token that only reads, even one about the user alone."""
        token = self.visitor.token
        if token is not None and token.role == Role.WITNESS and self.request.method not in SAFE_METHODS:
            raise PermissionDenied(gettext("This token only reads."))

    def sent(self, body: type[Body]) -> Parts:
        """Return the parts of the body; raise Unreadable if it is no object, or has others."""
        return body.parts(self.request.data)


def check_all_tables(visitor: Visitor, *, for_owning: bool = False) -> None:
    """Raise PermissionDenied for a token of one table, and `for_owning` for one with less than its user's rights."""
    token = visitor.token
    if token is not None and (token.table_id is not None or (for_owning and token.role != Role.OWNER)):
        raise PermissionDenied


def somebody(request: Request, *, key: str, is_invited: bool = False) -> User:
    """Return the user; an anonymous client with a CSRF token becomes a guest of its session, as on a page.

    The same key gives the same guest only under the same CSRF token, because others may use that key too.
    """
    if isinstance(request.user, User):
        return request.user
    SessionAuthentication().enforce_csrf(request)
    guest = ensure_guest(request._request, key=signed(request._request, key), is_invited=is_invited)
    request.user = guest
    return guest


def _tag_of(response: Response) -> str:
    """Return the ETag of a read: the version, a point, and a digest of the answer and its language.

    A game's version is its last event, but names, payments and the language change without a new event.
    """
    written = json.dumps([get_language(), response.data], sort_keys=True, default=str)
    version = response.headers["ETag"].strip('"')
    return f'"{version}.{sha256(written.encode()).hexdigest()[:TAG_LENGTH]}"'


def answer(body: Mapping[str, Any], *, status: int = 200, version: int | str | None = None) -> Response:
    """Return the response, with its version as `ETag` if it has one."""
    return Response(body, status=status, headers=None if version is None else {"ETag": f'"{version}"'})
