"""Payments, expenses, and the ledger: its entries and the debts that they leave."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.timezone import now

from games.play.models import Game
from games.tables.models.limits import KEY_LENGTH, NOTE_LENGTH
from games.tables.models.people import Member, Table


class Method(StrEnum):
    """A payment's method. No money moves if the payee forgives the debt (perdonado)."""

    CASH = "cash"
    TRANSFER = "transfer"
    FORGIVEN = "forgiven"


# The states of a payment (`PaymentState`) as conditions of a query.
ENDED = Q(ended_at__isnull=False)
DISPUTED = ~ENDED & Q(disputed_at__isnull=False, confirmed_at=None)
CLAIMED = ~ENDED & Q(is_claim=True, disputed_at=None, confirmed_at=None)
WAITING_EXPENSES = ~ENDED & Q(is_proposal=True, replaced_at=None, refused_at=None, accepted_at=None)
COUNTING_EXPENSES = ~ENDED & Q(replaced_at=None, refused_at=None) & ~WAITING_EXPENSES
COUNTING = ~ENDED & (Q(confirmed_at__isnull=False) | Q(is_claim=False, disputed_at=None))


class PaymentState(StrEnum):
    """The state of a payment. Only a payment that counts changes balances.

    CLAIMED: the payer recorded it and nobody has confirmed it. DISPUTED: the payee says that it did not
    arrive. ENDED: it was voided, the payee denied it before it was confirmed, or its two members were merged.
    """

    COUNTS = "counts"
    CLAIMED = "claimed"
    DISPUTED = "disputed"
    ENDED = "ended"


def _of_one(act: str) -> Q:
    """Return the condition that `{act}_at` and `{act}_by` are both set or both null."""
    return Q(**{f"{act}_at__isnull": True, f"{act}_by__isnull": True}) | Q(
        **{f"{act}_at__isnull": False, f"{act}_by__isnull": False}
    )


class Payment(models.Model):
    """Money that went from one member to another. Correcting a game never changes a payment.

    With `is_claim` the payer recorded it, and it counts once it is confirmed. Confirming a disputed payment
    makes it count again; the dispute stays in the row. The payment changes balances as of `made_at`. It was
    entered at `recorded_at`, and the server received it at `arrived_at`. `paid_on` is the night it is dated
    back to.
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
    seen_at = models.DateTimeField(null=True, blank=True)  # when its payer read the outcome of a dispute

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
        """The state, derived from the timestamps."""
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


class ExpenseState(StrEnum):
    """The state of an expense. Only one that counts changes balances.

    WAITS: a member proposed it, and no owner or scorer has answered. TAKEN_BACK: it was voided, or its proposer
    took it back. REPLACED: another version of it counts.
    """

    WAITS = "waits"
    COUNTS = "counts"
    REFUSED = "refused"
    TAKEN_BACK = "taken_back"
    REPLACED = "replaced"


class SharedCost(models.Model):
    """An expense (gasto) of a night, such as a pizza: one or several members paid it for several (RULES 1.3).

    `paid` is what each payer paid by slug, empty if the `payer` paid all; among several, `payer` is the main
    one. `borne` is each sharer's part of the amount by slug; a part may be 0. With `is_forgiven` no money moved:
    the sharers forgive the payer this amount. The expense changes balances as of `made_at`. It was entered at
    `recorded_at`, and the server received it at `arrived_at`.

    An expense never changes: it is voided, at `ended_at`, or corrected by another row that `replaces` it, at
    `replaced_at`. All versions of an expense name the `first`, the cause of their ledger entries, and exactly
    one of them is not replaced: the *current* one. A correction that is undone is replaced by the version
    before it.

    A proposal of a member, the `proposer`, waits, and no ledger entry is made, until an owner or scorer
    accepts or refuses it.
    """

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="costs")
    night = models.DateField()
    payer = models.ForeignKey(Member, on_delete=models.PROTECT, related_name="costs_paid")
    amount = models.BigIntegerField()
    paid = models.JSONField(default=dict)
    borne = models.JSONField()
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
    reason = models.CharField(max_length=NOTE_LENGTH, blank=True)  # why it was voided or corrected
    first = models.ForeignKey(
        "self", on_delete=models.PROTECT, null=True, blank=True, related_name="corrections"
    )  # null for the first version itself
    replaces = models.ForeignKey("self", on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    replaced_at = models.DateTimeField(null=True, blank=True)
    replaced_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    is_proposal = models.BooleanField(default=False)
    proposer = models.ForeignKey(
        Member, on_delete=models.PROTECT, null=True, blank=True, related_name="proposed_costs"
    )
    accepted_at = models.DateTimeField(null=True, blank=True)
    accepted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    refused_at = models.DateTimeField(null=True, blank=True)
    refused_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    objection = models.CharField(max_length=NOTE_LENGTH, blank=True)  # why it was refused
    seen_at = models.DateTimeField(null=True, blank=True)  # when its proposer read that it was refused

    class Meta:
        ordering = ["-made_at", "-pk"]
        constraints = [
            models.UniqueConstraint(fields=["table", "key"], name="cost_key_once_a_table"),
            models.CheckConstraint(condition=Q(amount__gt=0), name="cost_is_of_something"),
            models.CheckConstraint(condition=~Q(key=""), name="cost_has_a_key"),
            models.CheckConstraint(
                condition=Q(made_at__lte=models.F("recorded_at")), name="cost_made_before_it_is_recorded"
            ),
            models.CheckConstraint(condition=_of_one("ended"), name="cost_ended_by_somebody"),
            models.CheckConstraint(condition=_of_one("replaced"), name="cost_replaced_by_somebody"),
            models.CheckConstraint(
                condition=Q(ended_at__isnull=False) | Q(replaced_at__isnull=False) | Q(reason=""),
                name="cost_reason_is_of_a_change",
            ),
            models.CheckConstraint(condition=_of_one("accepted"), name="cost_accepted_by_somebody"),
            models.CheckConstraint(condition=_of_one("refused"), name="cost_refused_by_somebody"),
            models.CheckConstraint(
                condition=Q(accepted_at=None, refused_at=None)
                | (Q(is_proposal=True) & (Q(accepted_at=None) | Q(refused_at=None))),
                name="cost_answered_was_proposed",
            ),
            models.CheckConstraint(
                condition=Q(is_proposal=False, proposer=None) | Q(is_proposal=True, proposer__isnull=False),
                name="cost_proposal_has_a_proposer",
            ),
            models.CheckConstraint(
                condition=Q(refused_at__isnull=False) | Q(objection=""), name="cost_objection_is_to_it"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.payer}, {self.night}: {self.amount}"

    @property
    def paid_by_slug(self) -> Mapping[str, int]:
        """The amount of each payer, by slug as stored."""
        return self.paid or {self.payer.slug: self.amount}

    @property
    def state(self) -> ExpenseState:
        """The state, derived from the timestamps."""
        if self.replaced_at is not None:
            return ExpenseState.REPLACED
        if self.ended_at is not None:
            return ExpenseState.TAKEN_BACK
        if self.refused_at is not None:
            return ExpenseState.REFUSED
        is_waiting = self.is_proposal and self.accepted_at is None
        return ExpenseState.WAITS if is_waiting else ExpenseState.COUNTS

    @property
    def counts(self) -> bool:
        """True if the expense changes balances: the current version of one that was accepted and not voided."""
        return self.state is ExpenseState.COUNTS

    @property
    def first_pk(self) -> int:
        """The id of the first version."""
        return self.first_id or self.pk


class EntryKind(StrEnum):
    """The reason for a ledger entry.

    A game ended, was corrected, reopened, discarded or restored, or its mark *paid on the spot* was set or
    removed (`ON_THE_SPOT`). A payment or an expense began or stopped counting. Starting balances were
    recorded or voided. Two members were merged or separated again, or debts were simplified or repaired.
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
    """A ledger entry (asiento): how one cause changed everybody's balance, and the debts after it.

    `differences` has the change of each person's balance by slug; a person of the entry may have a change of
    0. `after` are the debts among these people after the entry, each [debtor's slug, creditor's slug,
    amount]; `before` are the debts that a reversal restores (RULES 1.3, 5). `night` is the night of the
    cause. Entries are append-only and numbered for each table. `version` is the table's version after this
    write, the entry's position in the API's feed.
    """

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="entries")
    number = models.PositiveIntegerField()
    kind = models.CharField(max_length=12)
    night = models.DateField()
    at = models.DateTimeField()
    # the user who caused it; null if no user did
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
    # the member who was merged into another, or separated again
    member = models.ForeignKey(
        Member, on_delete=models.PROTECT, null=True, blank=True, related_name="entries"
    )
    key = models.CharField(max_length=KEY_LENGTH, null=True, blank=True)  # noqa: DJ001  (unique where it is not null)
    differences = models.JSONField()
    before = models.JSONField()
    after = models.JSONField()
    version = models.PositiveBigIntegerField(null=True, blank=True)  # null in rows from before 1.1

    class Meta:
        ordering = ["number"]
        indexes = [models.Index(fields=["table", "version"], name="entry_by_table_and_version")]
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
    """A debt (deuda) between two members: above 0 `other` owes it to `one`, below 0 `one` owes it to `other`.

    `one` joined the table before `other`, so a pair has one row. `version` is the number of the entry that
    last changed it.
    """

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="debts")
    one = models.ForeignKey(Member, on_delete=models.PROTECT, related_name="+")
    other = models.ForeignKey(Member, on_delete=models.PROTECT, related_name="+")
    amount = models.BigIntegerField()
    version = models.PositiveIntegerField()

    class Meta:
        ordering = ["one", "other"]
        constraints = [
            models.UniqueConstraint(fields=["one", "other"], name="debt_once_a_pair"),
            models.CheckConstraint(condition=Q(one__lt=F("other")), name="debt_in_the_order_of_joining"),
        ]

    def __str__(self) -> str:
        return f"{self.other} → {self.one}: {self.amount}"
