"""The people of a table: who they are, and for its owners somebody new, another name or colour."""

from __future__ import annotations

from django.http import Http404
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.common.endpoints import Endpoint, answer
from games.api.common.members import MEMBER, MemberSaid, member_said
from games.api.common.schema import CODE, refusals
from games.api.people import payloads
from games.models import COLOURS, NAME_LENGTH, Member, Table
from games.notebook.fields import Fields
from games.people.members import add_member, change_member

_ANA = {"id": "ana", "name": "Ana", "colour": 1, "plays": True, "merged_into": None}
ONE = OpenApiExample("somebody", value=_ANA, response_only=True, status_codes=["200", "201"])
ALL = OpenApiExample("one person", value={"members": [_ANA]}, response_only=True, status_codes=["200"])
NEW = OpenApiExample("somebody new", value={"name": "Zulema"}, request_only=True)
BLUE = OpenApiExample("another colour", value={"colour": 2}, request_only=True)


class Members(Endpoint):
    """Everybody of a table."""

    @extend_schema(
        operation_id="members",
        summary="The people of a table",
        description="Everybody who plays or played there, by the ids that stand in events.",
        parameters=[CODE],
        responses={200: payloads.MembersSaid, **refusals("not_found")},
        examples=[ALL],
    )
    def get(self, request: Request, code: str) -> Response:
        """Everybody, in the order they came."""
        table = self.table_opened(code)
        members = table.members.select_related("merged_into")
        return answer({"members": [member_said(member) for member in members]})

    @extend_schema(
        operation_id="add_member",
        summary="Somebody new at a table",
        description=(
            "For owners. The id is made from the name. Who is there already under this name is refused, so the same "
            "request sent twice adds nobody twice."
        ),
        parameters=[CODE],
        request=payloads.MemberSent,
        responses={201: MemberSaid, **refusals("body", "not_found", "alike")},
        examples=[NEW, ONE],
    )
    def post(self, request: Request, code: str) -> Response:
        """Who was added."""
        table = self.table_opened(code, for_owning=True)
        sent = self.sent("name", "apart")
        member = add_member(table, sent.text("name", longest=NAME_LENGTH), apart=_apart(sent))
        return answer(member_said(member), status=201)


class OneMember(Endpoint):
    """Somebody of a table."""

    @extend_schema(
        operation_id="member",
        summary="Somebody of a table",
        parameters=[CODE, MEMBER],
        responses={200: MemberSaid, **refusals("not_found")},
        examples=[ONE],
    )
    def get(self, request: Request, code: str, member: str) -> Response:
        """Who has this id."""
        table = self.table_opened(code)
        return answer(member_said(_member(table, member)))

    @extend_schema(
        operation_id="change_member",
        summary="Another name or colour for somebody",
        description="For owners, and of who plays. The id stays, in every game there ever was.",
        parameters=[CODE, MEMBER],
        request=payloads.MemberChanged,
        responses={200: MemberSaid, **refusals("body", "not_found", "alike")},
        examples=[BLUE, ONE],
    )
    def patch(self, request: Request, code: str, member: str) -> Response:
        """How this member is called and looks now."""
        table = self.table_opened(code, for_owning=True)
        found = _member(table, member)
        if found.merged_into is not None or found.retired_at is not None:
            raise Http404
        sent = self.sent("name", "colour", "apart")
        name = sent.text("name", longest=NAME_LENGTH) if sent.has("name") else found.name
        colour = sent.whole("colour", least=1, most=COLOURS) if sent.has("colour") else found.colour
        change_member(found, name=name, colour=colour, apart=_apart(sent))
        return answer(member_said(found))


def _member(table: Table, slug: str) -> Member:
    found = table.members.select_related("merged_into").filter(slug=slug).first()
    if found is None:
        raise Http404
    return found


def _apart(sent: Fields) -> tuple[str, ...]:
    """The name that is said to be somebody else's."""
    return (sent.text("apart", longest=NAME_LENGTH),) if sent.has("apart") else ()
