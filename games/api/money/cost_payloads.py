"""Serializers for shared costs: request bodies and answers.

A shared cost is what one member paid for several on a night, e.g. a meal. The history of a cost is a list
of steps: its amendments and its cancellation. A method `tell_<field>` of an answer returns the value of the
field.
"""

from __future__ import annotations

from rest_framework import serializers

from games.api.common.costs import CostSaid
from games.api.common.paging import NextSaid
from games.api.common.serializers import Answer, Body, Day, Items, Line, Money, Whole
from games.api.common.writing import HIGHEST
from games.api.money.payloads import AmendedSaid, AnyStep
from games.models import MOST_MEMBERS, MOST_MONEY, NOTE_LENGTH, CostStepKind, SharedCost
from games.money.balances import People
from games.money.costs import parts_of_cost

LONGEST = 100  # letters of an id


class CostsSaid(Answer):
    """A page of the shared costs, newest first, including cancelled ones."""

    costs = CostSaid(many=True)
    next = NextSaid()


class CostWordsSent(Body):
    """The base class of request bodies that record or amend a shared cost."""

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


class CostStepSaid(AnyStep):
    """A step in the history of a shared cost."""

    turn = serializers.ChoiceField(choices=[str(turn) for turn in CostStepKind])
    at = serializers.DateTimeField()
    by = serializers.CharField(
        allow_blank=True, help_text=("The name of the user; empty for a guest without a name.")
    )
    text = serializers.CharField(allow_blank=True)
    before = CostBefore(allow_null=True)


class PartsOfCost(Answer):
    """The base class of answers with the part of a shared cost that each member bears."""

    parts = serializers.DictField(
        child=serializers.IntegerField(), help_text="The part of each member by id; two who are one are one."
    )

    def tell_parts(self, cost: SharedCost) -> dict[str, int]:
        """Return each sharer's part in the smallest coin, as a dict whose keys are the ids of the members."""
        people: People = self.context["people"]
        return {member.slug: part for member, part in parts_of_cost(cost, people).items()}


class CostInFull(CostSaid, Money, PartsOfCost, AmendedSaid):
    """A shared cost, everybody's part, the user who recorded it, and its steps, oldest first."""

    steps = CostStepSaid(many=True)
