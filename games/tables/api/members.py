"""The members of a table: listing, adding and changing them."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games.common.api.serializers import MemberSerializer
from games.models import Member
from games.tables.api.permissions import Owns
from games.tables.api.views import TableView
from games.tables.members import add_member, change_member


class Members(TableView):
    """The members of a table."""

    serializer_class = MemberSerializer
    rights = {"create": Owns, "partial_update": Owns}
    lookup_field, lookup_url_kwarg, lookup_value_converter = "slug", "member", "slug"

    def get_queryset(self) -> QuerySet[Member]:
        """Return the members in the order in which they were added."""
        return self.table.members.select_related("merged_into")

    @extend_schema(operation_id="members")
    def list(self, request: Request, code: str) -> Response:
        """List the people of a table.

        Everybody who plays or has played at the table, with the ids used in events.
        """
        return Response(MemberSerializer(self.get_queryset(), many=True).data)

    @extend_schema(operation_id="add_member")
    def create(self, request: Request, code: str) -> Response:
        """Add a member.

        For owners. The id is made from the name. A name that a member has already is refused, so a repeated
        request adds nobody twice.
        """
        sent = self.sent()
        member = add_member(self.table, sent["name"], apart=_apart(sent))
        return self.answer(MemberSerializer, member, 201)

    @extend_schema(operation_id="change_member")
    def partial_update(self, request: Request, code: str, member: str) -> Response:
        """Change the name or colour of a member.

        For owners, and for members who are neither retired nor merged. The id stays the same in every game.
        """
        changed, sent = get_object_or_404(self.table.members.active(), slug=member), self.sent(partial=True)
        name, colour = sent.get("name", changed.name), sent.get("colour", changed.colour)
        change_member(changed, name=name, colour=colour, apart=_apart(sent))
        return self.answer(MemberSerializer, changed)


def _apart(sent: dict[str, Any]) -> tuple[str, ...]:
    """Return the name in the field `apart`, in a tuple; an empty tuple if the field was not sent.

    The owner sends the new name there again, to confirm that it belongs to another person than the member
    with a similar name, e.g. "Jose" beside "José".
    """
    return (sent["apart"],) if "apart" in sent else ()
