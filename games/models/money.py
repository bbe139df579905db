"""Payments, who is to pay whom, and the notes of closed nights."""

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
    """How somebody paid; what is written off was forgiven, and an opening balance comes from another table, or goes to
    it: no money moved, and nobody's word is asked."""

    CASH = "cash"
    TRANSFER = "transfer"
    WRITE_OFF = "write_off"
    OPENING = "opening"

    @property
    def is_by_hand(self) -> bool:
        """Whether people choose it; balances are carried over all at once."""
        return self is not Method.OPENING


UNPAID = (Method.WRITE_OFF, Method.OPENING)  # methods by which no money moved


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
    ACCEPTED = "accepted"
    UPHELD = "upheld"
    AMENDED = "amended"
    MERGED = "merged"
    PARTED = "parted"
    IMPORTED = "imported"
    REPAIRED = "repaired"


STANDING = Q(cancelled_at=None, disputed_at=None)
CLAIMED = STANDING & Q(claimed_at__isnull=False, accepted_at=None)
COUNTING = STANDING & (Q(claimed_at=None) | Q(accepted_at__isnull=False))


class PaymentQuerySet(models.QuerySet["Payment"]):
    """Payments, and those of them that move balances, or wait for somebody's word."""

    def standing(self) -> PaymentQuerySet:
        """Neither cancelled nor disputed, whether it counts already or is only claimed."""
        return self.filter(STANDING)

    def counting(self) -> PaymentQuerySet:
        """What moves balances: neither cancelled nor disputed, nor only said by who paid.

        Whether the payee confirmed what somebody else recorded makes no difference.
        """
        return self.filter(COUNTING)

    def claimed(self) -> PaymentQuerySet:
        """What only who paid says until now."""
        return self.filter(CLAIMED)

    def disputed(self) -> PaymentQuerySet:
        """What the payee says did not come, until somebody who keeps the accounts answers."""
        return self.filter(cancelled_at=None, disputed_at__isnull=False)


class Payment(models.Model):
    """Money that went from one member to another: a fact of the table, which no game's correction touches.

    One that its payer recorded himself has `claimed_at`, and counts from `accepted_at` on: the payee's word, or that of
    somebody who keeps the accounts. `made_at` is the moment at which it counts, `recorded_at` when that was written
    down; `paid_on` says that it is dated back to a night, and to no minute of it. What became of it stands in `steps`.
    """

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
    paid_on = models.DateField(null=True, blank=True)
    recorded_at = models.DateTimeField(default=now)
    recorded_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="payments"
    )
    claimed_at = models.DateTimeField(null=True, blank=True)
    accepted_at = models.DateTimeField(null=True, blank=True)
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
        ]

    def __str__(self) -> str:
        return f"{self.payer} → {self.payee}: {self.amount}"

    @property
    def counts(self) -> bool:
        """Whether it moves balances."""
        return self.stands and not self.is_claimed

    @property
    def stands(self) -> bool:
        """Whether it is neither cancelled nor disputed."""
        return self.cancelled_at is None and self.disputed_at is None

    @property
    def is_claimed(self) -> bool:
        """Whether only who paid has said so until now."""
        return self.claimed_at is not None and self.accepted_at is None

    @property
    def is_disputed(self) -> bool:
        """Whether somebody has yet to answer that it did not come."""
        return self.cancelled_at is None and self.disputed_at is not None


class Turn(StrEnum):
    """What can become of a payment: who keeps the accounts accepts, upholds, amends or cancels it, who was paid confirms
    or disputes it, who claimed it withdraws it (cancelled too); with a night of an old notebook it is discarded and
    restored; where the two turn out to be one it is merged, and parted where that was a mistake."""

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
    """One thing that became of a payment, by whom, and in which words; of an amendment, what it said before."""

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
                condition=Q(turn__in=[str(turn) for turn in Turn]), name="payment_step_is_known"
            ),
            models.CheckConstraint(
                condition=Q(
                    turn=str(Turn.AMENDED),
                    amount__gt=0,
                    made_at__isnull=False,
                    method__in=[str(method) for method in Method],
                )
                | (
                    ~Q(turn=str(Turn.AMENDED))
                    & Q(amount__isnull=True, made_at__isnull=True, paid_on__isnull=True, method="", note="")
                ),
                name="payment_step_amended_keeps_what_it_said",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.payment}: {self.turn}"


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
    """What everybody saw when a night was closed: the balances by slug, and who was still to pay whom.

    They are those of `as_of`: the moment it was made or, of a night closed late, the end of that night.
    """

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="closing_notes")
    night = models.DateField()
    balances = models.JSONField()
    lines = models.JSONField()
    text = models.CharField(max_length=NOTE_LENGTH, blank=True)
    as_of = models.DateTimeField()
    made_at = models.DateTimeField()
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="closing_notes"
    )

    class Meta:
        ordering = ["-night", "-made_at", "-pk"]
        indexes = [models.Index(fields=["table", "-night"], name="note_by_table_and_night")]

    def __str__(self) -> str:
        return f"{self.table}: {self.night}"
