"""What becomes of everybody's balance at a new table, before it is opened: each before and after."""

from __future__ import annotations

from dataclasses import dataclass

from games.models import Table
from games.notebook.carrying import Carried
from games.shown.common.amounts import money, tone_of
from games.shown.common.members import person_of
from games.shown.common.people import Person
from games.shown.common.sentences import translate


@dataclass(frozen=True)
class CarriedRow:
    """What one of them has at the old table, and would have at the new one."""

    person: Person
    before: str
    after: str
    tone: str


@dataclass(frozen=True)
class CarriedShown:
    """The look at it; `wrong` says why no table can be opened."""

    rows: tuple[CarriedRow, ...]
    wrong: str


def carried_shown(found: Carried, table: Table) -> CarriedShown:
    """Everybody who goes along, in the order they came."""
    wanted = found.wanted
    opened = Table(name=wanted.name, unit=wanted.unit, decimals=wanted.decimals)
    return CarriedShown(
        rows=tuple(
            CarriedRow(
                person_of(one.member),
                money(one.balance, table, signed=True),
                money(found.after[one.member.slug], opened, signed=True),
                tone_of(found.after[one.member.slug]),
            )
            for one in found.before
        ),
        wrong="" if found.wrong is None else translate(found.wrong),
    )
