"""The ledger of a table: its entries (asientos), and the debts (deudas) to which they lead (RULES 1.3)."""

from __future__ import annotations

from enum import StrEnum

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from games.models.costs import SharedCost
from games.models.limits import KEY_LENGTH
from games.models.money import Payment
from games.models.people import Member, Table
from games.models.play import Game


class EntryKind(StrEnum):
    """The cause of an entry: it moved money, or settled debts anew.

    A game ended, was corrected, goes on again, was discarded or restored, or its money was put on the table
    (`ON_THE_SPOT`) after all or not. A payment or a shared cost began or stopped to count. Starting balances
    were typed in or taken back. Two members were merged or parted, debts simplified or repaired.
    """

    ENDED = "ended"
    CORRECTED = "corrected"
    REOPENED = "reopened"
    DISCARDED = "discarded"
    RESTORED = "restored"
    ON_THE_SPOT = "on_the_spot"
    PAID = "paid"
    UNPAID = "unpaid"
    SHARED = "shared"
    UNSHARED = "unshared"
    OPENED = "opened"
    UNOPENED = "unopened"
    MERGED = "merged"
    PARTED = "parted"
    SIMPLIFIED = "simplified"
    REPAIRED = "repaired"


class Entry(models.Model):
    """An entry (asiento): by how much one cause changed everybody's balance, and the debts that it left.

    `differences` has the change of each person's balance by slug. These are the entry's people: a person of
    it may have a difference of 0. `after` are the debts among them as the entry left them, each [debtor's
    slug, creditor's slug, amount]; `before` are those to which taking it back returns (RULES 1.3, 5). `night`
    is the night of its cause. Entries are only ever added, and numbered for each table.
    """

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="entries")
    number = models.PositiveIntegerField()
    kind = models.CharField(max_length=12)
    night = models.DateField()
    at = models.DateTimeField()
    # the user who caused it; null if nobody did
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    game = models.ForeignKey(Game, on_delete=models.PROTECT, null=True, blank=True, related_name="entries")
    payment = models.ForeignKey(
        Payment, on_delete=models.PROTECT, null=True, blank=True, related_name="entries"
    )
    cost = models.ForeignKey(
        SharedCost, on_delete=models.PROTECT, null=True, blank=True, related_name="entries"
    )
    # the member who was merged into another, or parted again
    member = models.ForeignKey(
        Member, on_delete=models.PROTECT, null=True, blank=True, related_name="entries"
    )
    key = models.CharField(max_length=KEY_LENGTH, null=True, blank=True)  # noqa: DJ001  (unique where it is not null)
    differences = models.JSONField()
    before = models.JSONField()
    after = models.JSONField()

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["table", "number"], name="entry_number_once_a_table"),
            models.UniqueConstraint(fields=["table", "key"], name="entry_key_once_a_table"),
            models.CheckConstraint(
                condition=Q(kind__in=[str(kind) for kind in EntryKind]), name="entry_kind_is_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.table} {self.number}: {self.kind}"


class Debt(models.Model):
    """A debt (deuda) of two members: above 0, `other` owes `one` this amount; below 0, vice versa.

    `one` joined the table before `other`, so two people have one debt, in one direction. `version` is the
    number of the entry that last altered it, `since` that of the first entry since the two were last even.
    """

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="debts")
    one = models.ForeignKey(Member, on_delete=models.PROTECT, related_name="+")
    other = models.ForeignKey(Member, on_delete=models.PROTECT, related_name="+")
    amount = models.BigIntegerField()
    version = models.PositiveIntegerField()
    since = models.PositiveIntegerField()

    class Meta:
        ordering = ["one", "other"]
        constraints = [
            models.UniqueConstraint(fields=["one", "other"], name="debt_once_a_pair"),
            models.CheckConstraint(condition=Q(one__lt=F("other")), name="debt_in_the_order_of_joining"),
        ]

    def __str__(self) -> str:
        return f"{self.other} → {self.one}: {self.amount}"
