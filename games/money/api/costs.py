"""The shared costs of a table's nights: what one member paid for several, e.g. a meal."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from games.common.api.serializers import (
    SMALLEST_COIN,
    MemberField,
    Money,
    StrictModelSerializer,
    Truth,
    Whole,
)
from games.models import MOST_MEMBERS, MOST_MONEY, SharedCost
from games.money import costs as services
from games.money.api.payments import ReasonSerializer
from games.money.costs import CostWords, parts_of_cost
from games.tables.api.names import UserNameField
from games.tables.api.permissions import ScoresAccounts, SeesAccounts
from games.tables.api.views import PagedView


class SharersField(serializers.ListField):
    """The members who share a cost; a recorded one stores their ids."""

    child = MemberField()

    def to_representation(self, data: Any) -> Any:
        """Return the ids."""
        return list(data)


class CostSerializer(StrictModelSerializer, Money):
    """A shared cost of a night in its present state: one member paid, several share it in equal parts.

    A cost that was taken back (`ended_at`) changes no balance.
    """

    payer = MemberField()
    amount = Whole(min_value=1, max_value=MOST_MONEY, help_text=SMALLEST_COIN)
    sharers = SharersField(
        required=False,
        max_length=MOST_MEMBERS,
        help_text="The members for whom it was; if they are not sent, all who played that night.",
    )
    forgiven = Truth(
        source="is_forgiven",
        required=False,
        help_text="Whether no money moved: the sharers forgive the payer this amount.",
    )
    counts = serializers.BooleanField(read_only=True, help_text="Whether the cost changes balances.")
    parts = serializers.SerializerMethodField(
        help_text="The part of each member by id; two who are one are one."
    )
    recorded_by, ended_by = UserNameField(), UserNameField(allow_null=True)

    class Meta:
        model = SharedCost
        fields = (
            *("id", "night", "payer", "amount", "unit", "decimals", "sharers", "parts", "note", "forgiven"),
            *("counts", "made_at", "recorded_at", "recorded_by", "arrived_at"),
            *("ended_at", "ended_by", "reason"),
        )
        read_only_fields = ("made_at", "recorded_at", "arrived_at", "ended_at", "reason")

    def get_parts(self, cost: SharedCost) -> dict[str, int]:
        """Return each sharer's part in the smallest coin, by the id of the member."""
        parts = parts_of_cost(cost, self.context["people"])
        return {member.slug: part for member, part in parts.items()}


class Costs(PagedView):
    """The shared costs of a table."""

    serializer_class = CostSerializer
    permission_classes = [SeesAccounts]
    rights = {"create": ScoresAccounts, "cancel": ScoresAccounts}
    keyed = ("create",)
    lookup_url_kwarg, lookup_value_converter = "cost", "int"

    def get_queryset(self) -> QuerySet[SharedCost]:
        """Return the costs of the table with all that a cost shows."""
        return self.table.costs.select_related("table", "payer", "recorded_by", "ended_by")

    @extend_schema(operation_id="costs")
    def list(self, request: Request, code: str) -> Response:
        """List the shared costs of a table.

        For users who may record, and for members: the newest first, including those taken back.
        """
        return self.page(self.get_queryset(), CostSerializer)

    @extend_schema(operation_id="share_cost")
    def create(self, request: Request, code: str) -> Response:
        """Record a shared cost.

        For users who may record: what one member paid for several on a night, in equal parts; odd coins go one
        each to the sharers in the order of joining, beginning after the payer. It changes balances, and no
        game, standing or record. With `forgiven` the payer is a debtor whom the sharers forgive this amount;
        the debtor bears no part of it, and cannot record it.
        """
        sent = self.sent()
        if "sharers" not in sent:
            sent["sharers"] = services.present_at(sent["night"], self.table, self.people)
        words = CostWords(
            sent["payer"],
            sent["amount"],
            tuple(sent["sharers"]),
            sent.get("note", ""),
            is_forgiven=sent.get("is_forgiven", False),
        )
        cost = services.share_cost(self.table, sent["night"], words, key=self.key, by=self.user)
        return self.answer(CostSerializer, cost, 201)

    @extend_schema(operation_id="cancel_cost", request=ReasonSerializer)
    @action(detail=True, methods=["post"])
    def cancel(self, request: Request, code: str, cost: int) -> Response:
        """Take a shared cost back.

        For users who may record. It stays visible but does not count. A reason is needed unless the user who
        recorded it takes it back in the same night. Repeating the request changes nothing.
        """
        wrong, reason = self.get_object(), self.sent(ReasonSerializer).get("reason", "")
        return self.answer(CostSerializer, services.cancel_cost(wrong, by=self.user, reason=reason))
