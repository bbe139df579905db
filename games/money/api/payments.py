"""The payments of a table in the API."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema, extend_schema_serializer
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from games.common.api import problems
from games.common.api.problems import ApiProblem
from games.common.api.serializers import (
    SMALLEST_COIN,
    MemberField,
    MoneyMixin,
    StrictBooleanField,
    StrictCharField,
    StrictDateField,
    StrictIntegerField,
    StrictModelSerializer,
    StrictSerializer,
)
from games.models import MOST_MONEY, NOTE_LENGTH, Method, Payment, PaymentState
from games.money.presenters import payment_questions
from games.money.services import payments
from games.tables.api.permissions import CanViewAccounts
from games.tables.api.views import PagedViewSetBase, UserNameField

SURE = "Confirms a payment of more than is owed, which was refused as “unusual”."


@problems.problem_for.register
def _more_than_owed(raised: payments.MoreThanOwed) -> ApiProblem:
    return problems.question_problem(payment_questions.question_sentence(raised, raised.payer.table))


class PaymentSerializer(StrictModelSerializer, MoneyMixin):
    """A payment in its present state. Only one that counts changes balances."""

    payer, payee = MemberField(), MemberField()
    amount = StrictIntegerField(min_value=1, max_value=MOST_MONEY, help_text=SMALLEST_COIN)
    method = serializers.ChoiceField(choices=[str(method) for method in Method])
    day = StrictDateField(
        required=False, write_only=True, help_text="The day to which the payment is dated back."
    )
    sure = StrictBooleanField(required=False, write_only=True, help_text=SURE)
    state = serializers.ChoiceField(
        choices=[str(state) for state in PaymentState],
        read_only=True,
        help_text=(
            "A claimed payment counts once it is confirmed. A disputed one did not arrive, as the payee says. "
            "An ended one was taken back, or is a claim that was answered with no."
        ),
    )
    recorded_by = UserNameField()
    confirmed_by, disputed_by, ended_by = (UserNameField(allow_null=True) for _act in range(3))

    class Meta:
        model = Payment
        fields = (
            "id",
            "payer",
            "payee",
            "amount",
            "unit",
            "decimals",
            "method",
            "note",
            "day",
            "sure",
            "state",
            "is_claim",
            "made_at",
            "paid_on",
            "recorded_at",
            "recorded_by",
            "arrived_at",
            "confirmed_at",
            "confirmed_by",
            "disputed_at",
            "disputed_by",
            "objection",
            "ended_at",
            "ended_by",
            "reason",
        )
        writable_fields = ("payer", "payee", "amount", "method", "note", "day", "sure")


@extend_schema_serializer(component_name="Sure")
class ConfirmationSerializer(StrictSerializer):
    """The answer to the question that refused to confirm a payment."""

    sure = StrictBooleanField(required=False, help_text=SURE)


@extend_schema_serializer(component_name="Reason")
class MovementReasonSerializer(StrictSerializer):
    """The reason for taking back a payment or a cost, or the payee's objection to a payment."""

    reason = StrictCharField(
        required=False,
        allow_blank=True,
        max_length=NOTE_LENGTH,
        help_text="Why it is taken back, or what did not arrive.",
    )


class PaymentViewSet(PagedViewSetBase):
    """The payments of a table. Repeating an action on one changes nothing."""

    serializer_class = PaymentSerializer
    permission_classes = [CanViewAccounts]
    keyed = ("create",)
    lookup_url_kwarg, lookup_value_converter = "payment", "int"

    def get_queryset(self) -> QuerySet[Payment]:
        users = ("recorded_by", "confirmed_by", "disputed_by", "ended_by")
        return self.table.payments.select_related("table", "payer", "payee", *users)

    @extend_schema(operation_id="payments")
    def list(self, request: Request, code: str) -> Response:
        """List the payments of a table.

        For users who may record, and for members: the newest first, including those taken back.
        """
        return self.page(self.get_queryset(), PaymentSerializer)

    @extend_schema(operation_id="pay")
    def create(self, request: Request, code: str) -> Response:
        """Record a payment.

        For users who may record, and for the payer and the payee. A payment that its payer records is a claim
        if the payee has a phone: it counts once the payee, or a user who may record, confirms it. Other
        payments count at once. Only the payee forgives, or an owner for a payee without a phone. A payment of
        more than is owed is refused as “unusual” until it is sent again under the same key with `sure`.
        """
        data = self.parsed_body()
        payment = payments.create(
            self.table,
            data["payer"],
            data["payee"],
            data["amount"],
            method=Method(data["method"]),
            note=data.get("note", ""),
            day=data.get("day"),
            key=self.key,
            by=self.user,
            role=self.role,
            is_asking=not data.get("sure", False),
        )
        return self.answer(PaymentSerializer, payment, 201)

    @extend_schema(operation_id="payment")
    def retrieve(self, request: Request, code: str, payment: int) -> Response:
        """Read a payment."""
        return self.answer(PaymentSerializer, self.get_object())

    @extend_schema(operation_id="confirm_payment", request=ConfirmationSerializer)
    @action(detail=True, methods=["post"])
    def confirm(self, request: Request, code: str, payment: int) -> Response:
        """Confirm a payment.

        For the payee, and for users who may record and are not the payer: the money arrived. A claimed or
        disputed payment counts from then on. One of more than is owed is refused as “unusual” until it is
        confirmed with `sure`.
        """
        is_asking = not self.parsed_body(ConfirmationSerializer).get("sure", False)
        return self._perform(
            lambda row: payments.confirm(row, by=self.user, role=self.role, is_asking=is_asking)
        )

    @extend_schema(operation_id="dispute_payment", request=MovementReasonSerializer)
    @action(detail=True, methods=["post"])
    def dispute(self, request: Request, code: str, payment: int) -> Response:
        """Dispute a payment.

        For the payee: the money did not arrive. A claim ends. Another payment does not count until somebody
        confirms it or takes it back.
        """
        objection = self.parsed_body(MovementReasonSerializer).get("reason", "")
        return self._perform(lambda row: payments.dispute(row, by=self.user, objection=objection))

    @extend_schema(operation_id="take_back_payment", request=MovementReasonSerializer)
    @action(detail=True, methods=["post"], url_path="take-back")
    def take_back(self, request: Request, code: str, payment: int) -> Response:
        """Take back a payment.

        For the user who recorded it, without a reason until the night ends; with a reason later, and for
        users who may record. It stays visible but does not count.
        """
        reason = self.parsed_body(MovementReasonSerializer).get("reason", "")
        return self._perform(lambda row: payments.void(row, by=self.user, role=self.role, reason=reason))

    def _perform(self, act: Callable[[Payment], Any]) -> Response:
        return self.answer(PaymentSerializer, act(self.get_object()))
