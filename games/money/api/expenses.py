"""The expenses of a table in the API, where they are called shared costs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema, extend_schema_serializer
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from games.common import roles
from games.common.api.serializers import (
    NO_MEMBER,
    SMALLEST_COIN,
    BoundedList,
    EmptySerializer,
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
from games.models import MOST_MEMBERS, MOST_MONEY, NOTE_LENGTH, ExpenseState, Member, SharedCost
from games.money.api.payments import MovementReasonSerializer
from games.money.services import expense_corrections, expenses, night_summary, proposals
from games.money.services.expenses import Expense
from games.scoring.errors import RuleError
from games.scoring.i18n import _
from games.tables.api.permissions import CanViewAccounts, IsScorer
from games.tables.api.views import PagedViewSetBase, UserNameField


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
    """A shared cost of a night in its present state: one or several members paid, several share it.

    Only one that counts changes balances.
    """

    night = StrictDateField(first=expenses.FIRST_NIGHT)
    payer = MemberField(required=False, help_text="Who paid, by id; of several, who paid most.")
    payers = SharesField(
        child=StrictIntegerField(min_value=1, max_value=MOST_MONEY),
        required=False,
        help_text="What each payer paid, by id, in place of `payer`. It adds up to `amount`.",
    )
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
    state = serializers.ChoiceField(
        choices=[str(state) for state in ExpenseState],
        read_only=True,
        help_text=(
            "A cost that a member proposed waits until a user who may record accepts or refuses it. A replaced "
            "cost was corrected: the one that `replaces` it counts."
        ),
    )
    first = serializers.IntegerField(
        source="first_pk",
        read_only=True,
        help_text="The id of the first version of the cost, which its entries name.",
    )
    replaces = serializers.IntegerField(
        source="replaces_id",
        read_only=True,
        allow_null=True,
        help_text="The id of the cost that this corrects.",
    )
    borne = serializers.SerializerMethodField(
        help_text="What each member bears, in the smallest coin, by id; two who are one are one."
    )
    proposer = MemberField(
        read_only=True,
        allow_null=True,
        help_text="The member who proposed it; null if nobody had to accept it.",
    )
    recorded_by = UserNameField()
    ended_by, replaced_by, accepted_by, refused_by = (UserNameField(allow_null=True) for _act in range(4))

    class Meta:
        model = SharedCost
        fields: Sequence[str] = (
            "id",
            "night",
            "payer",
            "payers",
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
            "state",
            "first",
            "replaces",
            "made_at",
            "recorded_at",
            "recorded_by",
            "arrived_at",
            "ended_at",
            "ended_by",
            "replaced_at",
            "replaced_by",
            "reason",
            "proposer",
            "accepted_at",
            "accepted_by",
            "refused_at",
            "refused_by",
            "objection",
        )
        writable_fields: Sequence[str] = (
            "night",
            "payer",
            "payers",
            "amount",
            "sharers",
            "parts",
            "amounts",
            "note",
            "forgiven",
        )

    def to_representation(self, instance: SharedCost) -> dict[str, Any]:
        """Add the payers, with merged members as those they became."""
        expense = Expense.of(instance, self.context["people"])
        payers = {member.slug: amount for member, amount in expense.paid.items()}
        return {**super().to_representation(instance), "payer": expense.payer.slug, "payers": payers}

    def get_borne(self, cost: SharedCost) -> dict[str, int]:
        return {
            member.slug: part
            for member, part in expenses.current_shares(cost, self.context["people"]).items()
        }


@extend_schema_serializer(component_name="CostCorrection")
class ExpenseCorrectionSerializer(ExpenseSerializer):
    """The right content of a shared cost that is corrected. Its night stays."""

    class Meta(ExpenseSerializer.Meta):
        fields = (
            "payer",
            "payers",
            "amount",
            "sharers",
            "parts",
            "amounts",
            "note",
            "forgiven",
            "reason",
        )
        writable_fields = fields


@extend_schema_serializer(component_name="Refusal")
class RefusalSerializer(StrictSerializer):
    """The answer no to a proposed cost."""

    note = StrictCharField(
        required=False,
        allow_blank=True,
        max_length=NOTE_LENGTH,
        help_text="Why it is refused. The proposer reads it.",
    )


class ExpenseViewSet(PagedViewSetBase):
    """The shared costs of a table."""

    serializer_class = ExpenseSerializer
    permission_classes = [CanViewAccounts]
    rights = {"correct": IsScorer, "accept": IsScorer, "refuse": IsScorer}
    keyed = ("create", "correct")
    lookup_url_kwarg, lookup_value_converter = "cost", "int"

    def get_queryset(self) -> QuerySet[SharedCost]:
        users = ("recorded_by", "ended_by", "replaced_by", "accepted_by", "refused_by")
        return self.table.costs.select_related("table", "payer", "proposer", *users)

    @extend_schema(operation_id="costs")
    def list(self, request: Request, code: str) -> Response:
        """List the shared costs of a table.

        For users who may record, and for members: the newest first, including those taken back.
        """
        return self.page(self.get_queryset(), ExpenseSerializer)

    @extend_schema(operation_id="share_cost")
    def create(self, request: Request, code: str) -> Response:
        """Record a shared cost.

        One or several members paid for several on a night, in equal parts, by `parts` or by `amounts`; odd
        coins go one each to the sharers in the order of joining, beginning after who paid most, first to
        those who paid nothing. It changes balances, and no game, standing or record. With `forgiven` the
        payer is a debtor, and the sharers forgive them this amount in equal parts; the debtor bears no part
        of it, and cannot record it. For users who may record, and for members who paid: theirs `waits` until
        somebody who may record accepts it, and a member has at most twenty that wait.
        """
        data = self.parsed_body()
        expense = self._parse_expense(data, data["night"])
        is_proposal = self.role not in roles.WRITERS
        cost = expenses.create(
            self.table, data["night"], expense, key=self.key, by=self.user, is_proposal=is_proposal
        )
        return self.answer(ExpenseSerializer, cost, 201)

    @extend_schema(
        operation_id="correct_cost",
        request=ExpenseCorrectionSerializer,
        responses={201: ExpenseSerializer},
    )
    @action(detail=True, methods=["post"])
    def correct(self, request: Request, code: str, cost: int) -> Response:
        """Correct a shared cost.

        For users who may record. The answer is the new version, which replaces this one on the same night and
        has an id of its own; one entry moves what changed. A reason is needed unless the user who recorded
        the cost corrects it in the same night. A cost that waits is accepted with these changes. One that was
        corrected, taken back or refused since is stale.
        """
        wrong, data = self.get_object(), self.parsed_body(ExpenseCorrectionSerializer)
        expense, reason = self._parse_expense(data, wrong.night), data.get("reason", "")
        new = expense_corrections.correct(wrong, expense, key=self.key, by=self.user, reason=reason)
        return self.answer(ExpenseSerializer, new, 201)

    def _parse_expense(self, data: Mapping[str, Any], night: date) -> Expense:
        """Return the expense that the fields of a request describe."""
        amount, is_forgiven = data["amount"], data.get("is_forgiven", False)
        if ("payer" in data) is ("payers" in data):
            raise RuleError(_("Send either “payer” or “payers”."), field="payer")
        paid = data["payers"] if "payers" in data else {data["payer"]: amount}
        ways = [way for way in ("sharers", "parts", "amounts") if way in data]
        if len(ways) > 1:
            raise RuleError(_("Send only one of “sharers”, “parts” and “amounts”."), field=ways[1])
        if ways == ["amounts"]:
            borne = data["amounts"]
        elif not paid:
            raise RuleError(_("Choose who paid."), field="payers")
        else:
            sharers = (
                data.get("sharers") if ways else night_summary.players_on(night, self.table, self.people)
            )
            parts = data.get("parts") or dict.fromkeys(sharers or (), 1)
            borne = expenses.split_by_parts(amount, paid, parts, self.people, is_forgiven=is_forgiven)
        return Expense(
            paid=paid, amount=amount, borne=borne, note=data.get("note", ""), is_forgiven=is_forgiven
        )

    @extend_schema(operation_id="accept_cost", request=EmptySerializer)
    @action(detail=True, methods=["post"])
    def accept(self, request: Request, code: str, cost: int) -> Response:
        """Accept a shared cost that waits.

        For users who may record. It counts from then on, on its own night. A cost that somebody answered
        otherwise, or that was taken back, is stale. The body is {}.
        """
        self.parsed_body(EmptySerializer)
        return self.answer(ExpenseSerializer, proposals.accept(self.get_object(), by=self.user))

    @extend_schema(operation_id="refuse_cost", request=RefusalSerializer)
    @action(detail=True, methods=["post"])
    def refuse(self, request: Request, code: str, cost: int) -> Response:
        """Refuse a shared cost that waits.

        For users who may record. It never counts, and its proposer reads the note.
        """
        row, note = self.get_object(), self.parsed_body(RefusalSerializer).get("note", "")
        return self.answer(ExpenseSerializer, proposals.refuse(row, by=self.user, objection=note))

    @extend_schema(operation_id="see_cost", request=EmptySerializer)
    @action(detail=True, methods=["post"])
    def see(self, request: Request, code: str, cost: int) -> Response:
        """Note that its proposer has read that a shared cost was refused.

        For the proposer; for anybody else nothing happens. The body is {}.
        """
        self.parsed_body(EmptySerializer)
        return self.answer(ExpenseSerializer, proposals.mark_seen(self.get_object(), by=self.user))

    @extend_schema(operation_id="cancel_cost", request=MovementReasonSerializer)
    @action(detail=True, methods=["post"])
    def cancel(self, request: Request, code: str, cost: int) -> Response:
        """Take a shared cost back.

        For users who may record, and for the proposer of a cost while it waits. It stays visible but does not
        count. A reason is needed unless the user who recorded it takes it back in the same night. Repeating
        the request changes nothing.
        """
        wrong, reason = self.get_object(), self.parsed_body(MovementReasonSerializer).get("reason", "")
        if not proposals.can_take_back(wrong, self.people, by=self.user):
            roles.check_role(self.role, roles.WRITERS)
        return self.answer(ExpenseSerializer, expenses.void(wrong, by=self.user, reason=reason))
