"""The accounts (cuentas) of a table: who owes whom, and all balances; `debts.py` writes them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import TypeAlias

from django.contrib.auth.models import User
from django.db.models import Exists, Max, OuterRef, Q, QuerySet, Sum
from django.utils.timezone import now

from games.common.locks import StaleData
from games.models import CLAIMED, DISPUTED, Member, Payment, PaymentState, Table
from games.scoring.debts import Debts
from games.tables.services.roster import Ends, People

Balances: TypeAlias = Mapping[str, int]


class StaleAccounts(StaleData):
    """Raised if the accounts have changed since the user saw them."""


@dataclass(frozen=True)
class OwedDebt:
    """A debt (deuda): `payer` owes `payee` the amount.

    `version` is the number of the entry that last altered it. `claimed` is what the payer says to have paid, and
    nobody has answered yet, the oldest in the payment `claim`; `claims` is the number of claims of this payer to
    this payee so far, answered ones included.
    """

    payer: Member
    payee: Member
    amount: int
    version: int
    claimed: int = 0
    claims: int = 0
    claim: Payment | None = None

    @property
    def unclaimed(self) -> int:
        """The amount less the payments that the payer claims and nobody has answered yet."""
        return max(0, self.amount - self.claimed)


@dataclass(frozen=True)
class Accounts:
    """Everybody's balance by slug, in the order of joining, the debts that add up to them, and waiting claims.

    The debts are ordered by debtor and then by creditor, in the order of joining; the oldest claim is first.
    """

    people: People
    balances: Balances
    debts: tuple[OwedDebt, ...]
    claims: tuple[Payment, ...]


def load_accounts(table: Table, people: People | None = None) -> Accounts:
    """Return the present accounts of a table, in two queries."""
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
    """Return what `payer` owes `payee` now; None if nothing. Both are present members.

    Unlike `load_accounts` it reads no other claims, of which a table may have thousands.
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
    """Return everybody's balance by slug, in the order of joining: what these debts add up to."""
    balances = dict.fromkeys((member.slug for member in people.current_members), 0)
    for debt in debts:
        balances[debt.payer] -= debt.amount
        balances[debt.payee] += debt.amount
    return balances


def pending_payments(user: User, table: Table, people: People, *, is_scorer: bool) -> QuerySet[Payment]:
    """Return what others say to have paid this user and, for a keeper of the accounts, all that they did not pay.

    What the user says did not arrive waits too.
    """
    user_member_pks = [
        pk for member in people.current_members if member.belongs_to(user) for pk in people.member_pks(member)
    ]
    if is_scorer:
        return Payment.objects.filter(CLAIMED | DISPUTED, table=table).exclude(payer__in=user_member_pks)
    return Payment.objects.filter(CLAIMED | DISPUTED, payee__in=user_member_pks)


NEWS_PERIOD = timedelta(days=7)


def payments_with_news(member: Member, people: People) -> QuerySet[Payment]:
    """Return the member's payments that did not arrive, as their payees say, and how such a dispute ended.

    How it ended is news for a week, or until they have seen it or paid the same person again; what they ended
    themselves is none.
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
    """Return the number of the table's newest entry, 0 without one: the version of its accounts."""
    return table.entries.aggregate(newest=Max("number"))["newest"] or 0
