"""Shared costs (gastos compartidos): one member paid, several share the amount equally."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.timezone import now

from games.models.limits import KEY_LENGTH, NOTE_LENGTH
from games.models.people import Member, Table


class SharedCost(models.Model):
    """A shared cost of a night, such as a pizza: what one member paid for several (RULES 1.3).

    `sharers` are the slugs of the members for whom it was, in the order in which they joined the table. With
    `is_forgiven` no money moved: the sharers forgive the payer this amount. The cost changes balances as of
    `made_at`; it was entered at `recorded_at`, and the site got it at `arrived_at`. A cost never changes: a
    wrong one is taken back, at `ended_at`, and entered again.
    """

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="costs")
    night = models.DateField()
    payer = models.ForeignKey(Member, on_delete=models.PROTECT, related_name="costs_paid")
    amount = models.BigIntegerField()
    sharers = models.JSONField()
    note = models.CharField(max_length=NOTE_LENGTH, blank=True)
    is_forgiven = models.BooleanField(default=False)
    key = models.CharField(max_length=KEY_LENGTH)
    made_at = models.DateTimeField()
    recorded_at = models.DateTimeField(default=now)
    arrived_at = models.DateTimeField(default=now)
    recorded_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="costs")
    ended_at = models.DateTimeField(null=True, blank=True)
    ended_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    reason = models.CharField(max_length=NOTE_LENGTH, blank=True)  # why it was taken back

    class Meta:
        ordering = ["-made_at", "-pk"]
        constraints = [
            models.UniqueConstraint(fields=["table", "key"], name="cost_key_once_a_table"),
            models.CheckConstraint(condition=Q(amount__gt=0), name="cost_is_of_something"),
            models.CheckConstraint(condition=~Q(key=""), name="cost_has_a_key"),
            models.CheckConstraint(
                condition=Q(made_at__lte=models.F("recorded_at")), name="cost_made_before_it_is_recorded"
            ),
            models.CheckConstraint(
                condition=Q(ended_at__isnull=True, ended_by__isnull=True, reason="")
                | Q(ended_at__isnull=False, ended_by__isnull=False),
                name="cost_ended_by_somebody",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.payer}, {self.night}: {self.amount}"

    @property
    def counts(self) -> bool:
        """True if the cost changes balances: it was not taken back."""
        return self.ended_at is None
