"""The forms of what is sent and answered about the accounts, for the description of the API."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers

from games.api.common.closings import ClosingSaid
from games.api.common.members import MemberSaid
from games.api.common.paging import NextSaid
from games.api.common.payments import BY_HAND, METHODS, PaymentSaid
from games.api.common.writing import HIGHEST
from games.models import ACCOUNT_LENGTH, DECIMALS, MOST_MONEY, NOTE_LENGTH, Because, Turn

MOST_WRITTEN_OFF = 10**18  # what a database adds up
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


class BalanceSaid(serializers.Serializer[Any]):
    """One member's account: what made its balance, which is owed to the member where it is above zero."""

    member = serializers.CharField()
    name = serializers.CharField()
    plays = serializers.BooleanField()
    account = serializers.CharField(allow_blank=True, help_text="Where to send money, in words.")
    balance = serializers.IntegerField()
    games = serializers.IntegerField(help_text="How many games.")
    won = serializers.IntegerField(help_text="What they came to.")
    paid = serializers.IntegerField()
    received = serializers.IntegerField()
    written_off = serializers.IntegerField()
    carried = serializers.IntegerField(help_text="What came from another table, or went to one.")


LONGEST_ID = 40


class PlanLineSaid(serializers.Serializer[Any]):
    """Who pays whom: how much that was, what of it is left, and what of that the payer says he has paid."""

    payer = serializers.CharField()
    payee = serializers.CharField()
    amount = serializers.IntegerField()
    left = serializers.IntegerField()
    claimed = serializers.IntegerField()


class AccountsSaid(serializers.Serializer[Any]):
    """The accounts of a table as they stand now."""

    unit = serializers.CharField()
    decimals = serializers.IntegerField(min_value=0, max_value=DECIMALS)
    seen = serializers.CharField(
        help_text="What is sent where a night is closed: it changes with any of this."
    )
    balances = BalanceSaid(many=True)
    lines = PlanLineSaid(many=True)
    fewest = serializers.CharField(
        help_text="How few payments these are, as a sentence; “” where nobody owes."
    )
    waiting = PaymentSaid(many=True)


class LineChanged(serializers.Serializer[Any]):
    """A line of the plan before and after; zero where there was, or is, none."""

    payer = serializers.CharField()
    payee = serializers.CharField()
    before = serializers.IntegerField()
    after = serializers.IntegerField()


class PlanSaid(serializers.Serializer[Any]):
    """One change of who pays whom: what brought it about, and whose lines it changed."""

    made_at = serializers.DateTimeField()
    because = serializers.ChoiceField(choices=[str(because) for because in Because])
    game = serializers.CharField(allow_null=True, help_text="The code of a game.")
    payment = serializers.IntegerField(allow_null=True, help_text="The id of a payment.")
    lines = LineChanged(many=True)


class PlansSaid(serializers.Serializer[Any]):
    """The changes of one page, the newest first."""

    changes = PlanSaid(many=True)
    next = NextSaid()


# --- payments ---------------------------------------------------------------------------------------------------------


class PaymentsSaid(serializers.Serializer[Any]):
    """The payments of one page, the newest first, cancelled ones too."""

    payments = PaymentSaid(many=True)
    next = NextSaid()


class WordsSent(serializers.Serializer[Any]):
    """What a payment says that may be amended."""

    amount = serializers.IntegerField(
        min_value=1, max_value=MOST_MONEY, help_text="In the smallest coin of the table."
    )
    method = serializers.ChoiceField(choices=BY_HAND)
    note = serializers.CharField(required=False, allow_blank=True, max_length=NOTE_LENGTH)
    day = serializers.DateField(required=False, help_text="The day it is dated back to.")


class PaymentSent(WordsSent):
    """Somebody paid somebody."""

    payer = serializers.CharField(max_length=100, help_text="The id of a member.")
    payee = serializers.CharField(max_length=100, help_text="The id of a member.")
    sure = serializers.BooleanField(
        required=False, help_text="That it is meant, although it may be one too many, or too much."
    )


class Amendment(WordsSent):
    """What a payment is to say from now on: all of it, also what stays."""

    after = serializers.IntegerField(
        min_value=0, max_value=HIGHEST, help_text="How often it was amended as you had seen it."
    )
    text = serializers.CharField(required=False, allow_blank=True, max_length=NOTE_LENGTH)


class TurnSent(serializers.Serializer[Any]):
    """Why, in words, where that is kept."""

    text = serializers.CharField(required=False, allow_blank=True, max_length=NOTE_LENGTH)


class SaidBefore(serializers.Serializer[Any]):
    """What a payment said before it was amended."""

    amount = serializers.IntegerField()
    method = serializers.ChoiceField(choices=METHODS)
    note = serializers.CharField(allow_blank=True)
    paid_on = serializers.DateField(allow_null=True)


class StepSaid(serializers.Serializer[Any]):
    """One thing that became of a payment."""

    turn = serializers.ChoiceField(choices=[str(turn) for turn in Turn])
    at = serializers.DateTimeField()
    by = serializers.CharField(allow_blank=True, help_text="Who, by name; empty for a guest without one.")
    text = serializers.CharField(allow_blank=True)
    before = SaidBefore(allow_null=True)


class PaymentInFull(PaymentSaid):
    """A payment, who recorded it, and all that became of it, the oldest first."""

    unit = serializers.CharField()
    decimals = serializers.IntegerField(min_value=0, max_value=DECIMALS)
    recorded_by = serializers.CharField(allow_blank=True)
    amended = serializers.IntegerField(help_text="How often: the `after` of an amendment.")
    steps = StepSaid(many=True)


# --- nights, members, games -------------------------------------------------------------------------------------------


class NightSaid(serializers.Serializer[Any]):
    """A night: how many games it had, and its last closing note, null where it was not closed."""

    night = serializers.DateField()
    games = serializers.IntegerField()
    closing = ClosingSaid(allow_null=True)


class NightsSaid(serializers.Serializer[Any]):
    """The nights of one page, the newest first."""

    nights = NightSaid(many=True)
    next = serializers.DateField(
        allow_null=True, help_text="What to ask `before`; null where this is the last."
    )


class GuestSaid(serializers.Serializer[Any]):
    """Somebody who was there: in how many games that are over, and what they came to."""

    member = serializers.CharField()
    name = serializers.CharField()
    games = serializers.IntegerField()
    wins = serializers.IntegerField()
    reentries = serializers.IntegerField()
    net = serializers.IntegerField()
    is_playing = serializers.BooleanField()


class MomentSaid(serializers.Serializer[Any]):
    """How far up or down somebody was, and after which game."""

    members = serializers.ListField(child=serializers.CharField())
    game = serializers.CharField()
    net = serializers.IntegerField()


class NightInFull(serializers.Serializer[Any]):
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


class NightClosed(serializers.Serializer[Any]):
    """A night, and what everybody saw of it."""

    night = serializers.DateField()
    seen = serializers.CharField(max_length=64, help_text="The `seen` of that night, or of the accounts.")
    text = serializers.CharField(required=False, allow_blank=True, max_length=NOTE_LENGTH)


class HolderSaid(MemberSaid):
    """A member, and where to send him money."""

    account = serializers.CharField(allow_blank=True)


class AccountSent(serializers.Serializer[Any]):
    """Where to send money: an alias, a number, any words; nothing takes it away."""

    account = serializers.CharField(allow_blank=True, max_length=ACCOUNT_LENGTH)


class Retired(serializers.Serializer[Any]):
    """The balance that is written off, as it was seen."""

    written_off = serializers.IntegerField(
        required=False, min_value=-MOST_WRITTEN_OFF, max_value=MOST_WRITTEN_OFF, default=0
    )


class Ticked(serializers.Serializer[Any]):
    """One line of a game that was paid in cash; without payer, payee and amount all of them."""

    after = serializers.IntegerField(min_value=0, max_value=HIGHEST, help_text="The last event you had seen.")
    payer = serializers.CharField(required=False, max_length=100)
    payee = serializers.CharField(required=False, max_length=100)
    amount = serializers.IntegerField(required=False, min_value=1, max_value=MOST_MONEY)


class TickedSaid(serializers.Serializer[Any]):
    """The payments that were recorded."""

    payments = PaymentSaid(many=True)


# --- who is a member twice --------------------------------------------------------------------------------------------


class MergeSent(serializers.Serializer[Any]):
    """Who the member is."""

    into = serializers.CharField(max_length=LONGEST_ID, help_text="The id of the member who stays.")
    seen = serializers.CharField(max_length=LONGEST_ID, help_text="The one of the preview.")


class AccountAdded(serializers.Serializer[Any]):
    """How much a member has played, and what it is owed; below zero it owes."""

    member = serializers.CharField()
    games = serializers.IntegerField()
    balance = serializers.IntegerField()


class LineToPay(serializers.Serializer[Any]):
    """Who would pay whom."""

    payer = serializers.CharField()
    payee = serializers.CharField()
    amount = serializers.IntegerField()


class MergeSaid(serializers.Serializer[Any]):
    """What making two members one brings."""

    unit = serializers.CharField()
    decimals = serializers.IntegerField(min_value=0, max_value=DECIMALS)
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
