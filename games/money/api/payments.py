"""The payments and expenses of a table in the API."""

from __future__ import annotations

from collections import Counter
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
    NO_MEMBER,
    SMALLEST_COIN,
    BoundedList,
    MemberField,
    MoneyMixin,
    StrictBooleanField,
    StrictCharField,
    StrictDateField,
    StrictIntegerField,
    StrictModelSerializer,
    StrictSerializer,
    validation_error,
)
from games.models import (
    MOST_MEMBERS,
    MOST_MONEY,
    NOTE_LENGTH,
    Member,
    Method,
    Payment,
    PaymentState,
    SharedCost,
)
from games.money.presenters import payment_questions
from games.money.services import expenses, night_summary, payments
from games.money.services.expenses import Expense
from games.scoring.errors import RuleError
from games.scoring.i18n import _
from games.tables.api.permissions import CanViewAccounts, IsScorer
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


# --- the shared costs of a table's nights -----------------------------------------------------------------------------


class SharesField(serializers.DictField):
    """A field of whole numbers by member id. The numbers of merged members are added up."""

    def to_internal_value(self, data: Any) -> Any:
        by_slug, shares = self.context["people"].by_slug, Counter[Member]()
        for slug, share in super().to_internal_value(data).items():
            if slug not in by_slug:
                raise validation_error(NO_MEMBER)
            shares[by_slug[slug]] += share
        return shares


@extend_schema_serializer(component_name="Cost")
class ExpenseSerializer(StrictModelSerializer, MoneyMixin):
    """A shared cost of a night in its present state: one member paid, several share it.

    A cost that was taken back (`ended_at`) changes no balance.
    """

    payer = MemberField()
    amount = StrictIntegerField(min_value=1, max_value=MOST_MONEY, help_text=SMALLEST_COIN)
    sharers = BoundedList(
        child=MemberField(),
        required=False,
        write_only=True,
        max_length=MOST_MEMBERS,
        help_text="The members for whom it was in equal parts; if nothing is sent, all who played that night.",
    )
    parts = SharesField(
        child=StrictIntegerField(min_value=0, max_value=expenses.MAX_PARTS),
        required=False,
        write_only=True,
        help_text="The parts of each member by id, in place of `sharers`.",
    )
    amounts = SharesField(
        child=StrictIntegerField(min_value=0, max_value=MOST_MONEY),
        required=False,
        write_only=True,
        help_text="What each member bears by id, in place of `sharers`. It adds up to `amount`.",
    )
    forgiven = StrictBooleanField(
        source="is_forgiven",
        required=False,
        help_text="Whether no money moved: the sharers forgive the payer this amount.",
    )
    counts = serializers.BooleanField(read_only=True, help_text="Whether the cost changes balances.")
    borne = serializers.SerializerMethodField(
        help_text="What each member bears, in the smallest coin, by id; two who are one are one."
    )
    recorded_by, ended_by = UserNameField(), UserNameField(allow_null=True)

    class Meta:
        model = SharedCost
        fields = (
            "id",
            "night",
            "payer",
            "amount",
            "unit",
            "decimals",
            "sharers",
            "parts",
            "amounts",
            "borne",
            "note",
            "forgiven",
            "counts",
            "made_at",
            "recorded_at",
            "recorded_by",
            "arrived_at",
            "ended_at",
            "ended_by",
            "reason",
        )
        writable_fields = ("night", "payer", "amount", "sharers", "parts", "amounts", "note", "forgiven")

    def get_borne(self, cost: SharedCost) -> dict[str, int]:
        return {
            member.slug: part
            for member, part in expenses.current_shares(cost, self.context["people"]).items()
        }


class ExpenseViewSet(PagedViewSetBase):
    """The shared costs of a table."""

    serializer_class = ExpenseSerializer
    permission_classes = [CanViewAccounts]
    rights = {"create": IsScorer, "cancel": IsScorer}
    keyed = ("create",)
    lookup_url_kwarg, lookup_value_converter = "cost", "int"

    def get_queryset(self) -> QuerySet[SharedCost]:
        return self.table.costs.select_related("table", "payer", "recorded_by", "ended_by")

    @extend_schema(operation_id="costs")
    def list(self, request: Request, code: str) -> Response:
        """List the shared costs of a table.

        For users who may record, and for members: the newest first, including those taken back.
        """
        return self.page(self.get_queryset(), ExpenseSerializer)

    @extend_schema(operation_id="share_cost")
    def create(self, request: Request, code: str) -> Response:
        """Record a shared cost.

        For users who may record: one member paid for several on a night, in equal parts, by `parts` or by
        `amounts`; odd coins go one each to the sharers in the order of joining, beginning after the payer. It
        changes balances, and no game, standing or record. With `forgiven` the payer is a debtor, and the
        sharers forgive them this amount in equal parts; the debtor bears no part of it, and cannot record it.
        """
        data = self.parsed_body()
        payer, amount, is_forgiven = data["payer"], data["amount"], data.get("is_forgiven", False)
        ways = [way for way in ("sharers", "parts", "amounts") if way in data]
        if len(ways) > 1:
            raise RuleError(_("Send only one of “sharers”, “parts” and “amounts”."), field=ways[1])
        if ways == ["amounts"]:
            borne = data["amounts"]
        else:
            sharers = (
                data.get("sharers")
                if ways
                else night_summary.players_on(data["night"], self.table, self.people)
            )
            parts = data.get("parts") or dict.fromkeys(sharers or (), 1)
            borne = expenses.split_by_parts(amount, payer, parts, self.people, is_forgiven=is_forgiven)
        expense = Expense(
            payer=payer, amount=amount, borne=borne, note=data.get("note", ""), is_forgiven=is_forgiven
        )
        cost = expenses.create(self.table, data["night"], expense, key=self.key, by=self.user)
        return self.answer(ExpenseSerializer, cost, 201)

    @extend_schema(operation_id="cancel_cost", request=MovementReasonSerializer)
    @action(detail=True, methods=["post"])
    def cancel(self, request: Request, code: str, cost: int) -> Response:
        """Take a shared cost back.

        For users who may record. It stays visible but does not count. A reason is needed unless the user who
        recorded it takes it back in the same night. Repeating the request changes nothing.
        """
        wrong, reason = self.get_object(), self.parsed_body(MovementReasonSerializer).get("reason", "")
        return self.answer(ExpenseSerializer, expenses.void(wrong, by=self.user, reason=reason))
