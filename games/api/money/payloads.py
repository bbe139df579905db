"""What the API takes and answers about the accounts."""

from __future__ import annotations

from collections.abc import Sequence

from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers

from games.api.common.closings import ClosingSaid
from games.api.common.members import MemberSaid
from games.api.common.paging import NextSaid
from games.api.common.payments import BY_HAND, METHODS, PaymentSaid
from games.api.common.serializers import Answer, Body, Day, Line, Money, Truth, Whole, Word
from games.api.common.writing import HIGHEST
from games.models import (
    ACCOUNT_LENGTH,
    MOST_MONEY,
    NOTE_LENGTH,
    Payment,
    PaymentStep,
    Plan,
    PlanReason,
    StepKind,
)
from games.money.balances import Account, People
from games.money.evening import Moment
from games.money.merging import MergePreview
from games.money.plans import Change, changes_of
from games.scoring.words import _
from games.shown.common.members import known_as
from games.shown.common.sentences import translate

MOST_WRITTEN_OFF = 10**18  # what a database adds up
LONGEST = 100  # letters of an id or a word
LONGEST_ID = 40
PAYMENT = OpenApiParameter(
    "payment",
    {"type": "integer", "minimum": 1, "maximum": 2**63 - 1},
    OpenApiParameter.PATH,
    description="The id of a payment.",
)
BEFORE = OpenApiParameter(
    "before",
    {"type": "string", "format": "date"},
    OpenApiParameter.QUERY,
    description="The `next` of the page before.",
)

NIGHT = OpenApiParameter(
    "night",
    {"type": "string", "format": "date"},
    OpenApiParameter.PATH,
    description="The day the night began.",
)


# --- accounts ---------------------------------------------------------------------------------------------------------


class BalanceSaid(Answer):
    """One member's account: what made its balance, which is owed to the member where it is above zero."""

    member = serializers.CharField(source="member.slug")
    name = serializers.CharField(source="member.name")
    plays = serializers.BooleanField()
    account = serializers.CharField(
        source="member.account", allow_blank=True, help_text="Where to send money, in words."
    )
    balance = serializers.IntegerField()
    games = serializers.IntegerField(help_text="How many games.")
    won = serializers.IntegerField(help_text="What they came to.")
    paid = serializers.IntegerField()
    received = serializers.IntegerField()
    written_off = serializers.IntegerField()
    carried = serializers.IntegerField(help_text="What came from another table, or went to one.")

    def tell_plays(self, account: Account) -> bool:
        """Return whether the member is not retired."""
        return account.member.retired_at is None


class PlanLineSaid(Answer):
    """Who pays whom: how much that was, what of it is left, and what of that the payer says they have paid."""

    payer = serializers.CharField(source="payer.slug")
    payee = serializers.CharField(source="payee.slug")
    amount = serializers.IntegerField()
    left = serializers.IntegerField()
    claimed = serializers.IntegerField()


class AccountsSaid(Money):
    """The accounts of a table as they stand now."""

    seen = serializers.CharField(
        help_text="What is sent where a night is closed: it changes with any of this."
    )
    balances = BalanceSaid(many=True)
    lines = PlanLineSaid(many=True)
    fewest = serializers.CharField(
        help_text="How few payments these are, as a sentence; “” where nobody owes."
    )
    waiting = PaymentSaid(many=True)


class LineChanged(Answer):
    """A line of the plan before and after; zero where there was, or is, none."""

    payer = serializers.CharField()
    payee = serializers.CharField()
    before = serializers.IntegerField()
    after = serializers.IntegerField()


class PlanSaid(Answer):
    """One change of who pays whom: what brought it about, and whose lines it changed."""

    made_at = serializers.DateTimeField()
    because = serializers.ChoiceField(choices=[str(because) for because in PlanReason])
    game = serializers.CharField(allow_null=True, help_text="The code of a game.")
    payment = serializers.IntegerField(allow_null=True, source="payment_id", help_text="The id of a payment.")
    lines = LineChanged(many=True)

    def tell_game(self, plan: Plan) -> str | None:
        """Return the code of the game."""
        return None if plan.game is None else plan.game.code

    def tell_lines(self, plan: Plan) -> Sequence[Change]:
        """Return the lines that the plan changed."""
        people: People = self.context["people"]
        return changes_of(plan, people)


class PlansSaid(Answer):
    """The changes of one page, the newest first."""

    changes = PlanSaid(many=True)
    next = NextSaid()


# --- payments ---------------------------------------------------------------------------------------------------------


class PaymentsSaid(Answer):
    """The payments of one page, the newest first, cancelled ones too."""

    payments = PaymentSaid(many=True)
    next = NextSaid()


class WordsSent(Body):
    """What a payment says that may be amended."""

    amount = Whole(min_value=1, max_value=MOST_MONEY, help_text="In the smallest coin of the table.")
    method = Word(choices=BY_HAND, longest=LONGEST, misshapen=_("Say how it was paid."))
    note = Line(required=False, allow_blank=True, max_length=NOTE_LENGTH)
    day = Day(required=False, help_text="The day it is dated back to.")


class PaymentSent(WordsSent):
    """Somebody paid somebody."""

    payer = Line(max_length=LONGEST, help_text="The id of a member.")
    payee = Line(max_length=LONGEST, help_text="The id of a member.")
    sure = Truth(required=False, help_text="That it is meant, although it may be one too many, or too much.")


class Amendment(WordsSent):
    """What a payment is to say from now on: all of it, also what stays."""

    after = Whole(min_value=0, max_value=HIGHEST, help_text="How often it was amended as you had seen it.")
    text = Line(required=False, allow_blank=True, max_length=NOTE_LENGTH)


class TurnSent(Body):
    """Why, in words, where that is kept."""

    text = Line(required=False, allow_blank=True, max_length=NOTE_LENGTH)


class SaidBefore(Answer):
    """What a payment said before it was amended."""

    amount = serializers.IntegerField()
    method = serializers.ChoiceField(choices=METHODS)
    note = serializers.CharField(allow_blank=True)
    paid_on = serializers.DateField(allow_null=True)


class StepSaid(Answer):
    """One thing that became of a payment."""

    turn = serializers.ChoiceField(choices=[str(turn) for turn in StepKind])
    at = serializers.DateTimeField()
    by = serializers.CharField(allow_blank=True, help_text="Who, by name; empty for a guest without one.")
    text = serializers.CharField(allow_blank=True)
    before = SaidBefore(allow_null=True)

    def tell_by(self, step: PaymentStep) -> str:
        """Return the name of the user."""
        people: People = self.context["people"]
        return known_as(step.by, people)

    def tell_before(self, step: PaymentStep) -> PaymentStep | None:
        """Return what an amendment keeps of the payment as it was."""
        return step if step.turn == StepKind.AMENDED else None


class PaymentInFull(PaymentSaid, Money):
    """A payment, who recorded it, and all that became of it, the oldest first."""

    recorded_by = serializers.CharField(allow_blank=True)
    amended = serializers.IntegerField(help_text="How often: the `after` of an amendment.")
    steps = StepSaid(many=True)

    def tell_recorded_by(self, payment: Payment) -> str:
        """Return the name of the user."""
        people: People = self.context["people"]
        return known_as(payment.recorded_by, people)

    def tell_amended(self, _payment: Payment) -> int:
        """Return the number of amendments."""
        return sum(step.turn == StepKind.AMENDED for step in self.context["steps"])

    def tell_steps(self, _payment: Payment) -> Sequence[PaymentStep]:
        """Return the steps, which are read once."""
        steps: Sequence[PaymentStep] = self.context["steps"]
        return steps


# --- nights, members, games -------------------------------------------------------------------------------------------


class NightSaid(Answer):
    """A night: how many games it had, and its last closing note, null where it was not closed."""

    night = serializers.DateField()
    games = serializers.IntegerField()
    closing = ClosingSaid(allow_null=True)


class NightsSaid(Answer):
    """The nights of one page, the newest first."""

    nights = NightSaid(many=True)
    next = serializers.DateField(
        allow_null=True, help_text="What to ask `before`; null where this is the last."
    )


class GuestSaid(Answer):
    """Somebody who was there: in how many games that are over, and what they came to."""

    member = serializers.CharField(source="member.slug")
    name = serializers.CharField(source="member.name")
    games = serializers.IntegerField()
    wins = serializers.IntegerField()
    reentries = serializers.IntegerField()
    net = serializers.IntegerField()
    is_playing = serializers.BooleanField()


class MomentSaid(Answer):
    """How far up or down somebody was, and after which game."""

    members = serializers.ListField(child=serializers.CharField())
    game = serializers.CharField(source="game.code")
    net = serializers.IntegerField()

    def tell_members(self, moment: Moment) -> list[str]:
        """Return the ids of the members."""
        return [member.slug for member in moment.members]


class NightInFull(Answer):
    """A night: who was there, how it went, and what a closing note would say."""

    night = serializers.DateField()
    games = serializers.ListField(child=serializers.CharField())
    there = GuestSaid(many=True)
    pots = serializers.IntegerField()
    best = MomentSaid(allow_null=True)
    worst = MomentSaid(allow_null=True)
    closing = ClosingSaid(allow_null=True)
    balances = serializers.DictField(child=serializers.IntegerField())
    lines = serializers.ListField(child=serializers.ListField())
    seen = serializers.CharField(help_text="To close the night with.")


class NightClosed(Body):
    """A night, and what everybody saw of it."""

    night = Day()
    seen = Line(max_length=64, help_text="The `seen` of that night, or of the accounts.")
    text = Line(required=False, allow_blank=True, max_length=NOTE_LENGTH)


class HolderSaid(MemberSaid):
    """A member, and where to send them money."""

    account = serializers.CharField(allow_blank=True)


class AccountSent(Body):
    """Where to send money: an alias, a number, any words; nothing takes it away."""

    account = Line(allow_blank=True, max_length=ACCOUNT_LENGTH)


class Retired(Body):
    """The balance that is written off, as it was seen."""

    written_off = Whole(required=False, min_value=-MOST_WRITTEN_OFF, max_value=MOST_WRITTEN_OFF, default=0)


class Ticked(Body):
    """One line of a game that was paid in cash; without payer, payee and amount all of them."""

    after = Whole(min_value=0, max_value=HIGHEST, help_text="The last event you had seen.")
    payer = Line(required=False, max_length=LONGEST)
    payee = Line(required=False, max_length=LONGEST)
    amount = Whole(required=False, min_value=1, max_value=MOST_MONEY)


class TickedSaid(Answer):
    """The payments that were recorded."""

    payments = PaymentSaid(many=True)


# --- who is a member twice --------------------------------------------------------------------------------------------


class MergeSent(Body):
    """Who the member is."""

    into = Line(max_length=LONGEST_ID, help_text="The id of the member who stays.")
    seen = Line(max_length=LONGEST_ID, help_text="The one of the preview.")


class AccountAdded(Answer):
    """How much a member has played, and what it is owed; below zero it owes."""

    member = serializers.CharField(source="member.slug")
    games = serializers.IntegerField()
    balance = serializers.IntegerField()


class LineToPay(Answer):
    """Who would pay whom."""

    payer = serializers.CharField()
    payee = serializers.CharField()
    amount = serializers.IntegerField()


class MergeSaid(Money):
    """What making two members one brings."""

    seen = serializers.CharField()
    before = AccountAdded(many=True, help_text="The member and who it would be.")
    after = AccountAdded(help_text="Both as one.")
    payments = serializers.ListField(
        child=serializers.IntegerField(), help_text="The ids of those between the two, which count no more."
    )
    plan_before = LineToPay(many=True)
    plan_after = LineToPay(many=True)
    wrong = serializers.CharField(allow_blank=True, help_text="Why they cannot be one; empty where they can.")
    played = serializers.ListField(
        child=serializers.CharField(), help_text="The codes of the newest games in which both sat."
    )

    def tell_payments(self, twins: MergePreview) -> list[int]:
        """Return the ids of the payments between the two."""
        return [payment.pk for payment in twins.between]

    def tell_wrong(self, twins: MergePreview) -> str:
        """Return why they cannot be merged, in the reader's language."""
        return "" if twins.wrong is None else translate(twins.wrong)

    def tell_played(self, twins: MergePreview) -> list[str]:
        """Return the codes of the games that both played."""
        return [game.code for game in twins.played]
