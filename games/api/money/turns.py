"""The steps of a payment: confirm, dispute, accept, uphold, amend, cancel and withdraw.

A step is an act on a recorded payment, and is stored in the payment's history. Each endpoint answers with
the changed payment and its steps. In names a step is also called a turn.
"""

from __future__ import annotations

from collections.abc import Callable

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.common.endpoints import Endpoint, answer
from games.api.common.schema import refusals
from games.api.money import payloads
from games.api.money.payments import in_full, payment_or_404, words_sent
from games.models import Payment
from games.money import payments as services
from games.money.amendments import amend
from games.people.access import WRITERS


class Turning(Endpoint):
    """The base class of endpoints that add a step to a payment. Repeating the request changes nothing.

    `for_keepers` limits the endpoint to users who may record.
    """

    for_keepers = False

    def turned(self, code: str, payment: int, *names: str, act: Callable[..., Payment]) -> Response:
        """Call the service `act` with the payment, and return the changed payment in a response.

        `names` are the keyword arguments of `act` that receive the reason in the body, "" if none was sent.
        Without `names` the step has no reason, and the body is not read.
        """
        table = self.accounts_opened(code, for_writing=self.for_keepers)
        turning = payment_or_404(table, payment)
        words = dict.fromkeys(names, self.sent(payloads.TurnSent).get("text", "")) if names else {}
        return answer(in_full(act(turning, by=self.user, **words), table))


class Confirm(Turning):
    """The endpoint with which the payee confirms a payment."""

    @extend_schema(
        operation_id="confirm_payment",
        summary="Confirm a payment",
        description="For the payee: the money arrived. A claimed or disputed payment counts from then on.",
        responses={200: payloads.PaymentInFull, **refusals("not_found", "refused")},
    )
    def post(self, request: Request, code: str, payment: int) -> Response:
        """Record that the money arrived."""
        return self.turned(code, payment, act=services.confirm)


class Dispute(Turning):
    """The endpoint with which the payee disputes a payment: the money did not arrive."""

    @extend_schema(
        operation_id="dispute_payment",
        summary="Dispute a payment",
        description=(
            "For the payee: the money did not arrive, with the reason. The payment does not count until a "
            "user who may record answers."
        ),
        request=payloads.TurnSent,
        responses={200: payloads.PaymentInFull, **refusals("body", "not_found")},
    )
    def post(self, request: Request, code: str, payment: int) -> Response:
        """Record that the money did not arrive, with the reason in the body."""
        return self.turned(code, payment, "objection", act=services.dispute)


class Accept(Turning):
    """The endpoint with which a user who may record accepts a payment that is only claimed so far."""

    for_keepers = True

    @extend_schema(
        operation_id="accept_payment",
        summary="Accept a claimed payment",
        description="For users who may record: the payment that a member claimed to have made counts.",
        responses={200: payloads.PaymentInFull, **refusals("not_found", "refused")},
    )
    def post(self, request: Request, code: str, payment: int) -> Response:
        """Accept the claimed payment, so that it changes the balances."""
        return self.turned(code, payment, act=services.accept)


class Uphold(Turning):
    """The endpoint with which a user who may record rejects a dispute: the payment counts again."""

    for_keepers = True

    @extend_schema(
        operation_id="uphold_payment",
        summary="Uphold a disputed payment",
        description="For users who may record: the payment counts in spite of the dispute, with the reason.",
        request=payloads.TurnSent,
        responses={200: payloads.PaymentInFull, **refusals("body", "not_found")},
    )
    def post(self, request: Request, code: str, payment: int) -> Response:
        """Reject the dispute of the payment, with the reason in the body."""
        return self.turned(code, payment, "text", act=services.uphold)


class Cancel(Turning):
    """The endpoint that cancels a payment for good."""

    for_keepers = True

    @extend_schema(
        operation_id="cancel_payment",
        summary="Cancel a payment",
        description=(
            "For users who may record, until the payee has confirmed the payment. A cancelled payment stays"
            " visible but does not count."
        ),
        request=payloads.TurnSent,
        responses={200: payloads.PaymentInFull, **refusals("body", "not_found")},
    )
    def post(self, request: Request, code: str, payment: int) -> Response:
        """Cancel the payment, with the reason in the body, so that it no longer changes balances."""
        return self.turned(code, payment, "text", act=services.cancel)


class Withdraw(Turning):
    """The endpoint with which a member withdraws a payment that they claimed to have made."""

    @extend_schema(
        operation_id="withdraw_payment",
        summary="Withdraw a claimed payment",
        description="For the member who claimed the payment, as long as it is only claimed.",
        responses={200: payloads.PaymentInFull, **refusals("not_found", "refused")},
    )
    def post(self, request: Request, code: str, payment: int) -> Response:
        """Withdraw the claimed payment."""
        return self.turned(code, payment, act=services.withdraw)


class Amend(Endpoint):
    """The endpoint that amends a payment: amount, method, note and day."""

    @extend_schema(
        operation_id="amend_payment",
        summary="Amend a payment",
        description=(
            "For users who may record, and for the member who claimed the payment, as long as it is only "
            "claimed. All of amount, method, note and day are sent. An amendment by a user who may record "
            "makes the payment count. The earlier values stay visible."
        ),
        request=payloads.Amendment,
        responses={200: payloads.PaymentInFull, **refusals("body", "not_found", "stale")},
    )
    def post(self, request: Request, code: str, payment: int) -> Response:
        """Replace the four fields of the payment; the step of the amendment keeps the earlier values."""
        table = self.accounts_opened(code)
        amended, is_keeper = payment_or_404(table, payment), self.role in WRITERS
        if not is_keeper and not services.is_own_claim(amended, self.user):
            self.accounts_opened(code, for_writing=True)
        sent = self.sent(payloads.Amendment)
        words, after, text = words_sent(sent), sent["after"], sent.get("text", "")
        amended = amend(amended, words, after=after, by=self.user, is_keeper=is_keeper, text=text)
        return answer(in_full(amended, table))
