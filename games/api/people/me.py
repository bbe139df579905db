"""The access of a program: its tables with its roles, and its token, which may revoke itself."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import PermissionDenied
from django.utils.translation import gettext
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.common.endpoints import Endpoint, answer
from games.api.common.schema import refusals
from games.api.common.serializers import Nothing
from games.api.people import payloads
from games.models import Token
from games.people import tokens
from games.people.access import accounts_seen_by

BY_TOKEN: Any = [{"token": []}]


class Me(Endpoint):
    """The endpoint that returns the access of the requesting user or token."""

    @extend_schema(
        operation_id="me",
        summary="What you may do",
        description=(
            "The tables that you or your token can open, newest first, each with the role that counts there "
            "and whether its accounts may be read; and your token with the time when it ends. Unlike the "
            "list of tables, this also takes a token for one table."
        ),
        responses={200: payloads.Me, **refusals()},
    )
    def get(self, request: Request) -> Response:
        """Return the tables that the request can open, each with the role at it, and the token, if any."""
        user, visitor = self.user, self.visitor
        grants = visitor.grants.filter(table__erased_at=None).select_related("table")
        rows = list(grants.order_by("-table__created_at", "-table"))
        readable = accounts_seen_by(user, rows)
        tables = [
            payloads.MyTable.of(
                grant.table,
                table=grant.table,
                role=grant.present_role,
                accounts=grant.table_id in readable,
            )
            for grant in rows
        ]
        token = visitor.token
        mine = payloads.TokenSaid.of(token) if isinstance(token, Token) else None
        return answer({"token": mine, "tables": tables})


class RevokingOwnToken(Endpoint):
    """The endpoint that revokes the token of the request. Every other revocation needs a session."""

    @extend_schema(
        operation_id="revoke_own_token",
        summary="Revoke the token of this request",
        description=(
            "A program that is no longer used, or whose token may have leaked, ends its token. It takes the "
            "token itself, even one that only reads; the token is refused from then on."
        ),
        auth=BY_TOKEN,
        request=Nothing,
        responses={200: payloads.TokenRevoked, **refusals("body")},
    )
    def post(self, request: Request) -> Response:
        """Revoke the token of this request."""
        assert self.user
        self.sent(Nothing)
        token = self.visitor.token
        if not isinstance(token, Token):
            raise PermissionDenied(
                gettext("Only a token can do this. In a session, revoke the token by its id.")
            )
        tokens.revoke_token(token)
        token.refresh_from_db(fields=["revoked_at"])
        return answer(payloads.TokenRevoked.of(token))
