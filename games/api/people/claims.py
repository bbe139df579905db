"""Who is who: which member somebody says he is, and what an owner of the table says to that."""

from __future__ import annotations

from django.http import Http404
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.common.endpoints import Endpoint, answer
from games.api.common.members import MEMBER
from games.api.common.schema import CODE, refusals
from games.api.people import payloads
from games.models import Member, Role
from games.people import claims
from games.shown.common.people import called

_WALDO = {"member": "beto", "claimant": 7, "name": "Waldo", "yours": False, "agreed": False}
ALL = OpenApiExample("one claim", value={"claims": [_WALDO]}, response_only=True, status_codes=["200"])
WALDO = OpenApiExample("whose word it is", value={"claimant": 7}, request_only=True)


class OfClaims(Endpoint):
    """Somebody's claim to be a member; each write answers with the claims as they are then."""

    def member(self, code: str, slug: str) -> Member:
        """The member of this id, who is nobody else by now, at a table that is open to who asks."""
        table = self.table_opened(code)
        found = table.members.filter(merged_into=None, slug=slug).first()
        if found is None:
            raise Http404
        return found

    def claimant(self) -> int:
        """The user whose word is meant."""
        return self.sent("claimant").whole("claimant", least=1, most=payloads.HIGHEST)

    def said(self) -> Response:
        """The claims that who asks may know: an owner all of them, others their own."""
        assert self.table is not None
        found = self.table.members.filter(merged_into=None, user__isnull=False).select_related("user")
        if self.role is not Role.OWNER:
            found = found.filter(user=self.user)
        return answer({"claims": [self._claim(member) for member in found]})

    def _claim(self, member: Member) -> dict[str, object]:
        assert member.user is not None
        return {
            "member": member.slug,
            "claimant": member.user.pk,
            "name": called(member.user),
            "yours": member.user == self.user,
            "agreed": member.claimed_at is not None,
        }


class Claims(OfClaims):
    """Who says that he is whom."""

    @extend_schema(
        operation_id="claims",
        summary="Who is who at a table",
        description="For owners every claim, for others their own. Whoever is agreed to be a member reads accounts.",
        parameters=[CODE],
        responses={200: payloads.ClaimsSaid, **refusals("not_found")},
        examples=[ALL],
    )
    def get(self, request: Request, code: str) -> Response:
        """The claims."""
        self.table_opened(code)
        return self.said()


class Claiming(OfClaims):
    """A claim about to be made."""

    @extend_schema(
        operation_id="claim",
        summary="Say that you are a member",
        description="It waits for an owner's word; what an owner says of himself counts at once.",
        parameters=[CODE, MEMBER],
        request=None,
        responses={200: payloads.ClaimsSaid, **refusals("not_found", "refused")},
        examples=[ALL],
    )
    def post(self, request: Request, code: str, member: str) -> Response:
        """The claims as they are then."""
        found = self.member(code, member)
        claims.claim(found, self.user, is_agreed=self.role is Role.OWNER)
        return self.said()


class AcceptingClaim(OfClaims):
    """A claim about to be agreed to."""

    @extend_schema(
        operation_id="accept_claim",
        summary="Agree that somebody is a member",
        description="For owners, and about the claimant that was seen: refused where it is somebody else by now.",
        parameters=[CODE, MEMBER],
        request=payloads.ClaimantSent,
        responses={200: payloads.ClaimsSaid, **refusals("body", "not_found")},
        examples=[WALDO, ALL],
    )
    def post(self, request: Request, code: str, member: str) -> Response:
        """The claims as they are then."""
        self.table_opened(code, for_owning=True)
        claims.accept_claim(self.member(code, member), of=self.claimant())
        return self.said()


class EndingClaim(OfClaims):
    """A claim about to end."""

    @extend_schema(
        operation_id="end_claim",
        summary="Say that somebody is not a member",
        description="Of oneself anybody says so, of others an owner. What has ended already stays as it is.",
        parameters=[CODE, MEMBER],
        request=payloads.ClaimantSent,
        responses={200: payloads.ClaimsSaid, **refusals("body", "not_found")},
        examples=[WALDO, ALL],
    )
    def post(self, request: Request, code: str, member: str) -> Response:
        """The claims as they are then."""
        found = self.member(code, member)
        if found.user_id != self.user.pk:
            self.table_opened(code, for_owning=True)
        claims.end_claim(found, of=self.claimant())
        return self.said()
