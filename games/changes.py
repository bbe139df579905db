"""The change feed of a table: its changes, numbered in the order in which they were stored.

The table's row holds the newest number. A change takes its number in the transaction that makes the change,
and the row stays locked until the transaction ends. A second writer waits, gets the higher number and becomes
visible second. So a reader who has seen a number has seen all the changes before it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from django.db.models import F

from games.models import Change, ChangeKind, Table
from games.rows import Ready

PAGE = 100  # change numbers a page of the feed covers

# Changes shown only to users who may read the accounts. Other users see gaps in the numbers.
OF_ACCOUNTS: Collection[str] = frozenset(
    {
        ChangeKind.PAYMENT_RECORDED,
        ChangeKind.PAYMENT_CONFIRMED,
        ChangeKind.PAYMENT_DISPUTED,
        ChangeKind.PAYMENT_ENDED,
        ChangeKind.PAYMENT_RESTORED,
        ChangeKind.COST_RECORDED,
        ChangeKind.COST_CANCELLED,
        ChangeKind.PAID_ON_THE_SPOT,
        ChangeKind.BALANCES_OPENED,
        ChangeKind.DEBTS_SIMPLIFIED,
        ChangeKind.ACCOUNT_CHANGED,
        ChangeKind.CLAIMS_CHANGED,
        ChangeKind.BOOKS_REPAIRED,
    }
)


class UnknownChange(Exception):
    """Raised if the cursor (a number of a change) is past the table's newest change.

    So the cursor comes from another database, such as one before a restored backup. The program must read the
    table from the beginning.
    """


@dataclass(frozen=True)
class News:
    """A page of the feed: its changes, the cursor `seen` for the next page, and the feed's newest number."""

    changes: Sequence[Change]
    seen: int
    newest: int


def tell(table: Table, *changes: Change) -> None:
    """Number these unsaved changes and add them to the table's feed in this order, inside a transaction."""
    tell_ready(table, told(changes))


def told(changes: Iterable[Change]) -> Ready[Change]:
    """Return these unsaved changes as prepared rows, which `tell_ready` later numbers and stores."""
    return Ready(changes, late=("number",))


def tell_ready(table: Table, changes: Ready[Change]) -> None:
    """Number and store changes that `told` prepared before the table was locked."""
    if not changes.rows:
        return
    tables = Table.objects.filter(pk=table.pk)
    tables.update(newest_change=F("newest_change") + len(changes.rows))
    newest = tables.values_list("newest_change", flat=True).get()
    for number, change in enumerate(changes.rows, start=newest - len(changes.rows) + 1):
        change.table, change.number = table, number
    changes.insert()


def news_of(table: Table, since: int, *, with_accounts: bool) -> News:
    """Return the page of changes after number `since`. Raise UnknownChange if no change has this number yet.

    Without `with_accounts`, changes of the accounts are left out. A page covers `PAGE` numbers, even if some
    of these changes are left out. So every page costs the same.
    """
    newest = table.newest_change
    if not 0 <= since <= newest:
        raise UnknownChange
    seen = min(since + PAGE, newest)
    if seen == since:
        return News((), since, newest)
    rows = table.changes.filter(number__gt=since, number__lte=seen).select_related(
        "game",
        "record",
        "payment__payer",
        "payment__payee",
        "cost__payer",
        "member__merged_into",
    )
    if not with_accounts:
        rows = rows.exclude(what__in=OF_ACCOUNTS)
    return News(tuple(rows), seen, newest)
