"""Settle a debt by one tap (tildar): record that the whole debt was paid."""

from __future__ import annotations

from datetime import datetime
from functools import reduce
from operator import or_

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q

from games.common import locks
from games.models import Entry, Member, Method, Payment, Role, Table
from games.money.services import accounting, movements, payments
from games.money.services.accounting import StaleAccounts
from games.money.services.payments import PaymentQuestion
from games.scoring.debts import amount_between
from games.tables.services.roster import People


class DebtReplaced(PaymentQuestion):
    """The debt was `amount`, and something else than a payment of it has since lowered it: was it paid?

    `owed` are all debts that its payer has now, each with its creditor.
    """

    def __init__(
        self, payer: Member, payee: Member, amount: int, owed: tuple[tuple[Member, int], ...], *, is_own: bool
    ) -> None:
        super().__init__()
        self.payer, self.payee, self.amount, self.owed, self.is_own = payer, payee, amount, owed, is_own


@transaction.atomic
def settle(
    table: Table,
    payer: Member,
    payee: Member,
    *,
    version: int,
    claims: int,
    by: User,
    role: Role = Role.SCORER,
    at: datetime | None = None,
    method: Method | None = None,
    is_sure: bool = False,
) -> Payment:
    """Record that a whole debt was paid tonight, and return the payment.

    `version` and `claims` identify the debt that the user saw (`OwedDebt`); two phones that settle it make
    one payment. The default `method` is that of the pair's last payment in this direction, or cash. If there
    is an unconfirmed payment, the payee confirms the oldest one, and MoreThanOwed is raised as in
    `payments.confirm`; anybody else gets StaleAccounts. Raise StaleAccounts if the debt has changed, and
    RuleError if the user may not record it. If something else than a payment between the two lowered it,
    raise DebtReplaced or, with `is_sure`, record the payment of the debt that the user saw.
    """
    locks.lock(table)
    people = People.of(table)
    payer, payee = movements.resolve_parties(payer, payee, people)
    key = _settlement_key(table, payer, payee, version, claims)
    known = table.payments.filter(key=key).first()
    if known is not None and known.ended_at is None and (known.counts or payer.belongs_to(by)):
        return known
    debt = accounting.find_debt(payer, payee, people)
    if debt is not None and debt.claim:
        if payee.belongs_to(by):
            return payments.confirm(debt.claim, by=by, role=role, at=at, is_asking=not is_sure)
        raise StaleAccounts
    if known is not None:
        raise StaleAccounts
    if debt is not None and (debt.version, debt.claims) == (version, claims):
        amount = debt.amount
    else:
        amount = _replaced_amount(payer, payee, version, people)
        if not amount or (debt is not None and debt.amount >= amount):  # it is owed again, or more is
            raise StaleAccounts
        if not is_sure:
            owed = _list_creditors(payer, people)
            raise DebtReplaced(payer, payee, amount, owed, is_own=payer.belongs_to(by))
    method = method or _usual_method(payer, payee, table, people)
    return payments.create(table, payer, payee, amount, method=method, key=key, by=by, role=role, at=at)


def _replaced_amount(payer: Member, payee: Member, version: int, people: People) -> int:
    """Return the amount of a debt as of this entry, if a later one replaced it in part or whole; 0 otherwise.

    A payment between the two replaces nothing: what it paid no longer counts as seen.
    """
    entries = payer.table.entries.filter(_names(payer, people), _names(payee, people))
    entries = entries.select_related("payment").only("number", "differences", "after", "payment")
    first = entries.filter(number=version).first()
    seen = amount = 0 if first is None else _debt_after(first, payer, payee, people)
    if not seen:
        return 0
    for entry in entries.filter(number__gt=version).order_by("number").iterator():
        left = _debt_after(entry, payer, payee, people)
        if left < amount and not _is_payment_between(entry, payer, payee, people):
            return seen
        seen -= max(0, amount - left)
        if seen <= 0:
            return 0
        amount = left
    return 0


def _names(member: Member, people: People) -> Q:
    """Return a condition for entries that name this member, or one who was merged into them."""
    return reduce(
        or_,
        (Q(differences__has_key=slug) for slug, current in people.slugs.items() if current == member.slug),
    )


def _debt_after(entry: Entry, payer: Member, payee: Member, people: People) -> int:
    return amount_between(payee.slug, payer.slug, people.read_lines(entry.after))


def _is_payment_between(entry: Entry, payer: Member, payee: Member, people: People) -> bool:
    paid = entry.payment
    return paid is not None and {*people.slug_pair(paid)} == {payer.slug, payee.slug}


def _list_creditors(payer: Member, people: People) -> tuple[tuple[Member, int], ...]:
    debts = accounting.load_accounts(payer.table, people).debts
    return tuple((debt.payee, debt.amount) for debt in debts if debt.payer == payer)


def _usual_method(payer: Member, payee: Member, table: Table, people: People) -> Method:
    made = table.payments.filter(
        payer__in=people.member_pks(payer), payee__in=people.member_pks(payee), ended_at=None
    )
    last = (
        made.exclude(method=Method.FORGIVEN).order_by("-recorded_at", "-pk").values_list("method", flat=True)
    )
    return Method(last.first() or Method.CASH)


def _settlement_key(table: Table, payer: Member, payee: Member, version: int, claims: int) -> str:
    """Return the idempotency key for settling this debt, the same on all phones and copies of the table.

    It includes the time of the debt's version, because an imported table numbers its entries anew.
    """
    at = table.entries.filter(number=version).values_list("at", flat=True).first()
    debt = f"{table.identity} {payer.slug} {payee.slug} {version} {claims} {at and at.timestamp()}"
    return f"tick {locks.hash_token(debt)[:32]}"
