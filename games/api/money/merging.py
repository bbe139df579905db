"""Merging two members who are one person, and undoing the merge while nothing was recorded after it.

A merged member stays stored, but counts as the other member, who remains.
"""

from __future__ import annotations

from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.common.endpoints import Endpoint, answer
from games.api.common.members import MemberSaid
from games.api.common.schema import refusals
from games.api.money import payloads
from games.models import Member, Table
from games.money import merging

INTO = OpenApiParameter(
    "into", OpenApiTypes.STR, required=True, description="The id of the member who remains."
)


class MergedMember(Endpoint):
    """The endpoint that previews or makes the merge of a member into another."""

    query = ("into",)

    @extend_schema(
        operation_id="preview_merge",
        summary="Preview merging two members",
        description=(
            "For owners. Nothing is recorded. The preview has the balances of the two members, the payments"
            " between them, which no longer count, and who pays whom before and after. “wrong” is "
            "the reason why the two cannot be merged, “played” are the games in which both played."
        ),
        parameters=[INTO],
        responses={200: payloads.MergeSaid, **refusals("not_found", "refused")},
    )
    def get(self, request: Request, code: str, member: str) -> Response:
        """Return a preview of merging the member into the one in the query parameter `into`."""
        table = self.accounts_opened(code, for_owning=True)
        merged = _member_or_404(table, member)
        into = _member_or_404(table, request.query_params.get("into", ""))
        return answer(payloads.MergeSaid.of(merging.preview_merge(merged, into), table=table))

    @extend_schema(
        operation_id="merge_member",
        summary="Merge two members",
        description=(
            "For owners, with the “seen” of the preview; stale if the preview has changed. Events keep the "
            "old id; all sums count for the member who remains. Merging a merged member again changes "
            "nothing."
        ),
        request=payloads.MergeSent,
        responses={200: MemberSaid, **refusals("body", "not_found", "stale")},
    )
    def post(self, request: Request, code: str, member: str) -> Response:
        """Merge the member into the one in the body, and return the merged member.

        Raise StaleAccounts if the preview that the owner saw has changed since.
        """
        table = self.accounts_opened(code, for_owning=True)
        merged, sent = _member_or_404(table, member), self.sent(payloads.MergeSent)
        into = _member_or_404(table, sent["into"])
        return answer(MemberSaid.of(merging.merge(merged, into, seen=sent["seen"], by=self.user)))


class PartedMember(Endpoint):
    """The endpoint that undoes a merge."""

    @extend_schema(
        operation_id="part_member",
        summary="Undo a merge",
        description=(
            "For owners, and only while nothing was recorded since: no event in a game of theirs, no "
            "payment or shared cost of theirs, no change of a debt of theirs, and no other merge with them. The "
            "payments between the two members count again."
        ),
        responses={200: MemberSaid, **refusals("not_found", "refused")},
    )
    def post(self, request: Request, code: str, member: str) -> Response:
        """Undo the merge, so that the two members count as two persons again."""
        table = self.accounts_opened(code, for_owning=True)
        return answer(MemberSaid.of(merging.unmerge(_member_or_404(table, member), by=self.user)))


def _member_or_404(table: Table, slug: str) -> Member:
    return get_object_or_404(table.members.select_related("table", "merged_into"), slug=slug)
