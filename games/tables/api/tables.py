"""Tables and their members: listing, creating, reading and changing them."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.conf import settings
from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.utils.translation import get_language
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from games.common import amounts, days, regions
from games.common.api import problems
from games.common.api.problems import ApiProblem
from games.common.api.serializers import (
    MemberSerializer,
    StrictBooleanField,
    StrictCharField,
    StrictModelSerializer,
)
from games.models import Member, Role, Table
from games.tables.api.permissions import CanCreateTables, HasTableAccess, IsOwner, get_visitor
from games.tables.api.views import BaseViewSet, TableViewSetBase
from games.tables.presenters import table_options
from games.tables.services import membership, setup
from games.tables.services.setup import CurrencyChange


@problems.problem_for.register
def _other_sign(raised: CurrencyChange) -> ApiProblem:
    return problems.question_problem(table_options.sign_question(raised), field="confirm")


class TableSerializer(StrictModelSerializer):
    """A table, its money, and the role of the requesting user.

    The default language and region are the reader's, the default time zone the server's.
    """

    language = StrictCharField(required=False, help_text="One of es-ar, es, es-es, es-cl and en.")
    timezone = StrictCharField(required=False, help_text="A name such as America/Argentina/Buenos_Aires.")
    role = serializers.SerializerMethodField()
    created_at = serializers.SerializerMethodField()

    class Meta:
        model = Table
        fields = (
            "code",
            "name",
            "unit",
            "decimals",
            "language",
            "timezone",
            "region",
            "role",
            "version",
            "created_at",
        )
        writable_fields = ("name", "unit", "decimals", "language", "timezone", "region")
        extra_kwargs = {
            "unit": {"help_text": "The sign of its money, such as $."},
            "decimals": {
                "help_text": (
                    "The decimals of its money: 2 for cents, 0 for none; by default those of its sign. All amounts, stakes included, are whole "
                    "numbers of the smallest coin."
                )
            },
            "region": {
                "help_text": "How sentences write numbers, money and days; empty if the reader's language decides."
            },
            "version": {"help_text": "Every write at the table raises it."},
        }

    def get_created_at(self, table: Table) -> datetime:
        """Return the time when the table was created, in its own time zone."""
        return days.to_table_time(table.created_at, table)

    def get_role(self, table: Table) -> Role:
        """Return the role of the requesting user at the table."""
        role: Role = self.context["roles"][table.pk]
        return role


class TableInFullSerializer(TableSerializer):
    """A table with its members, in the order they were added."""

    members = MemberSerializer(many=True, read_only=True)

    class Meta(TableSerializer.Meta):
        fields: Any = (*TableSerializer.Meta.fields, "members")


class TableChangeSerializer(StrictModelSerializer):
    """Changes to a table. Its language cannot be changed."""

    confirm = StrictBooleanField(
        required=False,
        help_text="Confirms another sign where entries are recorded, which was refused as “unusual”.",
    )

    class Meta:
        model = Table
        fields = writable_fields = ("name", "unit", "decimals", "timezone", "region", "confirm")


class TableViewSet(BaseViewSet):
    """The tables of the user."""

    serializer_class = TableInFullSerializer
    rights = {"create": CanCreateTables, "retrieve": HasTableAccess, "partial_update": IsOwner}
    permission_classes = [IsAuthenticated]
    keyed = ("create",)
    lookup_url_kwarg, lookup_value_converter = "code", "slug"
    table: Table
    role: Role

    @extend_schema(operation_id="tables", responses=TableSerializer(many=True))
    def list(self, request: Request) -> Response:
        """List your tables.

        The tables that you or your token can open, newest first, with your role at each.
        """
        accesses = get_visitor(request).accesses.filter(table__erased_at=None).select_related("table")
        access_rows = [*accesses.order_by("-table__created_at", "-table")]
        context = {"roles": {access.table_id: access.role for access in access_rows}}
        tables = [access.table for access in access_rows]
        return Response(TableSerializer(tables, many=True, context=context).data)

    @extend_schema(operation_id="open_table")
    def create(self, request: Request) -> Response:
        """Create a table.

        You become its owner. A token must be for all tables. Players become members with the first game they
        play. A site may let only people who already play there, or only its operator, create tables (403).
        """
        body = self.parsed_body()
        chosen = {
            "unit": "$",
            "decimals": amounts.default_decimals(body.get("unit", "$")),
            "language": get_language() or settings.LANGUAGE_CODE,
            "timezone": settings.TIME_ZONE,
            "region": regions.active_region().name,
            **body,
        }
        self.table = setup.create_table(self.user, setup.clean_fields(**chosen), key=self.key)
        self.role = Role.OWNER
        return self._answer(201)

    @extend_schema(operation_id="table")
    def retrieve(self, request: Request, code: str) -> Response:
        """Read a table with its members, whose ids never change."""
        return self._answer()

    @extend_schema(operation_id="rename_table", request=TableChangeSerializer(partial=True))
    def partial_update(self, request: Request, code: str) -> Response:
        """Change a table's name, time zone, region, smallest coin or currency sign.

        For owners. The code of the table stays the same. The smallest coin can be changed until an amount is
        recorded. Amounts are not converted to the new sign.
        """
        body = self.parsed_body(TableChangeSerializer, partial=True)
        confirmed = body.get("unit", "") if body.pop("confirm", False) else ""
        setup.change_settings(self.table, confirmed=confirmed, **body)
        self.table.refresh_from_db()
        return self._answer()

    def _answer(self, status: int = 200) -> Response:
        context: dict[str, Any] = {"roles": {self.table.pk: self.role}}
        return Response(TableInFullSerializer(self.table, context=context).data, status=status)


# --- the members of a table -------------------------------------------------------------------------------------------


class MemberViewSet(TableViewSetBase):
    """The members of a table."""

    serializer_class = MemberSerializer
    rights = {"create": IsOwner, "partial_update": IsOwner}
    lookup_field, lookup_url_kwarg, lookup_value_converter = "slug", "member", "slug"

    def get_queryset(self) -> QuerySet[Member]:
        return self.table.members.select_related("merged_into")

    @extend_schema(operation_id="members")
    def list(self, request: Request, code: str) -> Response:
        """List the members of a table.

        Everybody who plays or has played at the table, with the ids used in events.
        """
        return Response(MemberSerializer(self.get_queryset(), many=True).data)

    @extend_schema(operation_id="add_member")
    def create(self, request: Request, code: str) -> Response:
        """Add a member.

        For owners. The id is made from the name. The name of another member is refused, so a repeated request
        adds nobody twice.
        """
        body = self.parsed_body()
        member = membership.add(self.table, body["name"])
        return self.answer(MemberSerializer, member, 201)

    @extend_schema(operation_id="change_member")
    def partial_update(self, request: Request, code: str, member: str) -> Response:
        """Change the name or color of a member.

        For owners. Retired and merged members cannot be changed. The id stays the same in every game.
        """
        target, body = (
            get_object_or_404(self.table.members.active(), slug=member),
            self.parsed_body(partial=True),
        )
        name, colour = body.get("name", target.name), body.get("colour", target.colour)
        membership.update(target, name=name, colour=colour)
        return self.answer(MemberSerializer, target)
