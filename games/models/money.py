"""Payments, and the stored plans of payments still to be made."""

from __future__ import annotations

from enum import StrEnum

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.timezone import now

from games.models.limits import KEY_LENGTH, NOTE_LENGTH
from games.models.people import Member, Table
from games.models.play import Game


class Method(StrEnum):
    """A payment's method. No money moves if the payee forgives the debt, or in an opening balance.

    An opening balance is a starting balance, typed in. It needs no confirmation.
    """

    CASH = "cash"
    TRANSFER = "transfer"
    FORGIVEN = "forgiven"
    OPENING = "opening"

    @property
    def is_by_hand(self) -> bool:
        """True if a user may choose this method for a payment: all methods but that of opening balances."""
        return self is not Method.OPENING


UNPAID = (Method.FORGIVEN, Method.OPENING)  # methods in which no money moves


ENDED = Q(ended_at__isnull=False)
DISPUTED = ~ENDED & Q(disputed_at__isnull=False, confirmed_at=None)
CLAIMED = ~ENDED & Q(is_claim=True, disputed_at=None, confirmed_at=None)
COUNTING = ~ENDED & (Q(confirmed_at__isnull=False) | Q(is_claim=False, disputed_at=None))


class PaymentQuerySet(models.QuerySet["Payment"]):
    """A queryset of payments with filters by state."""

    def standing(self) -> PaymentQuerySet:
        """Filter to payments that count or are claimed."""
        return self.filter(COUNTING | CLAIMED)

    def counting(self) -> PaymentQuerySet:
        """Filter to payments that change balances."""
        return self.filter(COUNTING)

    def claimed(self) -> PaymentQuerySet:
        """Filter to claims that nobody has answered yet."""
        return self.filter(CLAIMED)

    def unsettled(self) -> PaymentQuerySet:
        """Filter to claimed and disputed payments, which wait for an answer."""
        return self.filter(CLAIMED | DISPUTED)


class PaymentState(StrEnum):
    """The state of a payment. Only a payment that counts changes balances.

    A claimed payment is one that its payer says they made. A disputed payment is one that its payee says did
    not arrive. An ended payment was taken back, or is a claim that was answered with no.
    """

    COUNTS = "counts"
    CLAIMED = "claimed"
    DISPUTED = "disputed"
    ENDED = "ended"


def _of_one(act: str) -> Q:
    """Return the condition that an act has both a moment and a user, or neither."""
    return Q(**{f"{act}_at__isnull": True, f"{act}_by__isnull": True}) | Q(
        **{f"{act}_at__isnull": False, f"{act}_by__isnull": False}
    )


class Payment(models.Model):
    """Money that went from one member to another. Correcting a game never changes a payment.

    With `is_claim` the payer recorded it, and it counts once it is confirmed. Confirming a disputed payment
    makes it count again; the dispute stays in the row. The payment changes balances as of `made_at`; it was
    entered at `recorded_at`, and the site got it at `arrived_at`. `paid_on` dates the payment back to a night.
    `night` is set if the payment was marked as paid in the settling of that night.
    """

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="payments")
    payer = models.ForeignKey(Member, on_delete=models.PROTECT, related_name="payments_made")
    payee = models.ForeignKey(Member, on_delete=models.PROTECT, related_name="payments_taken")
    amount = models.BigIntegerField()
    method = models.CharField(max_length=10)
    note = models.CharField(max_length=NOTE_LENGTH, blank=True)
    # set if the payment was made on the spot, during this game
    game = models.ForeignKey(Game, on_delete=models.PROTECT, null=True, blank=True, related_name="payments")
    key = models.CharField(max_length=KEY_LENGTH)  # shared by payments recorded together
    made_at = models.DateTimeField()
    paid_on = models.DateField(null=True, blank=True)
    night = models.DateField(null=True, blank=True)  # set if marked as paid in this night's settling
    recorded_at = models.DateTimeField(default=now)
    arrived_at = models.DateTimeField(default=now)
    recorded_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="payments"
    )
    is_claim = models.BooleanField(default=False)
    confirmed_at = models.DateTimeField(null=True, blank=True)
    confirmed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    disputed_at = models.DateTimeField(null=True, blank=True)
    disputed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    objection = models.CharField(max_length=NOTE_LENGTH, blank=True)  # the payee's reason for a dispute
    ended_at = models.DateTimeField(null=True, blank=True)
    ended_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    reason = models.CharField(max_length=NOTE_LENGTH, blank=True)  # why the payment ended

    objects = PaymentQuerySet.as_manager()

    class Meta:
        ordering = ["-made_at", "-pk"]
        indexes = [models.Index(fields=["table", "-made_at"], name="payment_by_table_and_time")]
        constraints = [
            models.UniqueConstraint(
                fields=["table", "key", "payer", "payee"], name="payment_key_once_a_pair"
            ),
            models.CheckConstraint(condition=Q(amount__gt=0), name="payment_is_of_something"),
            models.CheckConstraint(condition=~Q(payer=F("payee")), name="payment_between_two"),
            models.CheckConstraint(condition=~Q(key=""), name="payment_has_a_key"),
            models.CheckConstraint(
                condition=Q(method__in=[str(method) for method in Method]), name="payment_method_is_known"
            ),
            models.CheckConstraint(condition=_of_one("confirmed"), name="payment_confirmed_by_somebody"),
            models.CheckConstraint(condition=_of_one("disputed"), name="payment_disputed_by_somebody"),
            models.CheckConstraint(condition=_of_one("ended"), name="payment_ended_by_somebody"),
            models.CheckConstraint(
                condition=Q(is_claim=True) | Q(disputed_at__isnull=False) | Q(confirmed_at=None),
                name="payment_confirmed_was_open",
            ),
            models.CheckConstraint(
                condition=Q(disputed_at__isnull=False) | Q(objection=""), name="payment_objection_is_to_it"
            ),
            models.CheckConstraint(condition=ENDED | Q(reason=""), name="payment_reason_is_of_an_end"),
            models.CheckConstraint(
                condition=Q(made_at__lte=F("recorded_at")), name="payment_made_before_it_is_recorded"
            ),
            models.CheckConstraint(
                condition=Q(paid_on__isnull=True) | Q(game__isnull=True),
                name="payment_on_the_spot_is_of_then",
            ),
            models.CheckConstraint(
                condition=Q(night__isnull=True) | Q(game__isnull=True), name="payment_of_night_or_game"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.payer} → {self.payee}: {self.amount}"

    @property
    def state(self) -> PaymentState:
        """The state, which follows from what was done to the payment."""
        if self.ended_at is not None:
            return PaymentState.ENDED
        if self.confirmed_at is not None:
            return PaymentState.COUNTS
        if self.disputed_at is not None:
            return PaymentState.DISPUTED
        return PaymentState.CLAIMED if self.is_claim else PaymentState.COUNTS

    @property
    def counts(self) -> bool:
        """True if the payment changes balances."""
        return self.state is PaymentState.COUNTS


class Plan(models.Model):
    """A plan of payments: who pays whom how much to settle all balances.

    A change of a balance ends the plan, and a new one replaces it; only a payment that the plan proposed does
    not end it. `lines` is a list of [payer's slug, payee's slug, amount].
    """

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="plans")
    lines = models.JSONField()
    made_at = models.DateTimeField()

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.table}: {self.made_at:%Y-%m-%d}"
