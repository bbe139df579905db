"""Somebody who is a member twice, and is made one; and two again while nothing came after."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.common.amounts import money_said
from games.api.common.endpoints import Endpoint, answer
from games.api.common.members import MEMBER, MemberSaid, member_said
from games.api.common.schema import CODE, refusals
from games.api.money import payloads
from games.models import Member, Table
from games.money import merging
from games.money.balances import Account
from games.money.plans import Lines
from games.shown.common.sentences import translate

INTO = OpenApiParameter(
    "into", OpenApiTypes.STR, required=True, description="The id of the member who stays: who it is."
)


class MergedMember(Endpoint):
    """A member who is another one."""

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
        """What comes of it."""
        table = self.accounts_opened(code, for_owning=True)
        found = _member_or_404(table, member)
        into = _member_or_404(table, request.query_params.get("into", ""))
        return answer(_merge(merging.twins(found, into), table))

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
        """The member, with who it is now."""
        table = self.accounts_opened(code, for_owning=True)
        found, sent = _member_or_404(table, member), self.sent("into", "seen")
        into = _member_or_404(table, sent.text("into", longest=payloads.LONGEST_ID))
        seen = sent.text("seen", longest=payloads.LONGEST_ID)
        return answer(member_said(merging.merge(found, into, seen=seen, by=self.user)))


class PartedMember(Endpoint):
    """A member who was taken for another one."""

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
        """The member, who is nobody else."""
        table = self.accounts_opened(code, for_owning=True)
        return answer(member_said(merging.part(_member_or_404(table, member), by=self.user)))


def _member_or_404(table: Table, slug: str) -> Member:
    found = table.members.select_related("table", "merged_into").filter(slug=slug).first()
    if found is None:
        raise Http404
    return found


def _merge(found: merging.Twins, table: Table) -> dict[str, Any]:
    return {
        **money_said(table),
        "seen": found.seen,
        "before": [_account(account) for account in found.before],
        "after": _account(found.after),
        "payments": [payment.pk for payment in found.between],
        "plan_before": _lines(found.plan_before),
        "plan_after": _lines(found.plan_after),
        "wrong": "" if found.wrong is None else translate(found.wrong),
        "played": [game.code for game in found.played],
    }


def _account(account: Account) -> dict[str, object]:
    return {"member": account.member.slug, "games": account.games, "balance": account.balance}


def _lines(lines: Lines) -> list[dict[str, object]]:
    return [{"payer": line.payer, "payee": line.payee, "amount": line.amount} for line in lines]
