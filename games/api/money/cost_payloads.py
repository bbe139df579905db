"""Serializers for shared costs: request bodies and answers.

A shared cost is what one member paid for several on a night, e.g. a meal. A method `tell_<field>` of an
answer returns the value of the field.
"""

from __future__ import annotations

from rest_framework import serializers

from games.api.common.costs import CostSaid
from games.api.common.paging import NextSaid
from games.api.common.serializers import Answer, Body, Day, Items, Line, Money, Truth, Whole
from games.models import MOST_MEMBERS, MOST_MONEY, NOTE_LENGTH, SharedCost
from games.money.balances import People
from games.money.costs import parts_of_cost
from games.shown.common.members import known_as

LONGEST = 100  # letters of an id


class CostSent(Body):
    """A shared cost to be recorded."""

    night = Day(help_text="The day on which the night began; nobody need have played.")
    payer = Line(max_length=LONGEST, help_text="The id of a member.")
    amount = Whole(min_value=1, max_value=MOST_MONEY, help_text="In the smallest coin of the table.")
    sharers = Items(
        most=MOST_MEMBERS,
        child=serializers.CharField(max_length=LONGEST),
        max_length=MOST_MEMBERS,
        required=False,
        help_text="The ids of the members for whom it was; by default, of all who played that night.",
    )
    note = Line(required=False, allow_blank=True, max_length=NOTE_LENGTH)
    forgiven = Truth(
        required=False, help_text="True if no money moved: the sharers forgive the payer this amount."
    )


class CostInFull(CostSaid):
    """A shared cost, everybody's part, and the user who recorded it."""

    recorded_by = serializers.CharField(allow_blank=True)
    parts = serializers.DictField(
        child=serializers.IntegerField(), help_text="The part of each member by id; two who are one are one."
    )

    def tell_recorded_by(self, cost: SharedCost) -> str:
        """Return the name of the user who recorded the cost."""
        return known_as(cost.recorded_by, self.context["people"])

    def tell_parts(self, cost: SharedCost) -> dict[str, int]:
        """Return each sharer's part in the smallest coin, as a dict whose keys are the ids of the members."""
        people: People = self.context["people"]
        return {member.slug: part for member, part in parts_of_cost(cost, people).items()}


class OneCost(CostInFull, Money):
    """A shared cost, everybody's part, and the user who recorded it."""


class CostsSaid(Answer):
    """A page of the shared costs, newest first, including those that were taken back."""

    costs = CostInFull(many=True)
    next = NextSaid()
