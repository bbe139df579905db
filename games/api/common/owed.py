"""What a game still owes, what was paid for it and what is only claimed."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from rest_framework import serializers

from games.api.common.payments import METHODS
from games.api.common.serializers import Answer, Money
from games.models import Payment, Table
from games.money.balances import Line, People
from games.money.dues import Due, Dues

CLAIMED = "What of it the payer says he has paid, and waits for a word."


class Between(Answer):
    """An amount from one member to another."""

    locals().update({"from": serializers.CharField(source="payer.slug")})  # a keyword of Python
    to = serializers.CharField(source="payee.slug")
    amount = serializers.IntegerField()


class OwedLine(Between):
    """A payment still to be made for this game, as it is owed: what of it may be ticked off says “to_tick”."""

    claimed = serializers.IntegerField(help_text=CLAIMED)
    may_be_paid = serializers.BooleanField(
        help_text="Whether ticking all of the game off notes it: not once its payer has paid in the accounts."
    )
    to_tick = serializers.IntegerField(
        help_text="The amount as which whoever records ticks this line off alone: what is not claimed, or 0."
    )

    def tell_claimed(self, due: Due) -> int:
        """Return what is claimed, for readers of the accounts."""
        return due.claimed if self.context["sees_accounts"] else 0

    def tell_may_be_paid(self, due: Due) -> bool:
        """Return whether it may be paid on the spot, for readers of the accounts."""
        return bool(self.context["sees_accounts"] and due.may_be_paid)

    def tell_to_tick(self, due: Due) -> int:
        """Return the amount to tick off."""
        to_tick: Collection[Due] = self.context["to_tick"]
        return due.unsaid if due in to_tick else 0


class PlannedLine(Between):
    """A payment the plan of the accounts asks for: what is left of it, and of that what is not claimed (“to_pay”)."""

    claimed = serializers.IntegerField(help_text=CLAIMED)
    to_pay = serializers.IntegerField(source="unsaid")

    def tell_amount(self, line: Line) -> int:
        """Return what is left to pay."""
        return line.left


class LineSaid(Between):
    """A payment to be made."""


class Numbered(Answer):
    """A row with its number."""

    id = serializers.IntegerField(source="pk")


class PaidLine(Numbered, Between):
    """A payment that was made."""

    method = serializers.ChoiceField(choices=METHODS)
    at = serializers.DateTimeField(source="made_at")

    @property
    def people(self) -> People:
        """The members of the table, read once for all payments of an answer."""
        context: Any = self._context  # one for all payments of the answer
        if "people" not in context:
            context["people"] = People.of(self.at_table)
        people: People = context["people"]
        return people

    def tell_from(self, payment: Payment) -> str:
        """Return the id of the payer, merged members under one id."""
        return self.people.by_pk[payment.payer_id].slug

    def tell_to(self, payment: Payment) -> str:
        """Return the id of the payee, merged members under one id."""
        return self.people.by_pk[payment.payee_id].slug


class OwedSaid(Answer):
    """What is still owed; where the plan of the accounts counts (`by_plan`), that is what is to be paid."""

    lines = OwedLine(many=True)
    replaced = LineSaid(many=True, help_text="What a correction made of no account.")
    is_corrected = serializers.BooleanField()
    paid = PaidLine(many=True)
    claimed = PaidLine(many=True, help_text="What somebody says to have paid, and counts nowhere yet.")
    by_plan = serializers.BooleanField()
    plan = PlannedLine(many=True)
    paid_in_accounts = PaidLine(many=True)

    @classmethod
    def about(cls, dues: Dues, table: Table, *, sees_accounts: bool, **more: object) -> dict[str, Any]:
        """Return the answer for a reader of the accounts, or for a user who may not know what was paid."""
        to_tick = dues.to_tick if sees_accounts else ()
        return cls.of(dues, table=table, sees_accounts=sees_accounts, to_tick=to_tick, **more)

    def tell_by_plan(self, dues: Dues) -> bool:
        """Return whether the plan of the accounts counts."""
        return dues.plan is not None

    def tell_plan(self, dues: Dues) -> Sequence[Line]:
        """Return the lines of that plan."""
        return dues.plan.lines if dues.plan else ()

    def tell_paid_in_accounts(self, dues: Dues) -> Sequence[Payment]:
        """Return what was paid along that plan."""
        return dues.plan.paid if dues.plan else ()


class OfAGame(Answer):
    """The game that an answer is about."""

    code = serializers.CharField()
    after = serializers.IntegerField(help_text="The last event: what ticking off says it has seen.")

    def tell_code(self, _dues: object) -> str:
        """Return the code of the game."""
        return str(self.context["code"])

    def tell_after(self, _dues: object) -> int:
        """Return the number of the last event."""
        return int(self.context["after"])


class DuesSaid(OfAGame, Money, OwedSaid):
    """What is still owed for a game, in the money of its table."""
