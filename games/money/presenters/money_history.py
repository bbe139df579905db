"""The part of the ledger that explains one member's money: the lines of their balance, and whom they pay."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from games.models import Member, Table
from games.money.presenters import payee_sentences
from games.money.presenters.cause_titles import CauseTitles
from games.money.presenters.payee_sentences import Sentences
from games.money.services import balance_causes, payee_reasons
from games.money.services.accounting import Accounts, OwedDebt
from games.money.services.balance_causes import BalanceCause, ExplanationLine, LineKind
from games.money.services.entry_history import EntryHistory
from games.money.services.payee_reasons import Reasons
from games.tables.services.roster import Ends

MOST_EXPLAINED = 8  # members whose balances are explained in the text of the whole table
_T = TypeVar("_T")


@dataclass(frozen=True)
class MoneyHistory:
    """The lines that add up to a member's balance, and why each of their debts has its payee.

    There are no lines where more than MOST_EXPLAINED members are explained at once. `titles` has the rows of all
    causes that these name.
    """

    member: Member
    lines: Sequence[ExplanationLine]
    debts: Sequence[OwedDebt]
    payee_reasons: Reasons
    titles: CauseTitles

    @classmethod
    def load(
        cls, member: Member, accounts: Accounts, table: Table, *, with_payees: bool = True
    ) -> MoneyHistory:
        """Explain one member's balance and the payees of their debts.

        With `with_payees`, also explain why the member is the payee of the debts to them, which takes the entries
        of everyone who owes them.
        """
        debts = [
            debt for debt in accounts.debts if debt.payer == member or (with_payees and debt.payee == member)
        ]
        (history,) = cls._load_each([member], debts, accounts, table)
        return history

    @classmethod
    def load_all(cls, accounts: Accounts, table: Table) -> list[MoneyHistory]:
        """Explain the balances of all who owe or are owed, and the payees of all debts."""
        balances = accounts.balances
        members = [member for member in accounts.people.current_members if balances[member.slug]]
        return cls._load_each(members, accounts.debts, accounts, table)

    @classmethod
    def _load_each(
        cls, members: Sequence[Member], explained: Sequence[OwedDebt], accounts: Accounts, table: Table
    ) -> list[MoneyHistory]:
        """Read the entries of these members and of the payers of the `explained` debts in one query."""
        people = accounts.people
        history = EntryHistory.load({*members, *(debt.payer for debt in explained)}, people)
        reasons = payee_reasons.find_all(explained, history)
        explained_members = members if len(members) <= MOST_EXPLAINED else ()
        lines = {member: balance_causes.fold(history.causes(member.slug)) for member in explained_members}
        causes = [reason.row.cause for reason in reasons.values() if reason.row.cause is not None]
        causes += [reason.cause for member in explained_members for reason in _named(lines[member])]
        titles = CauseTitles.load(causes, table, people)
        debts = _group_by_end({debt.ends: debt for debt in accounts.debts})
        own_reasons = _group_by_end(reasons)
        return [
            cls(
                member,
                lines.get(member, ()),
                [*debts[member.slug].values()],
                own_reasons[member.slug],
                titles,
            )
            for member in members
        ]

    @property
    def named_causes(self) -> Sequence[BalanceCause]:
        """The causes that the lines name one by one."""
        return _named(self.lines)

    def payee_sentences(self, reader: Member | None = None) -> Sentences:
        """Return why each debt goes to its payee, as the reader is told, by the slugs of both."""
        return payee_sentences.build(self.payee_reasons, self.titles, reader.slug if reader else "")


def _named(lines: Sequence[ExplanationLine]) -> list[BalanceCause]:
    return [reason for line in lines if line.kind is not LineKind.UNTIL for reason in line.causes]


def _group_by_end(rows: Mapping[Ends, _T]) -> Mapping[str, Mapping[Ends, _T]]:
    """Return these rows of debts by the slug of the debtor, and again by that of the creditor."""
    groups = defaultdict[str, dict[Ends, _T]](dict)
    for ends, row in rows.items():
        for slug in ends:
            groups[slug][ends] = row
    return groups
