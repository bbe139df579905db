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
    """A payment's method. No money moves in a write-off or an opening balance.

    An opening balance is a starting balance, typed in. It needs no confirmation.
    """

    CASH = "cash"
    TRANSFER = "transfer"
    WRITE_OFF = "write_off"
    OPENING = "opening"

    @property
    def is_by_hand(self) -> bool:
        """True if a user may choose this method for a payment: all methods but that of opening balances."""
        return self is not Method.OPENING


UNPAID = (Method.WRITE_OFF, Method.OPENING)  # methods in which no money moves


STANDING = Q(cancelled_at=None, disputed_at=None)
CLAIMED = STANDING & Q(claimed_at__isnull=False, accepted_at=None)
COUNTING = STANDING & (Q(claimed_at=None) | Q(accepted_at__isnull=False))


class PaymentQuerySet(models.QuerySet["Payment"]):
    """A queryset of payments with filters by status."""

    def standing(self) -> PaymentQuerySet:
        """Filter to payments that are neither cancelled nor disputed, claimed payments included."""
        return self.filter(STANDING)

    def counting(self) -> PaymentQuerySet:
        """Filter to payments that change balances: not cancelled, not disputed, not merely claimed.

        A payment that was never claimed changes balances without the payee's confirmation.
        """
        return self.filter(COUNTING)

    def claimed(self) -> PaymentQuerySet:
        """Filter to claimed payments: the payer only claims them, and nobody has confirmed them yet."""
        return self.filter(CLAIMED)

    def disputed(self) -> PaymentQuerySet:
        """Filter to payments that the payee disputes and no keeper of the accounts has decided on yet."""
        return self.filter(cancelled_at=None, disputed_at__isnull=False)


class Payment(models.Model):
    """Money that went from one member to another.

    Correcting a game never changes a payment.

    A payment recorded by a payer who may only watch the table is claimed: it has `claimed_at`, and changes
    balances only once the payee or a keeper of the accounts (an owner or scorer) confirmed it
    (`accepted_at`). The payment changes balances as of `made_at`; it was entered at `recorded_at`, and the
    site got it at `arrived_at`. `paid_on` dates the payment back to a night. `night` is set if the payment was
    marked as paid in the settling of that night. `steps` is its history.
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
    claimed_at = models.DateTimeField(null=True, blank=True)
    accepted_at = models.DateTimeField(null=True, blank=True)
    confirmed_at = models.DateTimeField(null=True, blank=True)
    disputed_at = models.DateTimeField(null=True, blank=True)
    objection = models.CharField(max_length=NOTE_LENGTH, blank=True)  # the payee's reason for a dispute
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
                condition=Q(confirmed_at__isnull=True) | Q(disputed_at__isnull=True),
                name="payment_confirmed_is_not_disputed",
            ),
            models.CheckConstraint(
                condition=Q(accepted_at__isnull=True) | Q(claimed_at__isnull=False),
                name="payment_accepted_was_claimed",
            ),
            models.CheckConstraint(
                condition=Q(confirmed_at__isnull=True)
                | Q(claimed_at__isnull=True)
                | Q(accepted_at__isnull=False),
                name="payment_confirmed_is_accepted",
            ),
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
    def counts(self) -> bool:
        """True if the payment changes balances: it is not cancelled, disputed or merely claimed."""
        return self.stands and not self.is_claimed

    @property
    def stands(self) -> bool:
        """True if the payment is neither cancelled nor disputed. It may be claimed."""
        return self.cancelled_at is None and self.disputed_at is None

    @property
    def is_claimed(self) -> bool:
        """True if the payer only claims the payment, and nobody has confirmed it yet."""
        return self.claimed_at is not None and self.accepted_at is None

    @property
    def is_disputed(self) -> bool:
        """True if the payee disputes the payment and no keeper of the accounts has decided on it yet."""
        return self.cancelled_at is None and self.disputed_at is not None


class StepKind(StrEnum):
    """A kind of step in a payment's history.

    A keeper of the accounts (an owner or scorer) accepts, upholds, amends or cancels a payment. The payee
    confirms or disputes it. The user who claimed a payment may withdraw it, which is a cancellation too. A
    payment imported from an old notebook (a spreadsheet of earlier nights) is discarded, and restored, with
    its night. If payer and payee are merged into one member, the payment is merged, and it is parted if that
    merge is undone.
    """

    ACCEPTED = "accepted"
    CONFIRMED = "confirmed"
    DISPUTED = "disputed"
    UPHELD = "upheld"
    AMENDED = "amended"
    CANCELLED = "cancelled"
    DISCARDED = "discarded"
    RESTORED = "restored"
    MERGED = "merged"
    PARTED = "parted"


class PaymentStep(models.Model):
    """One step in a payment's history. `turn` is its kind (`StepKind`).

    The step of an amendment stores the content before the amendment.
    """

    payment = models.ForeignKey(Payment, on_delete=models.PROTECT, related_name="steps")
    turn = models.CharField(max_length=10)
    text = models.CharField(max_length=NOTE_LENGTH, blank=True)
    at = models.DateTimeField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="payment_steps")
    amount = models.BigIntegerField(null=True, blank=True)
    method = models.CharField(max_length=10, blank=True)
    note = models.CharField(max_length=NOTE_LENGTH, blank=True)
    made_at = models.DateTimeField(null=True, blank=True)
    paid_on = models.DateField(null=True, blank=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(turn__in=[str(turn) for turn in StepKind]), name="payment_step_is_known"
            ),
            models.CheckConstraint(
                condition=Q(
                    turn=str(StepKind.AMENDED),
                    amount__gt=0,
                    made_at__isnull=False,
                    method__in=[str(method) for method in Method],
                )
                | (
                    ~Q(turn=str(StepKind.AMENDED))
                    & Q(amount__isnull=True, made_at__isnull=True, paid_on__isnull=True, method="", note="")
                ),
                name="payment_step_amended_keeps_what_it_said",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.payment}: {self.turn}"


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
