"""Starting balances from a file of Splitwise.

Its names are matched to members, and its cents are converted to the table's coins.

This module reads from the database and writes nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from games.models import NAME_LENGTH, Member, Table
from games.money.balances import People
from games.names import likeness
from games.notebook.carrying import in_coins
from games.notebook.expenses import CENTS, Expenses
from games.notebook.spellings import bared, remembered
from games.scoring.errors import RuleError
from games.scoring.one_line import shortened
from games.scoring.words import _


@dataclass(frozen=True)
class FileBalance:
    """A person's balance in a file: the name as it is written there, and the amount in coins of the table.

    `member` is None for somebody new. `is_certain` is True if the written name is the member's name,
    and not just similar or a confirmed spelling.
    """

    written: str
    amount: int
    member: Member | None
    is_certain: bool

    @property
    def short_name(self) -> str:
        """As many words of the written name as fit a member's name."""
        words = self.written.split()
        while len(words) > 1 and len(" ".join(words)) > NAME_LENGTH:
            words.pop()
        return shortened(" ".join(words), NAME_LENGTH)


def balances_in(expenses: Expenses, table: Table) -> Sequence[FileBalance]:
    """Return the balances in the file, rounded to the smallest coin of the table so that they sum to zero.

    Raise RuleError if the table has members and none of them matches a name in the file.
    """
    coins = in_coins(expenses.evened, Fraction(10**table.decimals, 10**CENTS))
    people = People.of(table)
    near = _members_near(list(coins), table, people)
    if people.own and not any(near.values()):
        raise RuleError(
            _("Nobody in this file is at this table, so it belongs to another group. Nothing was imported."),
            field="file",
        )
    members = _members_meant(near)
    return [
        FileBalance(name, amount, member, member is not None and likeness(member.name) == likeness(name))
        for name, amount in coins.items()
        for member in (members.get(name),)
    ]


def is_rounded(expenses: Expenses, table: Table) -> bool:
    """Return whether balances are rounded, because the table's smallest coin is larger than a cent."""
    coin = 10 ** max(0, CENTS - table.decimals)
    return any(amount % coin for amount in expenses.balances.values())


def _members_near(names: Sequence[str], table: Table, people: People) -> Mapping[str, Sequence[Member]]:
    """Return, for each of these names, the members whom it may mean: none, one or several."""
    spellings = {written: people.by_pk[member.pk] for written, member in remembered(table).items()}
    near: dict[str, Sequence[Member]] = {}
    for name in names:
        same = [member for member in people.own if likeness(member.name) == likeness(name)]
        meant = spellings.get(likeness(name))
        near[name] = (
            same
            or ([meant] if meant else [])
            or [member for member in people.own if _begins_alike(member.name, name)]
        )
    return near


def _members_meant(near: Mapping[str, Sequence[Member]]) -> Mapping[str, Member]:
    """Return the member whom each name means. A name that may mean nobody or several members is left out.

    So are two names that mean the same member, except one that is exactly the member's name.
    """
    by_name = {name: members[0] for name, members in near.items() if len(members) == 1}
    counts = Counter(by_name.values())
    return {
        name: member
        for name, member in by_name.items()
        if counts[member] == 1 or likeness(member.name) == likeness(name)
    }


def _begins_alike(name: str, other: str) -> bool:
    """Return whether one name, without accents, is the first words of the other, such as Ana and Ana Ruiz."""
    words, others = ([bared(word) for word in written.split()] for written in (name, other))
    shortest = min(len(words), len(others))
    return shortest > 0 and words[:shortest] == others[:shortest]
