"""Read the ledger in a table's file: its entries, and the debts to which they led.

`value` is always the JSON object to read.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from games.common.fields import Fields, Unreadable
from games.files.contents import Contents
from games.files.parts import ENTRY, read_row
from games.models import Debt, Entry, EntryKind
from games.scoring.effort import spend
from games.scoring.words import _

CAUSES = ("game", "payment", "cost", "member")
CAUSE_OF: Mapping[EntryKind, Sequence[str]] = {
    **dict.fromkeys(
        (
            *(EntryKind.ENDED, EntryKind.CORRECTED, EntryKind.REOPENED, EntryKind.DISCARDED),
            *(EntryKind.RESTORED, EntryKind.ON_THE_SPOT),
        ),
        ("game",),
    ),
    **dict.fromkeys((EntryKind.PAID, EntryKind.UNPAID), ("payment",)),
    **dict.fromkeys((EntryKind.SHARED, EntryKind.UNSHARED), ("cost",)),
    **dict.fromkeys((EntryKind.MERGED, EntryKind.PARTED), ("member",)),
}
MOST_LINES = 2000
MOST_OWED = 10**17


def read_entry(value: Any, contents: Contents) -> None:
    """Add one entry to the contents. Raise Unreadable if it is invalid, or does not add up to zero."""
    entry = Entry(table=contents.table, **read_row(value, ENTRY, contents))
    number = len(contents.entries) + 1
    if entry.number != number:
        raise Unreadable(_("It should have the number {number}.", number=number), field="number")
    if entry.kind not in set(EntryKind):
        raise Unreadable(_("“{kind}” is not a kind of entry.", kind=entry.kind), field="kind")
    fields = Fields(value, *ENTRY)
    differences_of(fields, "differences", contents)
    if [name for name in CAUSES if getattr(entry, name)] != [*CAUSE_OF.get(EntryKind(entry.kind), ())]:
        raise Unreadable(_("An entry of the kind “{kind}” has another cause.", kind=entry.kind), field="kind")
    if entry.kind == EntryKind.UNOPENED and not re.fullmatch(r"back [0-9]{1,9}", entry.key or ""):
        raise Unreadable(_("It should name the balances that it takes back."), field="key")
    if entry.key is not None:
        contents.unused_key(entry.key, contents.entry_keys)
    for name in ("before", "after"):
        _check_lines(fields, name, entry.differences)
    contents.entries.append(entry)


def read_debt(value: Any, contents: Contents) -> None:
    """Add one debt to the contents. Raise Unreadable if it is invalid."""
    fields = Fields(value, "debtor", "creditor", "amount", "version", "since")
    debtor, creditor = contents.member(fields.part("debtor")), contents.member(fields.part("creditor"))
    amount, newest = fields.whole("amount", least=1, most=MOST_OWED), len(contents.entries)
    if debtor.slug == creditor.slug:
        raise Unreadable(_("Payer and payee are the same: choose two people."))
    joined = list(contents.members)
    is_as_joined = joined.index(creditor.slug) < joined.index(debtor.slug)
    contents.debts.append(
        Debt(
            table=contents.table,
            one=creditor if is_as_joined else debtor,
            other=debtor if is_as_joined else creditor,
            amount=amount if is_as_joined else -amount,
            version=fields.whole("version", least=1, most=newest),
            since=fields.whole("since", least=1, most=newest),
        )
    )


def differences_of(fields: Fields, name: str, contents: Contents) -> dict[str, int]:
    """Return the amounts by slug in the field `name`. Raise Unreadable unless they add up to zero."""
    value = fields.part(name)
    named = Fields(value, *(value if isinstance(value, dict) else ()))
    differences = {}
    for slug in value:
        spend(1)
        differences[contents.member(slug).slug] = named.whole(slug, least=-MOST_OWED, most=MOST_OWED)
    if sum(differences.values()):
        raise Unreadable(_("“{name}” does not add up to zero.", name=name), field=name)
    return differences


def _check_lines(fields: Fields, name: str, people: Mapping[str, int]) -> None:
    """Raise Unreadable unless the field has debts as they are stored: [debtor's slug, creditor's slug, amount]."""
    for line in fields.list_of(name, most=MOST_LINES):
        spend(1)
        if not isinstance(line, list) or len(line) != 3 or not all(isinstance(end, str) for end in line[:2]):
            raise Unreadable(_("A line needs a payer, a payee and an amount."), field=name)
        debtor, creditor, amount = line
        if debtor == creditor or not {debtor, creditor} <= set(people):
            raise Unreadable(_("A debt of an entry is between two of its people."), field=name)
        Fields({"amount": amount}, "amount").whole("amount", least=1, most=MOST_OWED)
