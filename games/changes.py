"""The feed of a table: every change with a number, in the order in which they were stored.

The table's row hands out the number in the transaction that makes the change, and stays locked until that
ends.
So a second writer waits, gets the higher number and becomes visible second: a reader who has seen a number
has seen
all the changes before it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from django.db.models import F

from games.models import Change, ChangeKind, Table
from games.rows import Ready

PAGE = 100  # numbers looked at in one go

# Told to who reads the accounts; the numbers of others have gaps here.
OF_ACCOUNTS: Collection[str] = frozenset(
    {
        *(
            ChangeKind.PAYMENT_RECORDED,
            ChangeKind.PAYMENT_CANCELLED,
            ChangeKind.PAYMENT_CONFIRMED,
            ChangeKind.PAYMENT_DISPUTED,
        ),
        *(
            ChangeKind.PAYMENT_ACCEPTED,
            ChangeKind.PAYMENT_UPHELD,
            ChangeKind.PAYMENT_AMENDED,
            ChangeKind.PAYMENT_RESTORED,
        ),
        *(ChangeKind.NIGHT_CLOSED, ChangeKind.ACCOUNT_CHANGED, ChangeKind.CLAIMS_CHANGED),
        ChangeKind.BOOKS_REPAIRED,
    }
)


class UnknownChange(Exception):
    """No change of the table has this number yet: the cursor belongs to other books, and its reader starts
    anew.
    """


@dataclass(frozen=True)
class News:
    """A page of the feed: its changes, the cursor for the next page, and the newest number there is."""

    changes: Sequence[Change]
    seen: int
    newest: int


def tell(table: Table, *changes: Change) -> None:
    """Number these changes, not saved yet, and store them in this order. Call it inside the transaction."""
    tell_ready(table, told(changes))


def told(changes: Iterable[Change]) -> Ready[Change]:
    """Prepare these changes to be numbered and stored."""
    return Ready(changes, late=("number",))


def tell_ready(table: Table, changes: Ready[Change]) -> None:
    """Number and store changes that were prepared before the table was locked."""
    if not changes.rows:
        return
    tables = Table.objects.filter(pk=table.pk)
    tables.update(newest_change=F("newest_change") + len(changes.rows))
    newest = tables.values_list("newest_change", flat=True).get()
    for number, change in enumerate(changes.rows, start=newest - len(changes.rows) + 1):
        change.table, change.number = table, number
    changes.insert()


def news_of(table: Table, since: int, *, with_accounts: bool) -> News:
    """Return the changes after number `since`, a page of so many numbers; UnknownChange if there is no such
    number.

    The numbers are counted before changes that the reader may not see are left out, so that every answer
    costs the same.
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
        "payment__game",
        "payment__payer",
        "payment__payee",
        "note",
        "member__merged_into",
    )
    if not with_accounts:
        rows = rows.exclude(what__in=OF_ACCOUNTS)
    return News(tuple(rows), seen, newest)
