"""Merging two members who are one person, and undoing the merge while nothing was recorded after it."""

from __future__ import annotations

from django.http import Http404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.common.endpoints import Endpoint, answer
from games.api.common.members import MEMBER, MemberSaid
from games.api.common.schema import CODE, refusals
from games.api.money import payloads
from games.models import Member, Table
from games.money import merging

INTO = OpenApiParameter(
    "into", OpenApiTypes.STR, required=True, description="The id of the member who stays: who it is."
)


class MergedMember(Endpoint):
    """The action of merging a member into another."""

    @extend_schema(
        operation_id="preview_merge",
        summary="See what making two members one brings",
        description=(
            "For owners. Nothing is written: what both have, what one paid the other, which counts no more, and who pays "
            "whom before and after. “wrong” says why they cannot be one, “played” in which games both sat."
        ),
        parameters=[CODE, MEMBER, INTO],
        responses={200: payloads.MergeSaid, **refusals("not_found", "refused")},
    )
    def get(self, request: Request, code: str, member: str) -> Response:
        """Return a preview of the changes that the merge would make."""
        table = self.accounts_opened(code, for_owning=True)
        merged = _member_or_404(table, member)
        into = _member_or_404(table, request.query_params.get("into", ""))
        return answer(payloads.MergeSaid.of(merging.preview_merge(merged, into), table=table))

    @extend_schema(
        operation_id="merge_member",
        summary="Make two members one",
        description=(
            "For owners, and as it was “seen” in the preview: stale where it would come out otherwise. Events keep the "
            "id; whatever is added up counts for who stays. Whoever is merged already is answered as he is."
        ),
        parameters=[CODE, MEMBER],
        request=payloads.MergeSent,
        responses={200: MemberSaid, **refusals("body", "not_found", "stale")},
    )
    def post(self, request: Request, code: str, member: str) -> Response:
        """Merge the member into another."""
        table = self.accounts_opened(code, for_owning=True)
        merged, sent = _member_or_404(table, member), self.sent(payloads.MergeSent)
        into = _member_or_404(table, sent["into"])
        return answer(MemberSaid.of(merging.merge(merged, into, seen=sent["seen"], by=self.user)))


class PartedMember(Endpoint):
    """The action of undoing a merge."""

    @extend_schema(
        operation_id="part_member",
        summary="Make one member two again",
        description=(
            "For owners, while nothing came after: no entry in a game of theirs, no payment of theirs or word about "
            "one, no night closed, nobody else merged with them. What ceased to count between the two counts again."
        ),
        parameters=[CODE, MEMBER],
        request=None,
        responses={200: MemberSaid, **refusals("not_found", "refused")},
    )
    def post(self, request: Request, code: str, member: str) -> Response:
        """Undo the merge of the member."""
        table = self.accounts_opened(code, for_owning=True)
        return answer(MemberSaid.of(merging.unmerge(_member_or_404(table, member), by=self.user)))


def _member_or_404(table: Table, slug: str) -> Member:
    member = table.members.select_related("table", "merged_into").filter(slug=slug).first()
    if member is None:
        raise Http404
    return member
