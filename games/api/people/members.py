"""The members of a table: listing, adding and changing them."""

from __future__ import annotations

from django.http import Http404
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.common.endpoints import Endpoint, answer
from games.api.common.members import MemberSaid
from games.api.common.schema import refusals
from games.api.common.serializers import Parts
from games.api.people import payloads
from games.models import Member, Table
from games.people.members import add_member, change_member


class Members(Endpoint):
    """The endpoint that lists the members of a table or adds one."""

    @extend_schema(
        operation_id="members",
        summary="The people of a table",
        description="Everybody who plays or has played at the table, with the ids used in events.",
        responses={200: payloads.MembersSaid, **refusals("not_found")},
    )
    def get(self, request: Request, code: str) -> Response:
        """Return the members in the order in which they were added."""
        members = self.table_opened(code).members.select_related("merged_into")
        return answer(payloads.MembersSaid.of({"members": members}))

    @extend_schema(
        operation_id="add_member",
        summary="Add a member",
        description=(
            "For owners. The id is made from the name. A name that a member has already is refused, so a "
            "repeated request adds nobody twice."
        ),
        request=payloads.MemberSent,
        responses={201: MemberSaid, **refusals("body", "not_found", "alike")},
    )
    def post(self, request: Request, code: str) -> Response:
        """Add the member in the body, and return them with the id made from the name."""
        table = self.table_opened(code, for_owning=True)
        sent = self.sent(payloads.MemberSent)
        return answer(MemberSaid.of(add_member(table, sent["name"], apart=_apart(sent))), status=201)


class OneMember(Endpoint):
    """The endpoint that changes one member of a table."""

    @extend_schema(
        operation_id="change_member",
        summary="Change the name or colour of a member",
        description=(
            "For owners, and for members who are neither retired nor merged. The id stays the same in every"
            " game."
        ),
        request=payloads.MemberChanged,
        responses={200: MemberSaid, **refusals("body", "not_found", "alike")},
    )
    def patch(self, request: Request, code: str, member: str) -> Response:
        """Change the name or colour of a member who is neither retired nor merged."""
        changed = _member(self.table_opened(code, for_owning=True), member)
        if changed.merged_into is not None or changed.retired_at is not None:
            raise Http404
        sent = self.sent(payloads.MemberChanged)
        name, colour = sent.get("name", changed.name), sent.get("colour", changed.colour)
        change_member(changed, name=name, colour=colour, apart=_apart(sent))
        return answer(MemberSaid.of(changed))


def _member(table: Table, slug: str) -> Member:
    return get_object_or_404(table.members.select_related("merged_into"), slug=slug)


def _apart(sent: Parts) -> tuple[str, ...]:
    """Return the name in the field `apart`, in a tuple; an empty tuple if the field was not sent.

    The owner sends the new name there again, to confirm that it belongs to another person than the member
    with a similar name, e.g. "Jose" beside "José".
    """
    return (sent["apart"],) if "apart" in sent else ()
