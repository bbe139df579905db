"""Serializers for shared costs: request bodies and answers."""

from __future__ import annotations

from collections.abc import Sequence

from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers

from games.api.common.costs import CostSaid
from games.api.common.paging import NextSaid
from games.api.common.serializers import Answer, Body, Day, Items, Line, Money, Whole
from games.api.common.writing import HIGHEST
from games.models import MOST_MEMBERS, MOST_MONEY, NOTE_LENGTH, CostStep, CostStepKind, SharedCost
from games.money.balances import People
from games.money.costs import parts_of_cost
from games.shown.common.members import known_as

LONGEST = 100  # letters of an id
COST = OpenApiParameter(
    "cost",
    {"type": "integer", "minimum": 1, "maximum": 2**63 - 1},
    OpenApiParameter.PATH,
    description="The id of a shared cost.",
)


class CostsSaid(Answer):
    """A page of the shared costs, newest first, including cancelled ones."""

    costs = CostSaid(many=True)
    next = NextSaid()


class CostWordsSent(Body):
    """The fields of a shared cost that can be amended."""

    payer = Line(max_length=LONGEST, help_text="The id of a member.")
    amount = Whole(min_value=1, max_value=MOST_MONEY, help_text="In the smallest coin of the table.")
    note = Line(required=False, allow_blank=True, max_length=NOTE_LENGTH)


class CostSent(CostWordsSent):
    """A shared cost to be recorded."""

    night = Day(help_text="The day on which a night with games began.")
    sharers = Items(
        most=MOST_MEMBERS,
        child=serializers.CharField(max_length=LONGEST),
        max_length=MOST_MEMBERS,
        required=False,
        help_text="The ids of the members for whom it was; by default, of all who played that night.",
    )


class CostAmendment(CostWordsSent):
    """All fields of an amended shared cost, including the unchanged ones."""

    sharers = Items(
        most=MOST_MEMBERS,
        child=serializers.CharField(max_length=LONGEST),
        max_length=MOST_MEMBERS,
        help_text="The ids of the members for whom it was.",
    )
    after = Whole(
        min_value=0, max_value=HIGHEST, help_text=("The `amended` of the cost that the program has seen.")
    )
    text = Line(required=False, allow_blank=True, max_length=NOTE_LENGTH)


class CostBefore(Answer):
    """The fields of a shared cost before an amendment."""

    payer = serializers.CharField(source="payer.slug")
    amount = serializers.IntegerField()
    sharers = serializers.ListField(child=serializers.CharField())
    note = serializers.CharField(allow_blank=True)


class CostStepSaid(Answer):
    """A step in the history of a shared cost."""

    turn = serializers.ChoiceField(choices=[str(turn) for turn in CostStepKind])
    at = serializers.DateTimeField()
    by = serializers.CharField(
        allow_blank=True, help_text=("The name of the user; empty for a guest without a name.")
    )
    text = serializers.CharField(allow_blank=True)
    before = CostBefore(allow_null=True)

    def tell_by(self, step: CostStep) -> str:
        """Return the name of the user who took the step."""
        people: People = self.context["people"]
        return known_as(step.by, people)

    def tell_before(self, step: CostStep) -> CostStep | None:
        """Return the step if it is an amendment, which stores the cost's earlier fields; else None."""
        return step if step.turn == CostStepKind.AMENDED else None


class CostInFull(CostSaid, Money):
    """A shared cost, everybody's part, the user who recorded it, and its steps, oldest first."""

    parts = serializers.DictField(
        child=serializers.IntegerField(), help_text="The part of each member by id; two who are one are one."
    )
    recorded_by = serializers.CharField(allow_blank=True)
    amended = serializers.IntegerField(
        help_text=("The number of amendments, to be sent as the `after` of an amendment.")
    )
    steps = CostStepSaid(many=True)

    def tell_parts(self, cost: SharedCost) -> dict[str, int]:
        """Return everybody's part."""
        people: People = self.context["people"]
        return {member.slug: part for member, part in parts_of_cost(cost, people).items()}

    def tell_recorded_by(self, cost: SharedCost) -> str:
        """Return the name of the user who recorded the cost."""
        people: People = self.context["people"]
        return known_as(cost.recorded_by, people)

    def tell_amended(self, _cost: SharedCost) -> int:
        """Return the number of times that the cost was amended."""
        return sum(step.turn == CostStepKind.AMENDED for step in self.context["steps"])

    def tell_steps(self, _cost: SharedCost) -> Sequence[CostStep]:
        """Return the steps in the context, which the endpoint loaded once."""
        steps: Sequence[CostStep] = self.context["steps"]
        return steps
