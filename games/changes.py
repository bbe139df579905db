"""The feed of a table: every change with a number, in the order in which they were stored.

The table's row hands the number out in the transaction that makes the change, and is held until that one ends. So
whoever writes second waits, gets the higher number and is seen second: who has seen a number has seen all before it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from django.db.models import F

from games.models import Change, Table, What
from games.rows import Ready

PAGE = 100  # numbers looked at in one go

# Told to who reads the accounts; the numbers of others have gaps here.
OF_ACCOUNTS: Collection[str] = frozenset(
    {
        *(What.PAYMENT_RECORDED, What.PAYMENT_CANCELLED, What.PAYMENT_CONFIRMED, What.PAYMENT_DISPUTED),
        *(What.PAYMENT_ACCEPTED, What.PAYMENT_UPHELD, What.PAYMENT_AMENDED, What.PAYMENT_RESTORED),
        *(What.NIGHT_CLOSED, What.ACCOUNT_CHANGED, What.CLAIMS_CHANGED),
        What.BOOKS_REPAIRED,
    }
)


class UnknownChange(Exception):
    """No change of the table has this number yet: whoever kept it kept it of other books, and reads all anew."""


@dataclass(frozen=True)
class News:
    """What a reader has not seen: the changes of one page, the number to ask behind next, and the newest there is."""

    changes: Sequence[Change]
    seen: int
    newest: int


def tell(table: Table, *changes: Change) -> None:
    """Numbers these changes, not saved yet, and stores them in this order; call it inside the transaction."""
    tell_ready(table, told(changes))


def told(changes: Iterable[Change]) -> Ready[Change]:
    """These changes, ready to be numbered and stored."""
    return Ready(changes, late=("number",))


def tell_ready(table: Table, changes: Ready[Change]) -> None:
    """As `tell`, of what was made ready before anybody had to wait."""
    if not changes.rows:
        return
    tables = Table.objects.filter(pk=table.pk)
    tables.update(newest_change=F("newest_change") + len(changes.rows))
    newest = tables.values_list("newest_change", flat=True).get()
    for number, change in enumerate(changes.rows, start=newest - len(changes.rows) + 1):
        change.table, change.number = table, number
    changes.insert()


def news_of(table: Table, since: int, *, with_accounts: bool) -> News:
    """What came after number `since`, in pages of so many numbers; UnknownChange where there is no such number.

    The numbers are counted before what must not be read is left out, so that every answer costs the same.
    """
    newest = table.newest_change
    if not 0 <= since <= newest:
        raise UnknownChange
    seen = min(since + PAGE, newest)
    if seen == since:
        return News((), since, newest)
    found = table.changes.filter(number__gt=since, number__lte=seen).select_related(
        "game",
        "record",
        "payment__game",
        "payment__payer",
        "payment__payee",
        "note",
        "member__merged_into",
    )
    if not with_accounts:
        found = found.exclude(what__in=OF_ACCOUNTS)
    return News(tuple(found), seen, newest)
