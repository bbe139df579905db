"""What becomes of a payment: confirmed, disputed, accepted, upheld, amended, cancelled, withdrawn."""

from __future__ import annotations

from collections.abc import Callable

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.common.endpoints import Endpoint, answer
from games.api.common.schema import CODE, refusals
from games.api.common.writing import HIGHEST
from games.api.money import payloads
from games.api.money.payments import WORDS, words_sent
from games.api.money.told import in_full, payment_or_404
from games.models import NOTE_LENGTH, Payment
from games.money import payments as services
from games.money.amendments import amend
from games.notebook.fields import Fields
from games.people.access import WRITERS


class Turning(Endpoint):
    """One payment about to become something; said again it stays what it is."""

    for_keepers = False

    def turned(self, code: str, payment: int, *names: str, act: Callable[..., Payment]) -> Response:
        """The payment after this was done with it, by whoever may; `names` are the words that are kept with it."""
        table = self.accounts_opened(code, for_writing=self.for_keepers)
        found = payment_or_404(table, payment)
        words = dict.fromkeys(names, _text(self.sent("text"))) if names else {}
        return answer(in_full(act(found, by=self.user, **words), table))


class Confirm(Turning):
    """The word of the payee that it came."""

    @extend_schema(
        operation_id="confirm_payment",
        summary="Confirm a payment",
        description="The payee says that the money came. What was only claimed, or was disputed, counts from then on.",
        parameters=[CODE, payloads.PAYMENT],
        request=None,
        responses={200: payloads.PaymentInFull, **refusals("not_found", "refused")},
    )
    def post(self, request: Request, code: str, payment: int) -> Response:
        """The payment, confirmed."""
        return self.turned(code, payment, act=services.confirm)


class Dispute(Turning):
    """The word of the payee that it did not."""

    @extend_schema(
        operation_id="dispute_payment",
        summary="Dispute a payment",
        description="The payee says that it did not come, and why. It counts no more until somebody who records answers.",
        parameters=[CODE, payloads.PAYMENT],
        request=payloads.TurnSent,
        responses={200: payloads.PaymentInFull, **refusals("body", "not_found")},
    )
    def post(self, request: Request, code: str, payment: int) -> Response:
        """The payment, disputed."""
        return self.turned(code, payment, "objection", act=services.dispute)


class Accept(Turning):
    """The word of who keeps the accounts for what was only claimed."""

    for_keepers = True

    @extend_schema(
        operation_id="accept_payment",
        summary="Accept what was claimed",
        description="For whoever records: what a member says that he paid counts by their word.",
        parameters=[CODE, payloads.PAYMENT],
        request=None,
        responses={200: payloads.PaymentInFull, **refusals("not_found", "refused")},
    )
    def post(self, request: Request, code: str, payment: int) -> Response:
        """The payment, which counts."""
        return self.turned(code, payment, act=services.accept)


class Uphold(Turning):
    """The answer to the payee that it stands."""

    for_keepers = True

    @extend_schema(
        operation_id="uphold_payment",
        summary="Let a disputed payment stand",
        description="For whoever records: it counts all the same, and why.",
        parameters=[CODE, payloads.PAYMENT],
        request=payloads.TurnSent,
        responses={200: payloads.PaymentInFull, **refusals("body", "not_found")},
    )
    def post(self, request: Request, code: str, payment: int) -> Response:
        """The payment, which stands."""
        return self.turned(code, payment, "text", act=services.uphold)


class Cancel(Turning):
    """A payment taken back for good."""

    for_keepers = True

    @extend_schema(
        operation_id="cancel_payment",
        summary="Cancel a payment",
        description="For whoever records, while the payee has not confirmed it. It stays in sight, and counts no more.",
        parameters=[CODE, payloads.PAYMENT],
        request=payloads.TurnSent,
        responses={200: payloads.PaymentInFull, **refusals("body", "not_found")},
    )
    def post(self, request: Request, code: str, payment: int) -> Response:
        """The payment, which counts no more."""
        return self.turned(code, payment, "text", act=services.cancel)


class Withdraw(Turning):
    """A claim taken back by who made it."""

    @extend_schema(
        operation_id="withdraw_payment",
        summary="Withdraw what you claimed",
        description="For the member who said so himself, while it is no more than that.",
        parameters=[CODE, payloads.PAYMENT],
        request=None,
        responses={200: payloads.PaymentInFull, **refusals("not_found", "refused")},
    )
    def post(self, request: Request, code: str, payment: int) -> Response:
        """The payment, withdrawn."""
        return self.turned(code, payment, act=services.withdraw)


class Amend(Endpoint):
    """A payment put right."""

    @extend_schema(
        operation_id="amend_payment",
        summary="Amend a payment",
        description=(
            "For whoever records, and for the member who claimed it while it is no more than that: how much, how, what "
            "for and when, all of it. By whoever records it counts from then on. What it said stays readable."
        ),
        parameters=[CODE, payloads.PAYMENT],
        request=payloads.Amendment,
        responses={200: payloads.PaymentInFull, **refusals("body", "not_found", "stale")},
    )
    def post(self, request: Request, code: str, payment: int) -> Response:
        """The payment, which says this from now on."""
        table = self.accounts_opened(code)
        found, is_keeper = payment_or_404(table, payment), self.role in WRITERS
        if not is_keeper and not services.is_own_claim(found, self.user):
            self.accounts_opened(code, for_writing=True)
        sent = self.sent(*WORDS, "after", "text")
        words, after = words_sent(sent), sent.whole("after", least=0, most=HIGHEST)
        amended = amend(found, words, after=after, by=self.user, is_keeper=is_keeper, text=_text(sent))
        return answer(in_full(amended, table))


def _text(sent: Fields) -> str:
    return sent.text("text", longest=NOTE_LENGTH) if sent.has("text") else ""
