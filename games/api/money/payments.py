"""The payments of a table: list, show, record, confirm, dispute and take back payments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.common.endpoints import Endpoint, answer
from games.api.common.paging import PAGED, page_of
from games.api.common.problems import Problem
from games.api.common.schema import refusals
from games.api.common.serializers import Parts
from games.api.common.writing import KEY, key_sent
from games.api.money import payloads
from games.models import Member, Method, Payment, Table
from games.money import payments as services
from games.money.balances import People
from games.scoring.words import _


class Payments(Endpoint):
    """The endpoint that lists the payments of a table, and records one."""

    query = ("cursor", "limit")

    @extend_schema(
        operation_id="payments",
        summary="The payments of a table",
        description="For users who may record, and for members: newest first, including those taken back.",
        parameters=[*PAGED],
        responses={200: payloads.PaymentsSaid, **refusals("not_found")},
    )
    def get(self, request: Request, code: str) -> Response:
        """Return a page of the payments, newest first, including those taken back."""
        table = self.accounts_opened(code)
        page = page_of(request, table.payments.select_related("payer", "payee"), "-made_at")
        return answer(payloads.PaymentsSaid.of({"payments": page.rows, "next": page.next}, table=table))

    @extend_schema(
        operation_id="pay",
        summary="Record a payment",
        description=(
            "For users who may record, and for the payer and the payee, with a token that may record. A payment "
            "that its payer records is a claim if an owner has confirmed who the payee is: it counts once the "
            "payee, or a user who may record, confirms it. Other payments count at once. Only the payee "
            "forgives, or an owner for a payee whom nobody claims to be. A payment of more than is owed is refused "
            "as “unusual” until it is sent again under the same key with “confirm”."
        ),
        parameters=[KEY],
        request=payloads.PaymentSent,
        responses={201: payloads.PaymentInFull, **refusals("body", "not_found", "key_reused", "unusual")},
    )
    def post(self, request: Request, code: str) -> Response:
        """Record the payment; a repeated request with the same idempotency key records nothing twice."""
        table = self.accounts_opened(code)
        key, people = key_sent(request), People.of(table)
        sent = self.sent(payloads.PaymentSent)
        payer, payee, amount = _member(sent, "payer", people), _member(sent, "payee", people), sent["amount"]
        payment = services.pay(
            table,
            payer,
            payee,
            amount,
            method=Method(sent["method"]),
            note=sent.get("note", ""),
            day=sent.get("day"),
            key=key,
            by=self.user,
            role=self.role,
            is_asking=not sent.get("confirm", False),
        )
        return answer(_in_full(payment, table), status=201)


class OnePayment(Endpoint):
    """The endpoint that returns one payment."""

    @extend_schema(
        operation_id="payment",
        summary="A payment",
        responses={200: payloads.PaymentInFull, **refusals("not_found")},
    )
    def get(self, request: Request, code: str, payment: int) -> Response:
        """Return the payment."""
        table = self.accounts_opened(code)
        return answer(_in_full(_payment_or_404(table, payment), table))


class Acting(Endpoint):
    """The base class of endpoints that do something to a payment. Repeating the request changes nothing."""

    def acted(self, code: str, payment: int, act: Callable[[Payment], Payment]) -> Response:
        """Do `act` to the payment, and return the changed payment in a response."""
        table = self.accounts_opened(code)
        return answer(_in_full(act(_payment_or_404(table, payment)), table))


class Confirm(Acting):
    """The endpoint that confirms a payment."""

    @extend_schema(
        operation_id="confirm_payment",
        summary="Confirm a payment",
        description=(
            "For the payee, and for users who may record and are not the payer: the money arrived. A claimed "
            "or disputed payment counts from then on. One of more than is owed is refused as “unusual” until it is "
            "confirmed with “confirm”."
        ),
        request=payloads.ConfirmSent,
        responses={200: payloads.PaymentInFull, **refusals("body", "not_found", "unusual")},
    )
    def post(self, request: Request, code: str, payment: int) -> Response:
        """Record that the money arrived."""
        is_asking = not self.sent(payloads.ConfirmSent).get("confirm", False)
        return self.acted(
            code,
            payment,
            lambda row: services.confirm(row, by=self.user, role=self.role, is_asking=is_asking),
        )


class Dispute(Acting):
    """The endpoint with which the payee says that the money did not arrive."""

    @extend_schema(
        operation_id="dispute_payment",
        summary="Dispute a payment",
        description=(
            "For the payee: the money did not arrive. A claim ends. Another payment does not count until "
            "somebody confirms it or takes it back."
        ),
        request=payloads.ReasonSent,
        responses={200: payloads.PaymentInFull, **refusals("body", "not_found")},
    )
    def post(self, request: Request, code: str, payment: int) -> Response:
        """Record that the money did not arrive, with the reason in the body."""
        objection = self.sent(payloads.ReasonSent).get("reason", "")
        return self.acted(code, payment, lambda row: services.dispute(row, by=self.user, objection=objection))


class TakeBack(Acting):
    """The endpoint that takes a payment back for good."""

    @extend_schema(
        operation_id="take_back_payment",
        summary="Take back a payment",
        description=(
            "For the user who recorded it, without a reason until the night ends; with a reason later, and for "
            "users who may record. It stays visible but does not count."
        ),
        request=payloads.ReasonSent,
        responses={200: payloads.PaymentInFull, **refusals("body", "not_found")},
    )
    def post(self, request: Request, code: str, payment: int) -> Response:
        """Take the payment back, so that it no longer changes balances."""
        reason = self.sent(payloads.ReasonSent).get("reason", "")
        return self.acted(
            code,
            payment,
            lambda row: services.take_back(row, by=self.user, role=self.role, reason=reason),
        )


def _payment_or_404(table: Table, number: int) -> Payment:
    payments = table.payments.select_related(
        "table", "payer", "payee", "recorded_by", "confirmed_by", "disputed_by", "ended_by"
    )
    return get_object_or_404(payments, pk=number)


def _in_full(payment: Payment, table: Table) -> dict[str, Any]:
    return payloads.PaymentInFull.of(payment, table=table, people=People.of(table))


def _member(sent: Parts, name: str, people: People) -> Member:
    member = people.by_slug.get(sent[name])
    if member is None:
        raise Problem("refused", _("No member has this id."), field=name)
    return member
