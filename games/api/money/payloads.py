"""Serializers for the accounts of a table: request bodies and answers.

Amounts are in the smallest coin of the table. The plan is a list of few payments that settle all balances. A
method `tell_<field>` of an answer returns the value of the field.
"""

from __future__ import annotations

from django.contrib.auth.models import User
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers

from games.api.common.members import MemberSaid
from games.api.common.owed import CLAIMED, Between
from games.api.common.paging import NextSaid
from games.api.common.payments import BY_HAND, PaymentSaid
from games.api.common.serializers import Answer, Body, Day, Line, Money, Sentences, Truth, Whole, Word
from games.api.common.writing import HIGHEST
from games.models import (
    ACCOUNT_LENGTH,
    MOST_MONEY,
    NOTE_LENGTH,
    Payment,
)
from games.money.balances import Account
from games.money.evening import Moment
from games.money.merging import MergePreview
from games.money.settling import NightSettlement
from games.scoring.words import _
from games.shown.common.members import known_as
from games.shown.common.sentences import translate
from games.shown.money.sentences import settling_in_sentences

MOST_WRITTEN_OFF = 10**18  # the highest amount that a database can still add up with others
LONGEST = 100  # letters of an id or of the method of a payment
LONGEST_ID = 40
BEFORE = OpenApiParameter(
    "before",
    {"type": "string", "format": "date"},
    OpenApiParameter.QUERY,
    description="The `next` of the previous page.",
)


# --- accounts ---------------------------------------------------------------------------------------------


class BalanceSaid(Answer):
    """The account of a member: the amounts that add up to the balance.

    A positive balance is owed to the member, a negative balance is owed by the member.
    """

    member = serializers.CharField(source="member.slug")
    name = serializers.CharField(source="member.name")
    plays = serializers.BooleanField()
    account = serializers.CharField(
        source="member.account", allow_blank=True, help_text="The payment details of the member, in words."
    )
    balance = serializers.IntegerField()
    games = serializers.IntegerField(help_text="The number of games.")
    won = serializers.IntegerField(help_text="The sum of money won or lost in the games.")
    paid = serializers.IntegerField()
    received = serializers.IntegerField()
    forgiven = serializers.IntegerField()
    carried = serializers.IntegerField(help_text="The starting balance.")
    shared = serializers.IntegerField(
        help_text="The sum of shared costs: what others owe for those this member paid, less the own parts."
    )

    def tell_plays(self, account: Account) -> bool:
        """Return whether the member still plays: they are not retired."""
        return account.member.retired_at is None


class PlanLineSaid(Answer):
    """A payment of the plan: the payer, the payee and the whole amount.

    `left` is the part still to be paid; `claimed` is the part of `left` that the payer claims to have
    paid.
    """

    payer = serializers.CharField(source="payer.slug")
    payee = serializers.CharField(source="payee.slug")
    amount = serializers.IntegerField()
    left = serializers.IntegerField()
    claimed = serializers.IntegerField()


class AccountsSaid(Money):
    """The accounts of a table in their present state."""

    seen = serializers.CharField(
        help_text=(
            "The version of the accounts, to be sent with opening balances; every change of the accounts "
            "changes it."
        )
    )
    balances = BalanceSaid(many=True)
    lines = PlanLineSaid(many=True)
    fewest = serializers.CharField(
        help_text="A sentence about the number of these payments; “” if nobody owes anything."
    )
    sentences = Sentences("They are about the whole table: the `left` of each line.")
    waiting = PaymentSaid(many=True)


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
    method = Word(choices=BY_HAND, longest=LONGEST, misshapen=_("Choose how it was paid."))
    note = Line(required=False, allow_blank=True, max_length=NOTE_LENGTH)
    day = Day(required=False, help_text="The day to which the payment is dated back.")
    sure = Truth(required=False, help_text="Confirms a payment that was refused as “unusual”.")


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


class SettlingLine(Between):
    """A payment that settles a night.

    `to_tick` is the amount that can be marked as paid: the part that the payer does not claim to have paid.
    """

    claimed = serializers.IntegerField(help_text=CLAIMED)
    to_tick = serializers.IntegerField(source="unsaid")


class NightSettlementSaid(Money):
    """The settling of a night: everybody's result, and the payments among those who played.

    `absent` are older debts between a player of that night and a member who did not play; the list is empty
    unless `with_before` is true.
    """

    night = serializers.DateField()
    with_before = serializers.BooleanField(source="is_with_before")
    is_playing = serializers.BooleanField()
    nets = serializers.DictField(child=serializers.IntegerField())
    lines = SettlingLine(many=True)
    ticked = PaymentSaid(many=True)
    absent = SettlingLine(many=True)
    sentences = Sentences("A night that is still being played has them too; `is_playing` says so.")

    def tell_sentences(self, settlement: NightSettlement) -> list[str]:
        """Return a sentence for each payment still to be made, in the language of the request.

        If there is none, the only sentence says that nobody owes anything.
        """
        return settling_in_sentences(settlement, self.at_table)


class NightTicked(Body):
    """A payment that settles a night and was made in cash."""

    payer = Line(max_length=LONGEST)
    payee = Line(max_length=LONGEST)
    amount = Whole(min_value=1, max_value=MOST_MONEY)


class SettlingChosen(Body):
    """The table's choice for settling nights: with or without older debts between those who played."""

    with_before = Truth()


class HolderSaid(MemberSaid):
    """A member with their payment details (where to send money to them)."""

    account = serializers.CharField(allow_blank=True)


class AccountSent(Body):
    """A member's payment details: an alias, an account number or any words. An empty text deletes them."""

    account = Line(allow_blank=True, max_length=ACCOUNT_LENGTH)


class Retired(Body):
    """The retirement of a member, with the balance to be written off as the owner saw it."""

    written_off = Whole(required=False, min_value=-MOST_WRITTEN_OFF, max_value=MOST_WRITTEN_OFF, default=0)


class Ticked(Body):
    """A payment for a game that was made in cash.

    A request without payer, payee and amount means all payments still owed for the game.
    """

    after = Whole(
        min_value=0, max_value=HIGHEST, help_text=("The number of the last event that the program has seen.")
    )
    payer = Line(required=False, max_length=LONGEST)
    payee = Line(required=False, max_length=LONGEST)
    amount = Whole(required=False, min_value=1, max_value=MOST_MONEY)


class TickedSaid(Answer):
    """The payments that were recorded."""

    payments = PaymentSaid(many=True)


# --- merging two members who are one person ---------------------------------------------------------------


class MergeSent(Body):
    """A merge: the member who remains, and the version of the preview that the owner saw."""

    into = Line(max_length=LONGEST_ID, help_text="The id of the member who remains.")
    seen = Line(max_length=LONGEST_ID, help_text="The `seen` of the preview.")


class AccountAdded(Answer):
    """A member's games and balance, before or after a merge. A negative balance is owed by the member."""

    member = serializers.CharField(source="member.slug")
    games = serializers.IntegerField()
    balance = serializers.IntegerField()


class LineToPay(Answer):
    """A payment of the plan: payer, payee and amount."""

    payer = serializers.CharField()
    payee = serializers.CharField()
    amount = serializers.IntegerField()


class MergeSaid(Money):
    """The preview of a merge of two members."""

    seen = serializers.CharField()
    before = AccountAdded(many=True, help_text="The accounts of the two members.")
    after = AccountAdded(help_text="The account of the two members as one.")
    payments = serializers.ListField(
        child=serializers.IntegerField(),
        help_text=("The ids of the payments between the two members, which no longer count."),
    )
    plan_before = LineToPay(many=True)
    plan_after = LineToPay(many=True)
    wrong = serializers.CharField(
        allow_blank=True, help_text=("The reason why the two cannot be merged; empty if they can.")
    )
    played = serializers.ListField(
        child=serializers.CharField(), help_text="The codes of the newest games in which both played."
    )

    def tell_payments(self, preview: MergePreview) -> list[int]:
        """Return the ids of the payments between the two members."""
        return [payment.pk for payment in preview.between]

    def tell_wrong(self, preview: MergePreview) -> str:
        """Return the reason why the two members cannot be merged, in the reader's language.

        Return "" if they can.
        """
        return "" if preview.wrong is None else translate(preview.wrong)

    def tell_played(self, preview: MergePreview) -> list[str]:
        """Return the codes of the newest games in which both members played."""
        return [game.code for game in preview.played]
