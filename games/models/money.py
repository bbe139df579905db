"""Payments: money that went from one member to another, or a debt that was forgiven."""

from __future__ import annotations

from enum import StrEnum

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.timezone import now

from games.models.limits import KEY_LENGTH, NOTE_LENGTH
from games.models.people import Member, Table


class Method(StrEnum):
    """A payment's method. No money moves if the payee forgives the debt (perdonado)."""

    CASH = "cash"
    TRANSFER = "transfer"
    FORGIVEN = "forgiven"


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
    """

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="payments")
    payer = models.ForeignKey(Member, on_delete=models.PROTECT, related_name="payments_made")
    payee = models.ForeignKey(Member, on_delete=models.PROTECT, related_name="payments_taken")
    amount = models.BigIntegerField()
    method = models.CharField(max_length=10)
    note = models.CharField(max_length=NOTE_LENGTH, blank=True)
    key = models.CharField(max_length=KEY_LENGTH)  # shared by payments recorded together
    made_at = models.DateTimeField()
    paid_on = models.DateField(null=True, blank=True)
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
