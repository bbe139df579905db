"""The payments of a table: listing them, showing one with its steps, recording one and claiming one.

A claimed payment counts only after its payee confirms it or a user who may record accepts it. The steps of a
payment are its history: confirmations, disputes, amendments and the like.
"""

from __future__ import annotations

from typing import Any

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiExample, extend_schema
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
from games.money.amendments import Words
from games.money.balances import People
from games.people.access import WRITERS
from games.scoring.words import Text, _
from games.shown.money.accounts import question_in_words

SENT = OpenApiExample(
    "paid by transfer",
    value={"payer": "beto", "payee": "ana", "amount": 1500, "method": "transfer", "sure": True},
    request_only=True,
)


class Payments(Endpoint):
    """The endpoint that lists the payments of a table, and records or claims one."""

    query = ("cursor", "limit")

    @extend_schema(
        operation_id="payments",
        summary="The payments of a table",
        description="For users who may record, and for members: newest first, including cancelled payments.",
        parameters=[*PAGED],
        responses={200: payloads.PaymentsSaid, **refusals("not_found")},
    )
    def get(self, request: Request, code: str) -> Response:
        """Return a page of the payments, newest first, including cancelled ones."""
        table = self.accounts_opened(code)
        page = page_of(request, table.payments.select_related("payer", "payee", "game"), "-made_at")
        return answer(payloads.PaymentsSaid.of({"payments": page.rows, "next": page.next}, table=table))

    @extend_schema(
        operation_id="pay",
        summary="Record a payment",
        description=(
            "A payment recorded by a user who may record counts at once. A member who only watches can "
            "claim a payment of their own, with a token that may record; it counts once the payee confirms "
            "it or a user who may record accepts it. A payment that seems to be a duplicate, or exceeds the"
            " amount owed, is refused as “unusual” until it is sent again under the same key with “sure”."
        ),
        parameters=[KEY],
        request=payloads.PaymentSent,
        responses={201: payloads.PaymentInFull, **refusals("body", "not_found", "key_reused", "unusual")},
        examples=[SENT],
    )
    def post(self, request: Request, code: str) -> Response:
        """Record the payment; for a witness (a read-only user), only claim it.

        A repeated request with the same idempotency key records nothing twice.
        """
        table = self.accounts_opened(code)
        key, people = key_sent(request), People.of(table)
        sent = self.sent(payloads.PaymentSent)
        payer, payee, words = _member(sent, "payer", people), _member(sent, "payee", people), words_sent(sent)
        is_sure = sent.get("sure", False)
        try:
            payment = services.pay(
                table,
                payer,
                payee,
                words.amount,
                method=words.method,
                note=words.note,
                day=words.day,
                key=key,
                by=self.user,
                is_asking=not is_sure,
                is_claimed=self.role not in WRITERS,
            )
        except services.Unusual as unusual:
            question = question_in_words(unusual, payer, words.amount, table)
            raise Problem("unusual", Text("{sentence}", {"sentence": question}), field="sure") from None
        return answer(in_full(payment, table), status=201)


class OnePayment(Endpoint):
    """The endpoint that returns one payment."""

    @extend_schema(
        operation_id="payment",
        summary="A payment with its steps",
        responses={200: payloads.PaymentInFull, **refusals("not_found")},
    )
    def get(self, request: Request, code: str, payment: int) -> Response:
        """Return the payment with its steps."""
        table = self.accounts_opened(code)
        return answer(in_full(payment_or_404(table, payment), table))


def payment_or_404(table: Table, number: int) -> Payment:
    """Return the payment with this primary key; raise Http404 if the table has none."""
    payments = table.payments.select_related("table", "payer", "payee", "game", "recorded_by")
    return get_object_or_404(payments, pk=number)


def in_full(payment: Payment, table: Table) -> dict[str, Any]:
    """Return the payment with its steps, oldest first, as JSON."""
    steps = list(payment.steps.select_related("by"))
    return payloads.PaymentInFull.of(payment, table=table, people=People.of(table), steps=steps)


def words_sent(sent: Parts) -> Words:
    """Return the amount, method, note and day of the payment in a request body.

    The day is the night to which the payment is dated back; None if it was not sent.
    """
    return Words(sent["amount"], Method(sent["method"]), sent.get("note", ""), sent.get("day"))


def _member(sent: Parts, name: str, people: People) -> Member:
    member = people.by_slug.get(sent[name])
    if member is None:
        raise Problem("refused", _("No member has this id."), field=name)
    return member
