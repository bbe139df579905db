"""Payments, who is to pay whom, and the notes of closed nights."""

from __future__ import annotations

from enum import StrEnum

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from games.models.limits import KEY_LENGTH, NOTE_LENGTH
from games.models.people import Member, Table
from games.models.play import Game


class Method(StrEnum):
    """How somebody paid; what is written off was forgiven, and no money moved."""

    CASH = "cash"
    TRANSFER = "transfer"
    WRITE_OFF = "write_off"


class Because(StrEnum):
    """What changed who pays whom."""

    ENDED = "ended"
    CORRECTED = "corrected"
    REOPENED = "reopened"
    DISCARDED = "discarded"
    RESTORED = "restored"
    PAID = "paid"
    CANCELLED = "cancelled"
    DISPUTED = "disputed"
    CONFIRMED = "confirmed"
    MERGED = "merged"
    IMPORTED = "imported"
    REPAIRED = "repaired"


class PaymentQuerySet(models.QuerySet["Payment"]):
    """Payments, and those of them that move balances."""

    def counting(self) -> PaymentQuerySet:
        """Neither cancelled nor disputed; whether the payee confirmed makes no difference."""
        return self.filter(cancelled_at=None, disputed_at=None)


class Payment(models.Model):
    """Money that went from one member to another: a fact of the table, which no game's correction touches."""

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="payments")
    payer = models.ForeignKey(Member, on_delete=models.PROTECT, related_name="payments_made")
    payee = models.ForeignKey(Member, on_delete=models.PROTECT, related_name="payments_taken")
    amount = models.BigIntegerField()
    method = models.CharField(max_length=10)
    note = models.CharField(max_length=NOTE_LENGTH, blank=True)
    # the game it was paid for, on the spot
    game = models.ForeignKey(Game, on_delete=models.PROTECT, null=True, blank=True, related_name="payments")
    key = models.CharField(max_length=KEY_LENGTH)  # shared by what was recorded together
    made_at = models.DateTimeField()
    recorded_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="payments"
    )
    confirmed_at = models.DateTimeField(null=True, blank=True)
    disputed_at = models.DateTimeField(null=True, blank=True)
    objection = models.CharField(max_length=NOTE_LENGTH, blank=True)  # what the payee says against it
    cancelled_at = models.DateTimeField(null=True, blank=True)
    cancelled_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )

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
            models.CheckConstraint(
                condition=Q(confirmed_at__isnull=True)
                | Q(disputed_at__isnull=True, cancelled_at__isnull=True),
                name="payment_confirmed_is_neither_disputed_nor_cancelled",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.payer} → {self.payee}: {self.amount}"

    @property
    def counts(self) -> bool:
        """Whether it moves balances."""
        return self.cancelled_at is None and self.disputed_at is None


class Plan(models.Model):
    """Who pays whom, as it stood from here on until something but a payment along it moved a balance.

    `lines` and `before`, what was still to be paid until then, are lists of [payer, payee, amount] with slugs.
    """

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="plans")
    lines = models.JSONField()
    before = models.JSONField()
    because = models.CharField(max_length=10)
    game = models.ForeignKey(Game, on_delete=models.PROTECT, null=True, blank=True, related_name="plans")
    number = models.PositiveIntegerField(null=True, blank=True)  # the first event of what was recorded then
    payment = models.ForeignKey(
        Payment, on_delete=models.PROTECT, null=True, blank=True, related_name="plans"
    )
    made_at = models.DateTimeField()

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(because__in=[str(because) for because in Because]), name="plan_reason_is_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.table}: {self.because}"


class ClosingNote(models.Model):
    """What everybody saw when a night was closed: the balances by slug, and who was still to pay whom."""

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="closing_notes")
    night = models.DateField()
    balances = models.JSONField()
    lines = models.JSONField()
    text = models.CharField(max_length=NOTE_LENGTH, blank=True)
    made_at = models.DateTimeField()
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="closing_notes"
    )

    class Meta:
        ordering = ["-night", "-made_at", "-pk"]
        indexes = [models.Index(fields=["table", "-night"], name="note_by_table_and_night")]

    def __str__(self) -> str:
        return f"{self.table}: {self.night}"
