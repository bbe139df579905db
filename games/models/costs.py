"""Shared costs (gastos compartidos) of nights: one member paid, several share the amount equally."""

from __future__ import annotations

from enum import StrEnum

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.timezone import now

from games.models.limits import KEY_LENGTH, NOTE_LENGTH
from games.models.people import Member, Table


class SharedCost(models.Model):
    """A shared cost of a night, such as a pizza: what one member paid for several (RULES 1.3).

    `sharers` are the slugs of the members for whom it was, in the order in which they joined the table. The
    cost changes balances as of `made_at`; it was entered at `recorded_at`, and the site got it at
    `arrived_at`. A night has at most one cost that is not cancelled. `steps` is its history.
    """

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="costs")
    night = models.DateField()
    payer = models.ForeignKey(Member, on_delete=models.PROTECT, related_name="costs_paid")
    amount = models.BigIntegerField()
    sharers = models.JSONField()
    note = models.CharField(max_length=NOTE_LENGTH, blank=True)
    key = models.CharField(max_length=KEY_LENGTH)
    made_at = models.DateTimeField()
    recorded_at = models.DateTimeField(default=now)
    arrived_at = models.DateTimeField(default=now)
    recorded_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="costs")
    cancelled_at = models.DateTimeField(null=True, blank=True)
    cancelled_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )

    class Meta:
        ordering = ["-made_at", "-pk"]
        constraints = [
            models.UniqueConstraint(fields=["table", "key"], name="cost_key_once_a_table"),
            models.UniqueConstraint(
                fields=["table", "night"], condition=Q(cancelled_at=None), name="cost_once_a_night"
            ),
            models.CheckConstraint(condition=Q(amount__gt=0), name="cost_is_of_something"),
            models.CheckConstraint(condition=~Q(key=""), name="cost_has_a_key"),
            models.CheckConstraint(
                condition=Q(made_at__lte=models.F("recorded_at")), name="cost_made_before_it_is_recorded"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.payer}, {self.night}: {self.amount}"

    @property
    def counts(self) -> bool:
        """True if the cost changes balances: it is not cancelled."""
        return self.cancelled_at is None


class CostShare(models.Model):
    """The change of a member's balance by a shared cost, derived from the cost and rebuilt when it changes.

    Only costs that are not cancelled have shares.
    """

    # no index of its own: the unique constraint below serves as one
    cost = models.ForeignKey(SharedCost, on_delete=models.CASCADE, related_name="shares", db_index=False)
    member = models.ForeignKey(Member, on_delete=models.PROTECT, related_name="cost_shares")
    net = models.BigIntegerField()

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["cost", "member"], name="cost_share_once_a_member"),
        ]

    def __str__(self) -> str:
        return f"{self.cost}, {self.member}: {self.net}"


class CostStepKind(StrEnum):
    """A kind of step in a shared cost's history."""

    AMENDED = "amended"
    CANCELLED = "cancelled"


class CostStep(models.Model):
    """One step in a shared cost's history. `turn` is its kind (`CostStepKind`).

    The step of an amendment stores the content before the amendment.
    """

    cost = models.ForeignKey(SharedCost, on_delete=models.PROTECT, related_name="steps")
    turn = models.CharField(max_length=10)
    text = models.CharField(max_length=NOTE_LENGTH, blank=True)
    at = models.DateTimeField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="cost_steps")
    payer = models.ForeignKey(Member, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    amount = models.BigIntegerField(null=True, blank=True)
    sharers = models.JSONField(null=True, blank=True)
    note = models.CharField(max_length=NOTE_LENGTH, blank=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(
                    turn=str(CostStepKind.CANCELLED),
                    payer__isnull=True,
                    amount__isnull=True,
                    sharers__isnull=True,
                    note="",
                )
                | Q(
                    turn=str(CostStepKind.AMENDED),
                    payer__isnull=False,
                    amount__gt=0,
                    sharers__isnull=False,
                ),
                name="cost_step_amended_keeps_what_it_said",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.cost}: {self.turn}"
