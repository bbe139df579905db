"""Payment details of members, retiring a member and bringing a member back.

A retired member plays no more games. Their balance stays in the accounts until it is paid.
"""

from __future__ import annotations

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.common.endpoints import Endpoint, answer
from games.api.common.schema import refusals
from games.api.money import payloads
from games.models import Member, Role, Table
from games.money.holders import bring_back, retire, set_account


class AccountOfMember(Endpoint):
    """The endpoint that sets the payment details of a member: where to send money to them."""

    @extend_schema(
        operation_id="set_account",
        summary="Set the payment details of a member",
        description=(
            "For owners, and for the member themselves. All users who may read the accounts see the payment"
            " details."
        ),
        request=payloads.AccountSent,
        responses={200: payloads.HolderSaid, **refusals("body", "not_found")},
    )
    def put(self, request: Request, code: str, member: str) -> Response:
        """Set the payment details of the member; only owners and the member themselves may do this."""
        holder = _member_or_404(self.accounts_opened(code), member)
        if self.role is not Role.OWNER and not holder.is_of(self.user):
            self.accounts_opened(code, for_owning=True)
        return _answer(set_account(holder, self.sent(payloads.AccountSent)["account"]))


class RetiredMember(Endpoint):
    """The endpoint that retires a member."""

    @extend_schema(
        operation_id="retire",
        summary="Retire a member",
        description=(
            "For owners. The member plays no more. What they owe and are owed stays in the accounts until it is "
            "paid."
        ),
        responses={200: payloads.HolderSaid, **refusals("not_found", "refused")},
    )
    def post(self, request: Request, code: str, member: str) -> Response:
        """Retire the member."""
        return _answer(retire(_member_or_404(self.accounts_opened(code, for_owning=True), member)))


class MemberBroughtBack(Endpoint):
    """The endpoint that brings a retired member back."""

    @extend_schema(
        operation_id="bring_back",
        summary="Bring a retired member back",
        description="For owners.",
        responses={200: payloads.HolderSaid, **refusals("not_found", "refused")},
    )
    def post(self, request: Request, code: str, member: str) -> Response:
        """Let the retired member play again."""
        return _answer(bring_back(_member_or_404(self.accounts_opened(code, for_owning=True), member)))


def _member_or_404(table: Table, slug: str) -> Member:
    return get_object_or_404(table.members.select_related("table"), slug=slug, merged_into=None)


def _answer(member: Member) -> Response:
    return answer(payloads.HolderSaid.of(member))
