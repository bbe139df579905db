"""The list of debts (deudas): who pays whom, the same on every page, in messages and in pictures.

A row is a debt, or a payment that was just made. The reader's own debts come first, then the largest.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any

from django.contrib.auth.models import User
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.common import amounts, days, naming, roles
from games.common.naming import Person
from games.models import COUNTING_EXPENSES, Game, Member, Payment, PaymentState, Role, Table
from games.money.presenters import account_display
from games.money.presenters.account_display import LongList
from games.money.presenters.payee_sentences import PayeeSentence, Sentences
from games.money.services import night_summary, payments
from games.money.services.accounting import Accounts, OwedDebt
from games.money.services.night_summary import NightSummary
from games.scoring.ledger import Transfer
from games.tables.services import roster
from games.tables.services.roster import People

MAX_UNFOLDED = 8  # debts that the accounts list one by one; more are grouped by debtor
MOST_DEBTS = 30  # debts that other pages list before they are unfolded
NOTHING_FOLDED: LongList[Any] = LongList(())


@dataclass(frozen=True)
class PageReader:
    """The reader of a list: their member, if any, whether they are an owner or scorer, and their user."""

    member: Member | None = None
    is_scorer: bool = False
    user: User | None = None

    @classmethod
    def of(cls, user: User, role: Role, people: People) -> PageReader:
        return cls(people.find_for_user(user), role in roles.WRITERS, user)


@dataclass(frozen=True)
class DebtItem:
    """A row of the list: payer, payee, amount, and the state of the circle that settles the debt.

    The circle is open, awaits an answer (to the payment with the id `claim`), or is ticked (the payment
    `paid`). `version` and `claims` identify the debt for `debt_settlement.settle`. `detail` describes the circle in
    words. With `is_linked` the row links to the accounts of both and to its payment, where the payee can
    dispute it.
    """

    payer: Person
    payee: Person
    amount: str
    detail: str = ""
    can_settle: bool = False
    claim: int = 0
    version: int = 0
    claims: int = 0
    paid: int = 0
    can_void: bool = False
    is_linked: bool = True
    pay_url: str = ""
    account: str = ""  # the payee's alias or account number
    number: str = ""  # set if a debt or an earlier row has the same pair
    why: PayeeSentence | None = None  # why the debt goes to this payee

    @property
    def ends(self) -> tuple[str, str]:
        """The slugs of the payer and the payee."""
        return self.payer.id, self.payee.id

    @property
    def payment(self) -> int:
        """The id of the payment that this row shows or that awaits an answer, 0 for none."""
        return self.paid or self.claim

    @property
    def id_suffix(self) -> str:
        """The part of the row's HTML id that makes it unique."""
        return f"{self.payer.id}-{self.payee.id}{self.number}"


@dataclass(frozen=True)
class DebtorGroup:
    """All debts of one person in a long list: their number and sum, and a row for each if unfolded."""

    person: Person
    count: int
    sum: str
    rows: tuple[DebtItem, ...]


@dataclass(frozen=True)
class DebtList:
    """The list: tonight's payments, and the unpaid debts. `note` says why the debts are not tonight's alone.

    `total_count` is the number of the table's debts, 0 if the list has only a part of them. A long list is
    grouped by debtor; then `unpaid` has only the unfolded debts.
    """

    paid: tuple[DebtItem, ...]
    unpaid: tuple[DebtItem, ...]
    note: str = ""
    total_count: int = 0
    debtors: tuple[DebtorGroup, ...] = ()
    rest: LongList[DebtItem] = NOTHING_FOLDED

    def fold(self, rest_url: str, *, is_open: bool) -> DebtList:
        """Return the list with its unpaid debts after the first MOST_DEBTS as `rest`, unfolded if `is_open`."""
        folded = LongList.of(self.unpaid, rest_url, is_open=is_open, most=MOST_DEBTS)
        return replace(self, unpaid=tuple(folded.rows), rest=folded)

    @property
    def rows(self) -> tuple[DebtItem, ...]:
        """All rows, unpaid debts first."""
        return (*self.unpaid, *self.paid)

    @property
    def count(self) -> int:
        """The number of unpaid debts, the folded ones included."""
        return len(self.unpaid) + self.rest.rest_count

    @property
    def can_settle(self) -> bool:
        return any(row.can_settle for row in self.unpaid)

    @property
    def remaining_label(self) -> str:
        """The number of payments still to be made, in words; "" if there is nothing to count."""
        if self.total_count:
            text = ngettext(
                "%(count)s payment and everyone's all square",
                "%(count)s payments and everyone's all square",
                self.total_count,
            )
            return text % {"count": self.total_count}
        if not self.paid or not self.unpaid:
            return ""
        return _("%(left)s of %(all)s left") % {"left": self.count, "all": self.count + len(self.paid)}

    @property
    def empty_label(self) -> str:
        """The text of a list without debts: a line on the page, and the heading of a message or picture."""
        return _("All paid") if self.paid else _("Nobody owes anything")


def build(
    accounts: Accounts,
    table: Table,
    reader: PageReader,
    *,
    debts: Iterable[OwedDebt] | None = None,
    paid: Iterable[Payment] = (),
    note: str = "",
    unfolded: str | None = None,
    why: Sentences | None = None,
) -> DebtList:
    """Return the list of these debts (by default all of the table) and payments, for a reader.

    `why` has sentences about the payees. With `unfolded` a long list is grouped by debtor, and the member
    with this slug is unfolded.
    """
    ordered = sorted(
        accounts.debts if debts is None else debts,
        key=lambda debt: (reader.member not in (debt.payer, debt.payee), -debt.amount),
    )
    paid_rows = tuple(_payment_item(payment, accounts.people, table, reader) for payment in paid)
    whole = len(ordered) if debts is None else 0
    if unfolded is not None and len(ordered) > MAX_UNFOLDED:
        debtors = tuple(_debtor_groups(ordered, table, reader, unfolded))
        unpaid = tuple(row for debtor in debtors for row in debtor.rows)
        return DebtList(tuple(_with_unique_ids(ordered, paid_rows)), unpaid, note, whole, debtors)
    unpaid = tuple(
        replace(_debt_item(debt, table, reader), why=(why or {}).get(debt.ends)) for debt in ordered
    )
    return DebtList(tuple(_with_unique_ids(ordered, paid_rows)), unpaid, note, whole)


def reader_debts(
    accounts: Accounts, table: Table, reader: PageReader, why: Sentences
) -> tuple[DebtItem, ...]:
    """Return the reader's own debts without unconfirmed payments, largest first."""
    debts = [debt for debt in accounts.debts if debt.payer == reader.member and not debt.claim]
    return build(accounts, table, reader, debts=debts, why=why).unpaid


def _debtor_groups(
    debts: Iterable[OwedDebt], table: Table, reader: PageReader, unfolded: str
) -> Iterator[DebtorGroup]:
    debts_by_payer = defaultdict[Member, list[OwedDebt]](list)
    for debt in debts:
        debts_by_payer[debt.payer].append(debt)
    sums = {payer: sum(debt.amount for debt in payer_debts) for payer, payer_debts in debts_by_payer.items()}
    for payer in sorted(sums, key=lambda payer: (payer != reader.member, -sums[payer])):
        payer_debts, is_open = debts_by_payer[payer], payer == reader.member or payer.slug == unfolded
        rows = tuple(_debt_item(debt, table, reader) for debt in payer_debts) if is_open else ()
        yield DebtorGroup(roster.to_person(payer), len(payer_debts), amounts.money(sums[payer], table), rows)


def _with_unique_ids(debts: Iterable[OwedDebt], paid: Iterable[DebtItem]) -> Iterator[DebtItem]:
    """Yield the payments. If a debt or an earlier payment has the same pair, add the payment's id to the row's.

    Folded debts count too, since unfolding inserts them into the same page.
    """
    pairs = {debt.ends for debt in debts}
    for row in paid:
        yield replace(row, number=f"-{row.paid}") if row.ends in pairs else row
        pairs.add(row.ends)


def build_for_game(transfers: Iterable[Transfer], people: Mapping[str, Person], table: Table) -> DebtList:
    """Return a game's own payments for readers who may not see the accounts, without links and circles."""
    rows = (
        DebtItem(
            people[transfer.payer],
            people[transfer.payee],
            amounts.money(transfer.amount, table),
            is_linked=False,
        )
        for transfer in transfers
    )
    return DebtList((), tuple(rows))


def build_for_night(
    night: date,
    summary: NightSummary,
    accounts: Accounts,
    table: Table,
    reader: PageReader,
    *,
    paid: Iterable[Payment],
    under: Game | None = None,
) -> DebtList:
    """Return tonight's list: the current debts among tonight's people, and tonight's payments (`paid`).

    `under` is the game whose result page shows the list.
    """
    debts, note = between_members(accounts.debts, summary.people), ""
    if not night_summary.debts_match_night(summary, debts):
        note = _("Including earlier debts")
    elif under and table.costs.filter(COUNTING_EXPENSES, night=night).exists():
        note = _("All of tonight together, with the expenses")
    elif under and table.entries.filter(night=night, game__isnull=False).exclude(game=under).exists():
        note = _("All of tonight's games together")
    return build(accounts, table, reader, debts=debts, paid=paid, note=note)


def between_members(debts: Iterable[OwedDebt], people: Collection[Member]) -> list[OwedDebt]:
    return [debt for debt in debts if debt.payer in people and debt.payee in people]


def _debt_item(debt: OwedDebt, table: Table, reader: PageReader) -> DebtItem:
    can_settle = reader.is_scorer or reader.member in (debt.payer, debt.payee)
    return DebtItem(
        payer=roster.to_person(debt.payer),
        payee=roster.to_person(debt.payee),
        amount=amounts.money(debt.amount, table),
        detail=claimed_label(debt, table),
        can_settle=reader.member == debt.payee if debt.claim else can_settle,
        claim=debt.claim.pk if debt.claim else 0,
        version=debt.version,
        claims=debt.claims,
        pay_url=account_display.pay_url(table, debt.payer, debt.payee, debt.amount) if can_settle else "",
        account=debt.payee.account,
    )


def _payment_item(payment: Payment, people: People, table: Table, reader: PageReader) -> DebtItem:
    payer, payee = people.by_pk[payment.payer_id], people.by_pk[payment.payee_id]
    return DebtItem(
        payer=roster.to_person(payer),
        payee=roster.to_person(payee),
        amount=amounts.money(payment.amount, table),
        detail=account_display.method_label(payment.method),
        paid=payment.pk,
        can_void=reader.user is not None and payments.can_undo_freely(payment, reader.user),
    )


def claimed_label(debt: OwedDebt, table: Table) -> str:
    """Return a label for the unconfirmed part of a debt, "" if there is none."""
    if not debt.claimed:
        return ""
    if debt.claimed == debt.amount:
        return _("says it's paid")
    return _("says %(amount)s was paid") % {"amount": amounts.money(debt.claimed, table)}


# --- in messages and pictures -----------------------------------------------------------------------------------------


def message_lines(debts: DebtList, table: Table, at: datetime) -> Iterator[str]:
    """Yield the list as lines of a message: the debts with the payees' aliases, then the payments.

    The first line has the time, because the list changes with each payment.
    """
    yield f"{_heading(debts)} · {days.format_datetime(at, table)}"
    if debts.note:
        yield debts.note
    for row in debts.unpaid:
        yield " · ".join(filter(None, (_row_text(row), row.account, row.detail)))
        if row.why:
            yield f"  {row.why.text}"
    yield from paid_lines(debts)
    if debts.total_count:
        text = ngettext(
            "With this payment everyone is all square.",
            "With these %(count)s payments everyone is all square.",
            debts.total_count,
        )
        yield text % {"count": debts.total_count}


def paid_lines(debts: DebtList) -> Iterator[str]:
    for row in debts.paid:
        yield f"✓ {_row_text(row)}"


def _row_text(row: DebtItem) -> str:
    return f"{account_display.arrow_label(row.payer.name, row.payee.name)}: {row.amount}"


def picture_data(debts: DebtList, table: Table, at: datetime) -> dict[str, object]:
    """Return the list as data for a picture (`scripts/money/picture.js`), with the same rows and words."""
    return {
        "title": _heading(debts),
        "moment": days.format_datetime(at, table),
        "note": debts.note,
        "rows": [
            {
                "payer": row.payer.picture_data,
                "payee": row.payee.picture_data,
                "amount": row.amount,
                "detail": " · ".join(filter(None, (row.account, row.detail))),
                "isPaid": bool(row.paid),
                "why": _standalone_reason(row),
            }
            for row in debts.rows
        ],
    }


def _standalone_reason(row: DebtItem) -> str:
    """Return why the debt goes to this payee, as a sentence that names both, "" for none."""
    if row.why is None:
        return ""
    text, names = row.why.text, (row.payer.name, row.payee.name)
    is_standalone = all(naming.isolate(name) in text for name in names)
    return text if is_standalone else f"{account_display.arrow_label(*names)}: {text}"


def _heading(debts: DebtList) -> str:
    return _("Who pays whom") if debts.unpaid else debts.empty_label


def action_sentence(payment: Payment, people: People, table: Table) -> str:
    payer, payee = people.by_pk[payment.payer_id], people.by_pk[payment.payee_id]
    about = {
        "payment": account_display.parties_label(payment, people),
        "amount": amounts.money(payment.amount, table),
        "payer": naming.isolate(payer.name),
        "payee": naming.isolate(payee.name),
        "method": account_display.method_label(payment.method),
    }
    match payment.state:
        case PaymentState.ENDED:
            return _("Voided: %(payment)s, %(amount)s") % about
        case PaymentState.COUNTS:
            return _("Recorded: %(payment)s, %(amount)s, %(method)s") % about
        case PaymentState.CLAIMED | PaymentState.DISPUTED:
            text = _("%(payer)s says they paid %(payee)s %(amount)s. %(payee)s, did you get it?")
            return text % about
