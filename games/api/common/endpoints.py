"""What endpoints about tables stand on: who asks, and the table or the game opened for them, or nothing at all."""

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

from games.api.common.bodies import object_sent
from games.api.common.writing import is_known
from games.models import Game, Role, Table
from games.notebook.fields import Fields
from games.people.access import Visitor, accounts_for, ensure_guest, game_for, table_for
from games.people.guest_keys import signed

TAG_LENGTH = 12  # digits


class Endpoint(APIView):
    """Answers whoever has a grant; each method opens what it is about, by one of the functions below, before all else.

    `table` and `game` are what was opened, `role` that in which it was. What is `session_only` is done by somebody
    signed in, and by no token: a token makes neither tokens nor invitations nor owners, and ends nothing for good.
    Whatever is opened to be written to stays shut to a token made to read.
    """

    session_only = False

    permission_classes = [
        AllowAny
    ]  # what is opened decides, and answers the same for nobody as for a stranger
    table: Table | None = None
    game: Game | None = None
    role: Role

    def finalize_response(self, request: Request, response: Response, *args: Any, **kwargs: Any) -> Response:
        """The answer; without a body where what is read is what who asks has seen (`If-None-Match`)."""
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
        """PermissionDenied for a token where only a session will do, whatever is asked about."""
        super().initial(request, *args, **kwargs)
        if self.session_only and request.auth is not None:
            raise PermissionDenied(gettext("No token does this: it takes somebody who is signed in."))

    @property
    def visitor(self) -> Visitor:
        """Who asks, with the token of a program; a session has none."""
        token: Any = self.request.auth  # whatever authenticated it
        return Visitor(self.request.user, token)

    @property
    def user(self) -> User:
        """Who asks; NotAuthenticated where that is nobody."""
        if not isinstance(self.request.user, User):
            raise NotAuthenticated
        return self.request.user

    def table_opened(self, code: str, *, for_writing: bool = False, for_owning: bool = False) -> Table:
        """The table with this code; not found for whoever has no grant, forbidden where the role is not enough."""
        self.table, self.role = table_for(self.visitor, code, for_writing=for_writing, for_owning=for_owning)
        self._check_reading()
        return self.table

    def accounts_opened(self, code: str, *, for_writing: bool = False, for_owning: bool = False) -> Table:
        """The table with this code for its accounts, under the conditions of these."""
        self.table, self.role = accounts_for(
            self.visitor, code, for_writing=for_writing, for_owning=for_owning
        )
        self._check_reading()
        return self.table

    def game_opened(self, code: str, *, for_writing: bool = False) -> Game:
        """The game with this code, and with it its table, under the conditions of a table."""
        self.game, self.role = game_for(self.visitor, code, for_writing=for_writing)
        self.table = self.game.table
        self._check_reading()
        return self.game

    def _check_reading(self) -> None:
        """PermissionDenied for a token made to read that does more: it says nothing for its user, not even about himself."""
        token = self.visitor.token
        if token is not None and token.role == Role.WITNESS and self.request.method not in SAFE_METHODS:
            raise PermissionDenied(gettext("This token only reads."))

    def sent(self, *names: str) -> Fields:
        """The object that was sent, which has none but these parts."""
        return object_sent(self.request, *names)


def check_all_tables(visitor: Visitor, *, for_owning: bool = False) -> None:
    """PermissionDenied for a token of one table; and `for_owning` for one of less than all that its user may do."""
    token = visitor.token
    if token is not None and (token.table_id is not None or (for_owning and token.role != Role.OWNER)):
        raise PermissionDenied


def somebody(request: Request, *, key: str, is_invited: bool = False) -> User:
    """Who asks; a stranger who posts without a token becomes a guest of his session, as on a page.

    The same guest for the same key, as long as the token against forgery is the same: others may have that key too.
    """
    if isinstance(request.user, User):
        return request.user
    SessionAuthentication().enforce_csrf(request)
    guest = ensure_guest(request._request, key=signed(request._request, key), is_invited=is_invited)
    request.user = guest
    return guest


def _tag_of(response: Response) -> str:
    """The tag of an answer to who reads: its version, and behind a point what tells it from others of that version.

    A game's version is its last event: names, payments and the language of sentences change without one.
    """
    written = json.dumps([get_language(), response.data], sort_keys=True, default=str)
    version = response.headers["ETag"].strip('"')
    return f'"{version}.{sha256(written.encode()).hexdigest()[:TAG_LENGTH]}"'


def answer(body: Mapping[str, Any], *, status: int = 200, version: int | str | None = None) -> Response:
    """The answer, with its version as `ETag` where it has one."""
    return Response(body, status=status, headers=None if version is None else {"ETag": f'"{version}"'})
