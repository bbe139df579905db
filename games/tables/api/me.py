"""The access of a program: its tables with its roles, and its token, which may revoke itself."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import PermissionDenied
from django.utils.translation import gettext
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from games.common.api.serializers import EmptySerializer
from games.models import Access, Role, Token
from games.tables.api.permissions import get_visitor
from games.tables.api.views import BaseViewSet
from games.tables.services import authorization, tokens

BY_TOKEN: Any = [{"tokenAuth": []}]


class TokenSerializer(serializers.ModelSerializer[Token]):
    """A token: its table if it is limited to one, whether it only reads, and the day of its last use."""

    table = serializers.SlugRelatedField[Any](
        "code", read_only=True, allow_null=True, help_text="The code of a table; null for all tables."
    )

    reads_only = serializers.BooleanField(
        read_only=True, help_text="Whether every write of the token is refused as `read_only`."
    )

    class Meta:
        model = Token
        fields = ("id", "name", "table", "reads_only", "made_at", "expires_at", "used_on", "revoked_at")


class AccessSerializer(serializers.Serializer[Any]):
    """A table that the user or token can open."""

    code = serializers.CharField(source="table.code")
    name = serializers.CharField(source="table.name")
    role = serializers.ChoiceField(choices=[str(role) for role in Role])
    accounts = serializers.SerializerMethodField(help_text="Whether the accounts of the table may be read.")

    def get_accounts(self, access: Access) -> bool:
        """Return whether the request may read the accounts of this table."""
        return authorization.can_view_accounts(access)


class MeSerializer(serializers.Serializer[Any]):
    """The access of a request: its token (null in a session), and the tables that it can open."""

    token = TokenSerializer(allow_null=True)
    tables = AccessSerializer(many=True)


class MeView(BaseViewSet):
    """The requesting user or token."""

    serializer_class = MeSerializer
    permission_classes = [IsAuthenticated]

    @extend_schema(operation_id="me")
    def read(self, request: Request) -> Response:
        """Read your access rights.

        The tables that you or your token can open, newest first, each with your role there and whether you
        can read its accounts; and your token with the time when it expires.
        """
        visitor = get_visitor(request)
        accesses = visitor.accesses.filter(table__erased_at=None).select_related("table")
        tables = accesses.order_by("-table__created_at", "-table")
        return self.answer(MeSerializer, {"token": visitor.token, "tables": tables})

    @extend_schema(
        operation_id="revoke_own_token", auth=BY_TOKEN, request=EmptySerializer, responses=TokenSerializer
    )
    def revoke(self, request: Request) -> Response:
        """Revoke the token of this request.

        For programs that are no longer used, or whose token may have leaked. The token is refused from then
        on.
        """
        self.parsed_body(EmptySerializer)
        token = get_visitor(request).token
        if not isinstance(token, Token):
            raise PermissionDenied(
                gettext("Only a token can do this. In a session, revoke the token by its id.")
            )
        tokens.revoke(token)
        token.refresh_from_db(fields=["revoked_at"])
        return self.answer(TokenSerializer, token)
