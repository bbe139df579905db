"""The base class of all endpoints: it authenticates the user and loads the table or game they may access."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from hashlib import sha256
from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.utils.translation import get_language, gettext
from rest_framework.authentication import SessionAuthentication
from rest_framework.exceptions import NotAuthenticated
from rest_framework.permissions import SAFE_METHODS, AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games.api.common.location import location_of
from games.api.common.problems import Problem
from games.api.common.serializers import Body, Parts
from games.api.common.tokens import SCHEME
from games.api.common.writing import is_known
from games.models import Game, Role, Table
from games.people.access import Visitor, accounts_for, ensure_guest, game_for, table_for
from games.people.guest_keys import signed
from games.scoring.words import _

# CORS headers: a script of any site may read with a token. With the origin `*`, browsers send no cookies.
FROM_ANYWHERE = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Expose-Headers": "ETag, Retry-After",
}
PREFLIGHT = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Allow-Methods": "GET, HEAD",
    "Access-Control-Allow-Headers": "Authorization, If-None-Match",
    "Access-Control-Max-Age": "3600",
}
TAG_LENGTH = 12  # hexadecimal digits of the digest in an ETag


class Endpoint(APIView):
    """An endpoint for users with a grant (the right to read or record at a table).

    Each method first calls `table_opened`, `accounts_opened` or `game_opened`, which check the user's
    role and set `table`, `game` and `role`. A read-only token is refused by every method that writes at a table.
    """

    query: Collection[str] = ()  # the query parameters that are accepted; any other is refused

    # Loading the table checks the rights. Anonymous users and strangers get the same answer, "not found".
    permission_classes = [AllowAny]
    table: Table | None = None
    game: Game | None = None
    role: Role

    def finalize_response(self, request: Request, response: Response, *args: Any, **kwargs: Any) -> Response:
        """Return the response with its headers: ETag, Location, and CORS headers for scripts of other sites.

        If the client already has this version (`If-None-Match`), the response is 304 without a body.
        """
        if request.method in ("GET", "HEAD") and response.status_code == 200 and not response.streaming:
            tag = response.headers["ETag"] = _tag_of(response)
            if is_known(request, tag):
                response = Response(status=304, headers={"ETag": tag})
        elif response.status_code == 201 and isinstance(response, Response):
            match = request._request.resolver_match
            created = location_of(str(match and match.url_name), kwargs.get("code", ""), response.data)
            if created is not None:
                response.headers["Location"] = created
        if _is_read_by_token(request):
            for name, value in FROM_ANYWHERE.items():
                response.headers[name] = value
        return super().finalize_response(request, response, *args, **kwargs)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Authenticate and check the request before the method for its HTTP verb runs.

        Raise Problem for a query parameter that `query` does not name, and for any query parameter of a write.
        """
        super().initial(request, *args, **kwargs)
        if request.method != "OPTIONS":
            _refuse_others(request, self.query)

    def options(self, request: Any, *args: Any, **kwargs: Any) -> Response:
        """Return an empty response with the CORS headers that a browser asks for in a preflight request."""
        return Response(status=204, headers=PREFLIGHT)

    @property
    def visitor(self) -> Visitor:
        """The user, and the token they authenticated with; the token is None in a session."""
        token: Any = self.request.auth  # set by the authentication class, hence of any type
        return Visitor(self.request.user, token)

    @property
    def user(self) -> User:
        """The user; raises NotAuthenticated for an anonymous user."""
        if not isinstance(self.request.user, User):
            raise NotAuthenticated
        return self.request.user

    def table_opened(self, code: str, *, for_writing: bool = False, for_owning: bool = False) -> Table:
        """Return the table with this code.

        Raise Http404 for an unknown code and for a user without a grant. Raise PermissionDenied for a role
        that is too low: `for_writing` requires an owner or a scorer, `for_owning` an owner.
        """
        self.table, self.role = table_for(self.visitor, code, for_writing=for_writing, for_owning=for_owning)
        self._check_token_may_write()
        return self.table

    def accounts_opened(self, code: str, *, for_writing: bool = False, for_owning: bool = False) -> Table:
        """Return the table with this code, as `table_opened` does.

        Also raise PermissionDenied for a user who may not read the accounts of the table.
        """
        self.table, self.role = accounts_for(
            self.visitor, code, for_writing=for_writing, for_owning=for_owning
        )
        self._check_token_may_write()
        return self.table

    def game_opened(self, code: str, *, for_writing: bool = False) -> Game:
        """Return the game with this code and set `table` to its table.

        The checks are those of `table_opened`.
        """
        self.game, self.role = game_for(self.visitor, code, for_writing=for_writing)
        self.table = self.game.table
        self._check_token_may_write()
        return self.game

    def _check_token_may_write(self) -> None:
        """Raise PermissionDenied if a write comes with a token that only reads.

        This holds even for a write of the user's own data, such as archiving a table on their home page.
        """
        if self.request.method not in SAFE_METHODS:
            check_writes(self.visitor)

    def sent(self, body: type[Body]) -> Parts:
        """Return the fields of the request's body; the serializer `body` parses each when it is read.

        Raise Unreadable if the body is no JSON object or has fields that the serializer lacks.
        """
        return body.parts(self.request.data)


def check_writes(visitor: Visitor) -> None:
    """Raise PermissionDenied if the visitor has a token that only reads."""
    if visitor.token is not None and visitor.token.reads_only:
        raise PermissionDenied(gettext("This token is read-only."))


def check_all_tables(visitor: Visitor, *, for_writing: bool = False) -> None:
    """Raise PermissionDenied if the visitor has a token for one table only, or `for_writing` one that reads."""
    if for_writing:
        check_writes(visitor)
    if visitor.token is not None and visitor.token.table_id is not None:
        raise PermissionDenied(gettext("This needs a token for all tables."))


def somebody(request: Request, *, key: str) -> User:
    """Return the user of the request; for an anonymous client, create a guest (a user without password).

    An anonymous client needs a CSRF token. A repeated request gets the same guest if both its CSRF token and
    its idempotency key `key` are the same; the key alone is not enough, because another client may send the
    same key.
    """
    if isinstance(request.user, User):
        return request.user
    SessionAuthentication().enforce_csrf(request)
    guest = ensure_guest(request._request, key=signed(request._request, key))
    request.user = guest
    return guest


def _tag_of(response: HttpResponse) -> str:
    """Return the ETag of a response: `version.digest`, or the digest alone if the response has no version.

    The digest is of the language and the body. The version alone is not enough: the version of a game is the
    number of its last event, but names, payments and the language change without a new event.
    """
    if isinstance(response, Response):
        written = json.dumps([get_language(), response.data], sort_keys=True, default=str).encode()
    else:
        written = response.content
    digest = sha256(written).hexdigest()[:TAG_LENGTH]
    version = response.headers.get("ETag", "").strip('"')
    return f'"{version}.{digest}"' if version else f'"{digest}"'


def _is_read_by_token(request: Request) -> bool:
    """Return whether the request reads (GET or HEAD) and sends a token, valid or not."""
    is_by_token = request.META.get("HTTP_AUTHORIZATION", "").lower().startswith(f"{SCHEME.lower()} ")
    return request.method in ("GET", "HEAD") and is_by_token


def _refuse_others(request: Request, known: Collection[str]) -> None:
    """Raise Problem for the first query parameter whose name is not in `known`."""
    for name in request.query_params:
        if name not in known:
            raise Problem("bad_request", _("“{name}” is unknown here.", name=name[:40]), field=name[:40])


def answer(body: Mapping[str, Any], *, status: int = 200, version: int | str | None = None) -> Response:
    """Return a response with this body; a version, if given, becomes its `ETag`."""
    return Response(body, status=status, headers=None if version is None else {"ETag": f'"{version}"'})
