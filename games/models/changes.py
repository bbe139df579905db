"""The change feed of a table: its changes, numbered in the order in which they were stored."""

from __future__ import annotations

from enum import StrEnum

from django.db import models
from django.db.models import Q
from django.utils.timezone import now

from games.models.costs import SharedCost
from games.models.limits import WHAT_LENGTH
from games.models.money import Payment
from games.models.people import Member, Table
from games.models.play import Game, Record


class ChangeKind(StrEnum):
    """The kind of a change in the feed.

    For an event, the feed shows what was recorded. For anything else, e.g. a game or a payment, it shows the
    present state.
    """

    GAME_BEGUN = "game_begun"  # the game's first event is part of this change
    EVENT_RECORDED = "event_recorded"
    GAME_ADDED = "game_added"  # a finished game was added at once, for example from an old notebook
    GAME_DISCARDED = "game_discarded"
    GAME_RESTORED = "game_restored"
    PAYMENT_RECORDED = "payment_recorded"
    PAYMENT_CONFIRMED = "payment_confirmed"
    PAYMENT_DISPUTED = "payment_disputed"
    PAYMENT_ENDED = "payment_ended"
    PAYMENT_RESTORED = "payment_restored"
    COST_RECORDED = "cost_recorded"
    COST_CANCELLED = "cost_cancelled"
    PAID_ON_THE_SPOT = "paid_on_the_spot"  # the mark of a game was set or taken back
    BALANCES_OPENED = "balances_opened"  # starting balances were typed in or taken back
    DEBTS_SIMPLIFIED = "debts_simplified"
    MEMBER_ADDED = "member_added"
    MEMBER_CHANGED = "member_changed"
    ACCOUNT_CHANGED = "account_changed"  # the payment details of a member
    CLAIMS_CHANGED = "claims_changed"  # which users claim to be members, and which claims an owner confirmed
    SEASONS_CHANGED = "seasons_changed"
    TABLE_CHANGED = "table_changed"
    BOOKS_REPAIRED = "books_repaired"  # a game's results or the debts were put right


class Change(models.Model):
    """A change in the feed: its kind, and a reference to what changed, e.g. a game, an event or a payment.

    The row holds no copy of that object, and is deleted with it. Each table counts its changes from 1,
    without gaps. `what` is a `ChangeKind`; no constraint lists the kinds, so a new kind needs no migration.
    """

    # no index of its own: the unique constraint below serves as one
    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="changes", db_index=False)
    number = models.PositiveBigIntegerField()
    what = models.CharField(max_length=WHAT_LENGTH)
    made_at = models.DateTimeField(default=now)
    game = models.ForeignKey(Game, on_delete=models.CASCADE, null=True, blank=True, related_name="+")
    record = models.ForeignKey(Record, on_delete=models.CASCADE, null=True, blank=True, related_name="+")
    payment = models.ForeignKey(Payment, on_delete=models.CASCADE, null=True, blank=True, related_name="+")
    cost = models.ForeignKey(SharedCost, on_delete=models.CASCADE, null=True, blank=True, related_name="+")
    member = models.ForeignKey(Member, on_delete=models.CASCADE, null=True, blank=True, related_name="+")

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["table", "number"], name="change_number_once_a_table"),
            models.CheckConstraint(condition=Q(number__gte=1), name="change_numbers_from_one"),
        ]

    def __str__(self) -> str:
        return f"{self.number} {self.what}"
