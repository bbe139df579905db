"""Serializers for the accounts of a table: request bodies and answers.

Amounts are in the smallest coin of the table. A method `tell_<field>` of an answer returns the value of the
field.
"""

from __future__ import annotations

from django.contrib.auth.models import User
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers

from games.api.common.paging import NextSaid
from games.api.common.payments import METHODS, PaymentSaid
from games.api.common.serializers import Answer, Body, Day, Line, Money, Truth, Whole, Word
from games.api.common.writing import HIGHEST
from games.models import MOST_MONEY, NOTE_LENGTH, Payment
from games.money.evening import Moment
from games.scoring.words import _
from games.shown.common.members import known_as

CONFIRM = "Confirms a payment of more than is owed, which was refused as “unusual”."
LONGEST = 100  # letters of an id or of the method of a payment
BEFORE = OpenApiParameter(
    "before",
    {"type": "string", "format": "date"},
    OpenApiParameter.QUERY,
    description="The `next` of the previous page.",
)


# --- accounts ---------------------------------------------------------------------------------------------


class LineToPay(Answer):
    """A debt: payer, payee and amount."""

    payer = serializers.CharField(help_text="The id of a member.")
    payee = serializers.CharField(help_text="The id of a member.")
    amount = serializers.IntegerField()


class DebtSaid(Answer):
    """A debt of the accounts. `version` is the number of the entry that last altered it."""

    payer = serializers.CharField(source="payer.slug", help_text="The id of a member.")
    payee = serializers.CharField(source="payee.slug", help_text="The id of a member.")
    amount = serializers.IntegerField()
    version = serializers.IntegerField(help_text="Any change of the debt changes it.")
    claimed = serializers.IntegerField(
        help_text="What the payer says to have paid, and nobody has confirmed yet."
    )
    account = serializers.CharField(
        source="payee.account", allow_blank=True, help_text="The payment details of the payee, in words."
    )


class AccountsSaid(Money):
    """The accounts of a table in their present state."""

    seen = serializers.IntegerField(
        help_text=(
            "The version of the accounts, to be sent with opening balances; every change of the accounts "
            "changes it."
        )
    )
    balances = serializers.DictField(
        child=serializers.IntegerField(),
        help_text="By the id of a member: above zero it is owed to the member, below zero the member owes it.",
    )
    debts = DebtSaid(many=True)


class SimplifySent(Body):
    """The version of the accounts that the user saw; a preview needs none."""

    seen = Whole(min_value=0, max_value=HIGHEST, required=False, help_text="The `seen` of the preview.")


class SimplifiedSaid(Money):
    """The debts between those concerned before and after settling them anew."""

    seen = serializers.IntegerField()
    before = LineToPay(many=True)
    after = LineToPay(many=True)


# --- payments ---------------------------------------------------------------------------------------------


class PaymentsSaid(Answer):
    """A page of the payments, newest first, including those taken back."""

    payments = PaymentSaid(many=True)
    next = NextSaid()


class PaymentSent(Body):
    """A payment to be recorded."""

    payer = Line(max_length=LONGEST, help_text="The id of a member.")
    payee = Line(max_length=LONGEST, help_text="The id of a member.")
    amount = Whole(min_value=1, max_value=MOST_MONEY, help_text="In the smallest coin of the table.")
    method = Word(choices=METHODS, longest=LONGEST, misshapen=_("Choose how it was paid."))
    note = Line(required=False, allow_blank=True, max_length=NOTE_LENGTH)
    day = Day(required=False, help_text="The day to which the payment is dated back.")
    confirm = Truth(required=False, help_text=CONFIRM)


class ConfirmSent(Body):
    """The answer to the question that refused confirming a payment."""

    confirm = Truth(required=False, help_text=CONFIRM)


class ReasonSent(Body):
    """The reason why a payment is taken back, or what the payee says about it."""

    reason = Line(required=False, allow_blank=True, max_length=NOTE_LENGTH)


class PaymentInFull(PaymentSaid, Money):
    """A payment, and the users who recorded, confirmed, disputed and ended it."""

    recorded_by = serializers.CharField(
        allow_blank=True, help_text="The name of the user; empty for a guest without a name."
    )
    confirmed_by = serializers.CharField(allow_null=True)
    disputed_by = serializers.CharField(allow_null=True)
    ended_by = serializers.CharField(allow_null=True)

    def tell_recorded_by(self, payment: Payment) -> str:
        """Return the name of the user who recorded the payment."""
        return known_as(payment.recorded_by, self.context["people"])

    def tell_confirmed_by(self, payment: Payment) -> str | None:
        """Return the name of the user who confirmed the payment, or None."""
        return self._name_of(payment.confirmed_by)

    def tell_disputed_by(self, payment: Payment) -> str | None:
        """Return the name of the user who disputed the payment, or None."""
        return self._name_of(payment.disputed_by)

    def tell_ended_by(self, payment: Payment) -> str | None:
        """Return the name of the user who ended the payment, or None."""
        return self._name_of(payment.ended_by)

    def _name_of(self, user: User | None) -> str | None:
        return None if user is None else known_as(user, self.context["people"])


# --- nights, members, games -------------------------------------------------------------------------------


class NightSaid(Answer):
    """A night, and the number of its games."""

    night = serializers.DateField()
    games = serializers.IntegerField()


class NightsSaid(Answer):
    """A page of the nights, newest first."""

    nights = NightSaid(many=True)
    next = serializers.DateField(
        allow_null=True, help_text="The `before` of the next page; null on the last page."
    )


class GuestSaid(Answer):
    """A member who played on a night, with the number and the results of their finished games."""

    member = serializers.CharField(source="member.slug")
    name = serializers.CharField(source="member.name")
    games = serializers.IntegerField()
    wins = serializers.IntegerField()
    reentries = serializers.IntegerField()
    net = serializers.IntegerField()
    is_playing = serializers.BooleanField()


class MomentSaid(Answer):
    """The highest or lowest running total of a night.

    It has the members who reached the total, and the game after which they reached it.
    """

    members = serializers.ListField(child=serializers.CharField())
    game = serializers.CharField(source="game.code")
    net = serializers.IntegerField()

    def tell_members(self, moment: Moment) -> list[str]:
        """Return the ids of the members who reached the total."""
        return [member.slug for member in moment.members]


class NightInFull(Answer):
    """A night: its games and players, and its best and worst running totals."""

    night = serializers.DateField()
    games = serializers.ListField(child=serializers.CharField())
    there = GuestSaid(many=True)
    pots = serializers.IntegerField()
    best = MomentSaid(allow_null=True)
    worst = MomentSaid(allow_null=True)
