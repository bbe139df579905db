"""The accounts (cuentas) of a table: all debts and balances. This module only reads; `ledgers.py` writes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import TypeAlias

from django.contrib.auth.models import User
from django.db.models import Exists, Max, OuterRef, Q, QuerySet, Subquery, Sum
from django.utils.timezone import now

from games.common.locks import StaleData
from games.models import CLAIMED, DISPUTED, Entry, Member, Payment, PaymentState, Table
from games.scoring.debts import Debts
from games.tables.services.roster import Ends, People

Balances: TypeAlias = Mapping[str, int]


class StaleAccounts(StaleData):
    """The accounts have changed since the user saw them."""


@dataclass(frozen=True)
class OwedDebt:
    """A debt (deuda): `payer` owes `payee` the amount.

    `version` is the number of the entry that last changed it. `claimed` is the sum of the payer's unconfirmed
    payments to the payee, and `claim` is the oldest of them. `claims` is how many such payments the payer has
    ever recorded, answered ones included.
    """

    payer: Member
    payee: Member
    amount: int
    version: int
    claimed: int = 0
    claims: int = 0
    claim: Payment | None = None

    @property
    def ends(self) -> Ends:
        """The slugs of the payer and the payee."""
        return self.payer.slug, self.payee.slug

    @property
    def unclaimed(self) -> int:
        """The amount less the unconfirmed payments, at least 0."""
        return max(0, self.amount - self.claimed)


@dataclass(frozen=True)
class Accounts:
    """The balances by slug in joining order, the debts that add up to them, and the unconfirmed payments.

    The debts are sorted by debtor and then by creditor, in joining order; the oldest unconfirmed payment is
    first.
    """

    people: People
    balances: Balances
    debts: tuple[OwedDebt, ...]
    claims: tuple[Payment, ...]


def load_accounts(table: Table, people: People | None = None) -> Accounts:
    """Return the current accounts of a table in two queries, or three if `people` are not given."""
    people = people or People.of(table)
    claimed, made, oldest = Counter[Ends](), Counter[Ends](), dict[Ends, Payment]()
    pending = []
    for payment in table.payments.filter(is_claim=True).order_by("recorded_at", "pk"):
        ends = people.slug_pair(payment)
        made[ends] += 1
        if payment.state is PaymentState.CLAIMED:
            claimed[ends] += payment.amount
            oldest.setdefault(ends, payment)
            pending.append(payment)
    balances = dict.fromkeys((member.slug for member in people.current_members), 0)
    debts = []
    rows = table.debts.exclude(amount=0).order_by()
    for one_id, other_id, signed, version in rows.values_list("one", "other", "amount", "version"):
        first, other = people.by_pk[one_id], people.by_pk[other_id]
        payer, payee = (other, first) if signed > 0 else (first, other)
        ends, amount = (payer.slug, payee.slug), abs(signed)
        debts.append(OwedDebt(payer, payee, amount, version, claimed[ends], made[ends], oldest.get(ends)))
        balances[payer.slug] -= amount
        balances[payee.slug] += amount
    seats = {member.slug: place for place, member in enumerate(people.current_members)}
    debts.sort(key=lambda debt: (seats[debt.payer.slug], seats[debt.payee.slug]))
    return Accounts(people, balances, tuple(debts), tuple(pending))


def find_debt(payer: Member, payee: Member, people: People) -> OwedDebt | None:
    """Return the debt of `payer` to `payee`, None if there is none. Both must be current members.

    Unlike `load_accounts`, it reads only this pair's unconfirmed payments; a table may have thousands of
    others.
    """
    table, ends = payer.table, {payer.pk, payee.pk}
    debt = table.debts.exclude(amount=0).filter(one__in=ends, other__in=ends).first()
    if debt is None or (debt.amount > 0) != (debt.one_id == payee.pk):
        return None
    claims = table.payments.filter(
        is_claim=True, payer__in=people.member_pks(payer), payee__in=people.member_pks(payee)
    )
    pending = claims.filter(CLAIMED).order_by("recorded_at", "pk")
    claimed = pending.aggregate(total=Sum("amount"))["total"] or 0
    return OwedDebt(payer, payee, abs(debt.amount), debt.version, claimed, claims.count(), pending.first())


def total_balances(people: People, debts: Debts) -> Balances:
    """Return the balances that these debts add up to, by slug in joining order."""
    balances = dict.fromkeys((member.slug for member in people.current_members), 0)
    for debt in debts:
        balances[debt.payer] -= debt.amount
        balances[debt.payee] += debt.amount
    return balances


def pending_payments(user: User, table: Table, people: People, *, is_scorer: bool) -> QuerySet[Payment]:
    """Return the unconfirmed and disputed payments that this user may answer.

    For an owner or scorer (`is_scorer`) these are all of the table's except the user's own payments; for
    anybody else, the payments to them.
    """
    user_member_pks = [
        pk for member in people.current_members if member.belongs_to(user) for pk in people.member_pks(member)
    ]
    if is_scorer:
        return Payment.objects.filter(CLAIMED | DISPUTED, table=table).exclude(payer__in=user_member_pks)
    return Payment.objects.filter(CLAIMED | DISPUTED, payee__in=user_member_pks)


NEWS_PERIOD = timedelta(days=7)


def payments_with_news(member: Member, people: People) -> QuerySet[Payment]:
    """Return the member's disputed payments, and those whose dispute others ended or confirmed.

    An outcome is news for NEWS_PERIOD or until the payer has seen it. An ended payment is also no news once
    the payer has paid the same person again.
    """
    since = now() - NEWS_PERIOD
    payments = Payment.objects.filter(payer__in=people.member_pks(member)).order_by("recorded_at", "pk")
    newer = Payment.objects.filter(
        payer=OuterRef("payer"), payee=OuterRef("payee"), recorded_at__gt=OuterRef("ended_at"), ended_at=None
    )
    ended = Q(ended_at__gte=since) & (Q(is_claim=True) | Q(disputed_at__isnull=False)) & ~Exists(newer)
    confirmed = Q(ended_at=None, disputed_at__isnull=False, confirmed_at__gte=since)
    by_others = (ended & ~Q(ended_by__in=member.user_ids)) | (
        confirmed & ~Q(confirmed_by__in=member.user_ids)
    )
    return payments.filter(DISPUTED | (Q(seen_at=None) & by_others))


# --- entries ----------------------------------------------------------------------------------------------------------


def latest_entry_number(table: Table) -> int:
    """Return the number of the table's newest entry, 0 if it has none. It is the version of the accounts."""
    return table.entries.aggregate(newest=Max("number"))["newest"] or 0


def load_setting_and_version(table: Table) -> tuple[bool, int]:
    """Return the table's setting *always the fewest payments* as stored now, and the accounts' version."""
    newest = Entry.objects.filter(table=OuterRef("pk")).order_by("-number").values("number")[:1]
    is_fewest, number = Table.objects.values_list("always_fewest", Subquery(newest)).get(pk=table.pk)
    return is_fewest, number or 0
