"""Claims: a user claims to be a member of the table, and an owner confirms or ends the claim."""

from __future__ import annotations

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.common.endpoints import Endpoint, answer
from games.api.common.schema import refusals
from games.api.people import payloads
from games.models import Member, Role
from games.people import claims

_WALDO = {"member": "beto", "claimant": 7, "name": "Waldo", "yours": False, "agreed": False}
ALL = OpenApiExample("one claim", value={"claims": [_WALDO]}, response_only=True)
WALDO = OpenApiExample("whose word it is", value={"claimant": 7}, request_only=True)


class OfClaims(Endpoint):
    """The base class of endpoints about claims. A write is answered with the claims that exist after it."""

    def member(self, code: str, slug: str) -> Member:
        """Return the member with this id, after checking that the user may read the table.

        Raise Http404 if there is none, or if the member was merged into another.
        """
        return get_object_or_404(self.table_opened(code).members, merged_into=None, slug=slug)

    def claimant(self) -> int:
        """Return the field `claimant` of the body: the id of the user who made the claim."""
        return int(self.sent(payloads.ClaimantSent)["claimant"])

    def claims(self) -> Response:
        """Return the claims at the table: every claim for an owner, the user's own claims for others."""
        assert self.table is not None
        members = self.table.members.filter(merged_into=None, user__isnull=False).select_related("user")
        if self.role is not Role.OWNER:
            members = members.filter(user=self.user)
        return answer(payloads.ClaimsSaid.of({"claims": members}, me=self.user))


class Claims(OfClaims):
    """The endpoint that lists the claims at a table."""

    @extend_schema(
        operation_id="claims",
        summary="The claims at a table",
        description=(
            "For owners every claim, for others their own. A user whose claim is confirmed may read the "
            "accounts."
        ),
        responses={200: payloads.ClaimsSaid, **refusals("not_found")},
        examples=[ALL],
    )
    def get(self, request: Request, code: str) -> Response:
        """Return the claims that the user may see."""
        self.table_opened(code)
        return self.claims()


class Claiming(OfClaims):
    """The endpoint with which a user claims to be a member."""

    @extend_schema(
        operation_id="claim",
        summary="Claim to be a member",
        description="The claim waits for an owner to confirm it; an owner's own claim is confirmed at once.",
        responses={200: payloads.ClaimsSaid, **refusals("not_found", "refused")},
        examples=[ALL],
    )
    def post(self, request: Request, code: str, member: str) -> Response:
        """Make the claim; an owner's own claim is confirmed at once."""
        claimed = self.member(code, member)
        claims.claim(claimed, self.user, is_agreed=self.role is Role.OWNER)
        return self.claims()


class AcceptingClaim(OfClaims):
    """The endpoint with which an owner confirms a claim."""

    @extend_schema(
        operation_id="accept_claim",
        summary="Confirm a claim",
        description=(
            "For owners, with the claimant that the owner saw; refused if another user claims the member by"
            " now. From then on the claimant's access has no end until somebody ends it."
        ),
        request=payloads.ClaimantSent,
        responses={200: payloads.ClaimsSaid, **refusals("body", "not_found")},
        examples=[WALDO, ALL],
    )
    def post(self, request: Request, code: str, member: str) -> Response:
        """Confirm the claim of the user in the body."""
        self.table_opened(code, for_owning=True)
        claims.accept_claim(self.member(code, member), of=self.claimant())
        return self.claims()


class EndingClaim(OfClaims):
    """The endpoint that ends a claim, whether or not it was confirmed."""

    @extend_schema(
        operation_id="end_claim",
        summary="End a claim",
        description="Users may end their own claim, owners any claim. Ending a claim again changes nothing.",
        request=payloads.ClaimantSent,
        responses={200: payloads.ClaimsSaid, **refusals("body", "not_found")},
        examples=[WALDO, ALL],
    )
    def post(self, request: Request, code: str, member: str) -> Response:
        """End the claim of the user in the body; only owners may end another user's claim."""
        claimed = self.member(code, member)
        if claimed.user_id != self.user.pk:
            self.table_opened(code, for_owning=True)
        claims.end_claim(claimed, of=self.claimant())
        return self.claims()
