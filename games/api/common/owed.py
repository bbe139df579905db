"""The payments still owed for a game, those already made, and those only claimed by the payer.

A line is a payment to be made: payer, payee and amount. A claimed payment changes no balance yet. A method
`tell_<field>` of a serializer returns the value of the field.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from rest_framework import serializers

from games.api.common.payments import METHODS
from games.api.common.serializers import Answer, Money
from games.models import Payment, Table
from games.money.balances import People
from games.money.dues import Due, Dues

CLAIMED = "The part of the amount that the payer claims to have paid, not yet confirmed or accepted."


class Between(Answer):
    """The base class of answers with an amount that one member pays to another."""

    locals().update({"from": serializers.CharField(source="payer.slug")})  # `from` is a keyword of Python
    to = serializers.CharField(source="payee.slug")
    amount = serializers.IntegerField()


class OwedLine(Between):
    """A payment still to be made for this game. `to_tick` is the amount that can be marked as paid now."""

    claimed = serializers.IntegerField(help_text=CLAIMED)
    may_be_paid = serializers.BooleanField(
        help_text="Whether marking the whole game as paid includes this payment."
    )
    to_tick = serializers.IntegerField(
        help_text=(
            "The amount recorded if this payment alone is marked as paid: the part that is not claimed, or 0."
        )
    )

    def tell_claimed(self, due: Due) -> int:
        """Return the part of this line's amount that the payer claims to have paid.

        Return 0 for users who may not read the accounts.
        """
        return due.claimed if self.context["sees_accounts"] else 0

    def tell_may_be_paid(self, due: Due) -> bool:
        """Return whether a part of this line is neither paid nor claimed, so that it can be marked as paid.

        Return False for users who may not read the accounts.
        """
        return bool(self.context["sees_accounts"] and due.unsaid)

    def tell_to_tick(self, due: Due) -> int:
        """Return the amount that can be marked as paid now; 0 if this line cannot be marked as paid."""
        to_tick: Collection[Due] = self.context["to_tick"]
        return due.unsaid if due in to_tick else 0


class LineSaid(Between):
    """A payment to be made."""


class Numbered(Answer):
    """The base class of answers about a database row, with its primary key as `id`."""

    id = serializers.IntegerField(source="pk")


class PaidLine(Numbered, Between):
    """A payment that was made or claimed."""

    method = serializers.ChoiceField(choices=METHODS)
    at = serializers.DateTimeField(source="made_at")

    @property
    def people(self) -> People:
        """The members of the table by primary key, loaded once for all payments of an answer.

        A merged member's key leads to the member who remains.
        """
        context: Any = self._context  # one dictionary, shared by all payments of the answer
        if "people" not in context:
            context["people"] = People.of(self.at_table)
        people: People = context["people"]
        return people

    def tell_from(self, payment: Payment) -> str:
        """Return the id of the payer; for a merged member, the id of the member who remains."""
        return self.people.by_pk[payment.payer_id].slug

    def tell_to(self, payment: Payment) -> str:
        """Return the id of the payee; for a merged member, the id of the member who remains."""
        return self.people.by_pk[payment.payee_id].slug


class OwedSaid(Answer):
    """The payments still owed for a game.

    `lines` are the payments that the game made due, less the amounts that later payments or the settling of
    its night covered.
    """

    lines = OwedLine(many=True)
    replaced = LineSaid(many=True, help_text="The payments that a correction of the game made obsolete.")
    is_corrected = serializers.BooleanField()
    paid = PaidLine(many=True)
    claimed = PaidLine(
        many=True,
        help_text=("The payments that their payers claim to have made; they change no balance yet."),
    )

    @classmethod
    def about(cls, dues: Dues, table: Table, *, sees_accounts: bool, **more: object) -> dict[str, Any]:
        """Return the payments of a game (owed, made and claimed) as JSON.

        `sees_accounts` tells whether the user may read the accounts. Without it, the answer does not show
        which payments may be marked as paid. `more` is added to the context of the serializer; `DuesSaid`
        needs `code` and `after` there.
        """
        to_tick = dues.to_tick if sees_accounts else ()
        return cls.of(dues, table=table, sees_accounts=sees_accounts, to_tick=to_tick, **more)


class OfAGame(Answer):
    """The base class of answers with the code of a game and the number of its last event.

    Both come from the serializer's context, where they are `code` and `after`.
    """

    code = serializers.CharField()
    after = serializers.IntegerField(
        help_text=("The number of the last event, to be sent as “after” when payments are recorded.")
    )

    def tell_code(self, _dues: object) -> str:
        """Return the code of the game."""
        return str(self.context["code"])

    def tell_after(self, _dues: object) -> int:
        """Return the number of the last event of the game."""
        return int(self.context["after"])


class DuesSaid(OfAGame, Money, OwedSaid):
    """The payments still owed for a game, in the currency of its table."""
