"""The preview of a carry-over, which opens a new table with the members' balances of an old one."""

from __future__ import annotations

from dataclasses import dataclass

from games.models import Table
from games.notebook.carrying import CarryOverPreview
from games.shown.common.amounts import money, tone_of
from games.shown.common.members import person_of
from games.shown.common.people import Person
from games.shown.common.sentences import translate


@dataclass(frozen=True)
class CarriedRow:
    """One member's balance at the old table (`before`) and at the new one (`after`)."""

    person: Person
    before: str
    after: str
    tone: str


@dataclass(frozen=True)
class CarriedShown:
    """The preview of a carry-over. `wrong` is the reason why it is impossible; "" if it is possible."""

    rows: tuple[CarriedRow, ...]
    wrong: str


def carried_shown(preview: CarryOverPreview, table: Table) -> CarriedShown:
    """Return the preview for every member who joins the new table, in the members' order.

    `table` is the old table. The new balances are in the new table's unit of money.
    """
    wanted = preview.wanted
    new_table = Table(name=wanted.name, unit=wanted.unit, decimals=wanted.decimals)
    return CarriedShown(
        rows=tuple(
            CarriedRow(
                person_of(account.member),
                money(account.balance, table, signed=True),
                money(preview.after[account.member.slug], new_table, signed=True),
                tone_of(preview.after[account.member.slug]),
            )
            for account in preview.before
        ),
        wrong="" if preview.wrong is None else translate(preview.wrong),
    )
