"""The accounts (cuentas) of a table: who owes whom, everybody's balance, and a person's entries.

A *claimed* payment does not count until the payee or a keeper of the accounts (an owner or scorer) confirms it.

This module reads from the database and writes nothing. `debts.py` is the only writer of debts and entries.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import TypeAlias

from django.contrib.auth.models import User
from django.db.models import Max, OuterRef, Q, QuerySet

from games.common.locks import Stale
from games.models import Debt, Entry, Member, Payment, PaymentQuerySet, PaymentState, Table
from games.scoring.ledger import Transfer
from games.tables.people import Ends, People

Balances: TypeAlias = Mapping[str, int]


class StaleAccounts(Stale):
    """Raised if the accounts have changed since the user saw them."""


@dataclass(frozen=True)
class Owed:
    """A debt (deuda): `payer` owes `payee` the amount.

    `version` is the number of the entry that last altered it, and `since` that of its first entry. `claimed`
    is what the payer says to have paid, and nobody has answered yet; `claims` is the number of claims of this
    payer to this payee so far, answered ones included.
    """

    payer: Member
    payee: Member
    amount: int
    version: int
    since: int
    claimed: int = 0
    claims: int = 0

    @property
    def unsaid(self) -> int:
        """The amount less the payments that the payer claims and nobody has answered yet."""
        return max(0, self.amount - self.claimed)


@dataclass(frozen=True)
class Accounts:
    """Everybody's balance by slug, in the order of joining, and the debts that add up to them.

    The debts are ordered by debtor and then by creditor, in the order of joining.
    """

    people: People
    balances: Balances
    to_pay: tuple[Owed, ...]


def read_accounts(table: Table, people: People | None = None) -> Accounts:
    """Return the present accounts of a table, in two queries."""
    return read_accounts_of({table.pk: people or People.of(table)})[table.pk]


def read_accounts_of(tables: Mapping[int, People]) -> dict[int, Accounts]:
    """Return the accounts by the table's id, in two queries. `tables` has each table's people by its id."""
    rows: dict[int, list[Debt]] = {pk: [] for pk in tables}
    for row in Debt.objects.filter(table__in=tables).exclude(amount=0):
        rows[row.table_id].append(row)
    claims: dict[int, list[Payment]] = {pk: [] for pk in tables}
    for payment in Payment.objects.filter(table__in=tables, is_claim=True).order_by():
        claims[payment.table_id].append(payment)
    return {pk: _accounts(people, rows[pk], claims[pk]) for pk, people in tables.items()}


def _accounts(people: People, rows: Iterable[Debt], claims: Iterable[Payment]) -> Accounts:
    claimed, made = Counter[Ends](), Counter[Ends]()
    for payment in claims:
        ends = people.slugs_of(payment)
        made[ends] += 1
        claimed[ends] += payment.amount if payment.state is PaymentState.CLAIMED else 0
    balances = dict.fromkeys((member.slug for member in people.own), 0)
    owed = []
    for row in rows:
        one, other = people.by_pk[row.one_id], people.by_pk[row.other_id]
        payer, payee = (other, one) if row.amount > 0 else (one, other)
        ends, amount = (payer.slug, payee.slug), abs(row.amount)
        owed.append(Owed(payer, payee, amount, row.version, row.since, claimed[ends], made[ends]))
        balances[payer.slug] -= amount
        balances[payee.slug] += amount
    seats = {member: place for place, member in enumerate(people.own)}
    return Accounts(
        people, balances, tuple(sorted(owed, key=lambda debt: (seats[debt.payer], seats[debt.payee])))
    )


def balances_of(table: Table, people: People | None = None) -> Balances:
    """Return everybody's balance by slug, in the order the members joined. They add up to zero."""
    return read_accounts(table, people).balances


def awaiting(payees: Iterable[int] | QuerySet[Member]) -> QuerySet[Payment]:
    """Return the claims that wait for the answer of their payees: the ids, or a query, of members."""
    return Payment.objects.claimed().filter(payee__in=payees)


def to_settle(table: Table | OuterRef) -> PaymentQuerySet:
    """Return the table's claimed and disputed payments, which wait for an answer."""
    return Payment.objects.unsettled().filter(table=table)


def waiting_for(user: User, table: Table, people: People, *, is_keeper: bool) -> QuerySet[Payment]:
    """Return the payments that this user has to answer.

    These are the claims whose payee they are and, for a keeper of the accounts, the claimed and disputed
    payments whose payer they are not.
    """
    mine = [pk for member in people.own if member.is_of(user) for pk in people.rows_of(member)]
    return to_settle(table).exclude(payer__in=mine) if is_keeper else awaiting(mine)


# --- entries ----------------------------------------------------------------------------------------------------------


def newest_entry(table: Table) -> int:
    """Return the number of the table's newest entry, 0 without one: the version of its accounts."""
    return table.entries.aggregate(newest=Max("number"))["newest"] or 0


_CAUSES = ("game", "payment__payer", "payment__payee", "cost__payer", "member")


@dataclass(frozen=True)
class Moved:
    """An entry as one person's statement or one debt's *why* tells it: what it moved, and what stood after it."""

    entry: Entry
    amount: int
    balance: int


def statement_of(member: Member, people: People, *, start: int, count: int) -> tuple[list[Moved], bool]:
    """Return a page of a person's statement, newest first, and whether older entries follow.

    The page has at most `count` entries that moved the balance, after skipping the newest `start`.
    """
    slugs = [slug for slug, now in people.by_slug.items() if now == member]
    named = Q()
    for slug in slugs:
        named |= Q(differences__has_key=slug)
    entries = Entry.objects.filter(named, table=member.table_id)
    balance, moves = 0, []
    for pk, differences in entries.values_list("pk", "differences"):
        moved = sum(differences.get(slug, 0) for slug in slugs)
        balance += moved
        if moved:
            moves.append((pk, moved, balance))
    moves.reverse()
    page = moves[start : start + count]
    rows = Entry.objects.select_related(*_CAUSES).in_bulk([pk for pk, _moved, _balance in page])
    return [Moved(rows[pk], moved, balance) for pk, moved, balance in page], len(moves) > start + count


MOST_READ = 500  # entries read for the causes of a list of debts; older ones are told as one sum


def whys_of(debts: Sequence[Owed], table: Table, people: People) -> list[list[Moved]]:
    """Return for each debt its entries since its two people were last even, oldest first, in one query.

    `amount` is what an entry added to the debt (below 0: took off it), `balance` the debt after it. Of a debt
    older than the newest `MOST_READ` entries of the table, the first amount is all that stood before.
    """
    if not debts:
        return []
    since = min(debt.since for debt in debts)
    newest = table.entries.filter(number__gte=since).select_related(*_CAUSES).order_by("-number")
    entries = [(entry, people.read_lines(entry.after), _who(entry, people)) for entry in newest[:MOST_READ]]
    return [list(_why(debt, reversed(entries))) for debt in debts]


def _why(debt: Owed, entries: Iterable[tuple[Entry, Sequence[Transfer], Set[str]]]) -> Iterator[Moved]:
    ends, owed = (debt.payer.slug, debt.payee.slug), 0
    for entry, lines, who in entries:
        if entry.number >= debt.since and who >= set(ends):
            left = sum(
                line.amount if (line.payer, line.payee) == ends else -line.amount
                for line in lines
                if {line.payer, line.payee} == set(ends)
            )
            if left != owed:
                yield Moved(entry, left - owed, left)
            owed = left


def _who(entry: Entry, people: People) -> Set[str]:
    return {people.by_slug[slug].slug for slug in entry.differences}


# --- a user's own money at a table ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class OwnMoney:
    """A member's debts at a table, and the claims that wait: those to answer, and their own.

    A debt that the payer claims to have paid in full is left out.
    """

    member: Member
    to_pay: tuple[Owed, ...]
    to_receive: tuple[Owed, ...]
    to_answer: tuple[Payment, ...]
    claims: tuple[Payment, ...]
    people: People

    @property
    def is_even(self) -> bool:
        """True if there is nothing to pay or to receive, and nothing waits."""
        return not (self.to_pay or self.to_receive or self.to_answer or self.claims)


def own_money_of(user: User, table: Table, people: People) -> OwnMoney | None:
    """Return the user's money at the table; None without anything to pay, to receive or to confirm.

    Only a member whom an owner confirmed to be this user has money. This takes three queries.
    """
    member = next((member for member in people.own if member.is_of(user)), None)
    if member is None:
        return None
    to_pay, rows = read_accounts(table, people).to_pay, people.rows_of(member)
    claims = list(Payment.objects.claimed().filter(Q(payer__in=rows) | Q(payee__in=rows)))
    own = OwnMoney(
        member,
        tuple(debt for debt in to_pay if debt.payer == member and debt.unsaid),
        tuple(debt for debt in to_pay if debt.payee == member and debt.unsaid),
        tuple(claim for claim in claims if claim.payee_id in rows),
        tuple(claim for claim in claims if claim.payer_id in rows),
        people,
    )
    return None if own.is_even else own
