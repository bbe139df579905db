"""The change feed of a table: its changes, numbered in the order in which they were stored."""

from __future__ import annotations

from enum import StrEnum

from django.db import models
from django.db.models import Q
from django.utils.timezone import now

from games.models.limits import WHAT_LENGTH
from games.models.money import ClosingNote, Payment
from games.models.people import Member, Table
from games.models.play import Game, Record


class ChangeKind(StrEnum):
    """What a change did. Its subject is read as it is now, but an event is read as it was recorded."""

    GAME_BEGUN = "game_begun"  # with its first event
    EVENT_RECORDED = "event_recorded"
    GAME_ADDED = "game_added"  # written whole, as from an old notebook
    GAME_DISCARDED = "game_discarded"
    GAME_RESTORED = "game_restored"
    FLAGS_CHANGED = "flags_changed"
    PAYMENT_RECORDED = "payment_recorded"
    PAYMENT_CANCELLED = "payment_cancelled"
    PAYMENT_CONFIRMED = "payment_confirmed"
    PAYMENT_ACCEPTED = "payment_accepted"  # by a keeper of the accounts: a claimed payment counts from now on
    PAYMENT_DISPUTED = "payment_disputed"
    PAYMENT_UPHELD = "payment_upheld"
    PAYMENT_AMENDED = "payment_amended"
    PAYMENT_RESTORED = "payment_restored"
    NIGHT_CLOSED = "night_closed"
    MEMBER_ADDED = "member_added"
    MEMBER_CHANGED = "member_changed"
    ACCOUNT_CHANGED = "account_changed"  # where to send a member money
    CLAIMS_CHANGED = "claims_changed"  # which users claim to be members, and which claims an owner confirmed
    SEASONS_CHANGED = "seasons_changed"
    TABLE_CHANGED = "table_changed"
    BOOKS_REPAIRED = "books_repaired"  # results of a game, or who pays whom, were rebuilt


class Change(models.Model):
    """One change: a pointer to its subject, deleted with it. The row itself holds no content.

    The numbers of a table have no gaps. The database does not list the kinds, so a new kind needs no
    migration.
    """

    # the unique constraint below is its index
    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="changes", db_index=False)
    number = models.PositiveBigIntegerField()
    what = models.CharField(max_length=WHAT_LENGTH)
    made_at = models.DateTimeField(default=now)
    game = models.ForeignKey(Game, on_delete=models.CASCADE, null=True, blank=True, related_name="+")
    record = models.ForeignKey(Record, on_delete=models.CASCADE, null=True, blank=True, related_name="+")
    payment = models.ForeignKey(Payment, on_delete=models.CASCADE, null=True, blank=True, related_name="+")
    note = models.ForeignKey(ClosingNote, on_delete=models.CASCADE, null=True, blank=True, related_name="+")
    member = models.ForeignKey(Member, on_delete=models.CASCADE, null=True, blank=True, related_name="+")

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["table", "number"], name="change_number_once_a_table"),
            models.CheckConstraint(condition=Q(number__gte=1), name="change_numbers_from_one"),
        ]

    def __str__(self) -> str:
        return f"{self.number} {self.what}"
