"""The links of the hash chains (see `games/chain.py`), and the audit trail.

Each event, payment and shared cost, and each later step of a payment or cost, has one link: a hash of its
content and of the link before it.
"""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from games.models.costs import SharedCost
from games.models.money import Payment
from games.models.people import Table
from games.models.play import Game

HASH_LENGTH = 64


class EventLink(models.Model):
    """The hash chain link of one event of a game. The link stays even if the event's record is deleted."""

    # no index of its own: the unique constraint below serves as one
    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="links", db_index=False)
    number = models.PositiveIntegerField()
    hash = models.CharField(max_length=HASH_LENGTH)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["game", "number"], name="event_link_once_an_event"),
            models.CheckConstraint(condition=Q(number__gte=1), name="event_links_from_one"),
        ]

    def __str__(self) -> str:
        return f"{self.number} {self.hash}"


class PaymentLink(models.Model):
    """The hash chain link of a payment (number 0) or of one of the payment's steps (numbers from 1)."""

    # no indexes of their own: the index and the constraint below cover these foreign keys
    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="payment_links", db_index=False)
    payment = models.ForeignKey(Payment, on_delete=models.PROTECT, related_name="links", db_index=False)
    number = models.PositiveIntegerField()
    hash = models.CharField(max_length=HASH_LENGTH)

    class Meta:
        ordering = ["payment_id", "number"]
        indexes = [models.Index(fields=["table", "number", "payment"], name="payment_link_by_table")]
        constraints = [
            models.UniqueConstraint(fields=["payment", "number"], name="payment_link_once_a_step"),
        ]

    def __str__(self) -> str:
        return f"{self.number} {self.hash}"


class CostLink(models.Model):
    """The hash chain link of a shared cost (number 0) or of one of the cost's steps (numbers from 1)."""

    # no indexes of their own: the index and the constraint below cover these foreign keys
    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="cost_links", db_index=False)
    cost = models.ForeignKey(SharedCost, on_delete=models.PROTECT, related_name="links", db_index=False)
    number = models.PositiveIntegerField()
    hash = models.CharField(max_length=HASH_LENGTH)

    class Meta:
        ordering = ["cost_id", "number"]
        indexes = [models.Index(fields=["table", "number", "cost"], name="cost_link_by_table")]
        constraints = [
            models.UniqueConstraint(fields=["cost", "number"], name="cost_link_once_a_step"),
        ]

    def __str__(self) -> str:
        return f"{self.number} {self.hash}"


class TrailEntry(models.Model):
    """An entry of a table's audit trail: the new content of changed rows about authorship or permissions.

    The entries of a table are a hash chain too (see `games/trail.py`).
    """

    # no index of its own: the unique constraint below serves as one
    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="trail", db_index=False)
    number = models.PositiveIntegerField()
    at = models.DateTimeField()
    data = models.TextField()  # the JSON text that was hashed
    hash = models.CharField(max_length=HASH_LENGTH)

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["table", "number"], name="trail_number_once_a_table")]

    def __str__(self) -> str:
        return f"{self.number} {self.hash}"
