"""The part of the ledger that explains one member's money: the lines of their balance, and whom they pay."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from games.models import Member, Table
from games.money.presenters import payee_sentences
from games.money.presenters.cause_titles import CauseTitles
from games.money.presenters.payee_sentences import Sentences
from games.money.services import balance_causes, payee_reasons, statements
from games.money.services.accounting import Accounts, OwedDebt
from games.money.services.balance_causes import BalanceCause, EntryEffect, ExplanationLine, LineKind
from games.money.services.payee_reasons import Reasons


@dataclass(frozen=True)
class MoneyHistory:
    """A member's effects, the lines that add up to their balance, and why each of their debts has its payee.

    `titles` has the rows of all causes that these name.
    """

    member: Member
    effects: Sequence[EntryEffect]
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
        """Explain the balance of everybody who owes or is owed, and the payees of all debts."""
        balances = accounts.balances
        members = [member for member in accounts.people.current_members if balances[member.slug]]
        return cls._load_each(members, accounts.debts, accounts, table)

    @classmethod
    def _load_each(
        cls, members: Sequence[Member], explained: Sequence[OwedDebt], accounts: Accounts, table: Table
    ) -> list[MoneyHistory]:
        """Read the entries of these members and of the payers of the `explained` debts in one query."""
        people = accounts.people
        rows = statements.load_rows({*members, *(debt.payer for debt in explained)}, people)
        reasons = payee_reasons.find_all(explained, rows, people)
        effects = {member: statements.member_effects(rows, member.slug, people) for member in members}
        lines = {member: balance_causes.fold(balance_causes.compute(effects[member])) for member in members}
        causes = [reason.row.cause for reason in reasons.values() if reason.row.cause is not None]
        causes += [reason.cause for member in members for reason in _named(lines[member])]
        titles = CauseTitles.load(causes, table, people)
        histories = []
        for member in members:
            debts = [debt for debt in accounts.debts if member.slug in debt.ends]
            own_reasons = {ends: reason for ends, reason in reasons.items() if member.slug in ends}
            histories.append(cls(member, effects[member], lines[member], debts, own_reasons, titles))
        return histories

    @property
    def named_causes(self) -> Sequence[BalanceCause]:
        """The causes that the lines name one by one."""
        return _named(self.lines)

    def payee_sentences(self, reader: Member | None = None) -> Sentences:
        """Return why each debt goes to its payee, as the reader is told, by the slugs of both."""
        return payee_sentences.build(self.payee_reasons, self.titles, reader.slug if reader else "")


def _named(lines: Sequence[ExplanationLine]) -> list[BalanceCause]:
    return [reason for line in lines if line.kind is not LineKind.UNTIL for reason in line.causes]
