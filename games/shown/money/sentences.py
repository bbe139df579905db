"""Sentences on who pays whom, which a program can read aloud or send as they are."""

from __future__ import annotations

from django.utils.translation import gettext as _

from games.models import Member, Table
from games.money.balances import Accounts, People
from games.money.dues import Dues
from games.money.settling import NightSettlement
from games.names import isolated
from games.shown.common.amounts import money
from games.shown.money.dues import notes_alone, notes_of, nothing_owed


def dues_in_sentences(dues: Dues, people: People, table: Table, *, sees_accounts: bool) -> list[str]:
    """Return a sentence for each payment that a finished game calls for, then the notes beside them.

    `sees_accounts` is True if the user may read the accounts, and so the payments that are only claimed.
    """
    lines = [_sentence(line.payer, line.payee, line.amount, table) for line in dues.lines] or [
        nothing_owed(dues)
    ]
    return [*lines, *(notes_of(dues, people, table) if sees_accounts else notes_alone(dues, table))]


def plan_in_sentences(accounts: Accounts, table: Table) -> list[str]:
    """Return a sentence for each payment left that settles all accounts of the table."""
    lines = [_sentence(line.payer, line.payee, line.left, table) for line in accounts.to_pay]
    return lines or [_("Nobody owes anything.")]


def settling_in_sentences(settlement: NightSettlement, table: Table) -> list[str]:
    """Return a sentence for each payment that settles a night."""
    lines = [_sentence(line.payer, line.payee, line.amount, table) for line in settlement.lines]
    return lines or [_("Nobody owes anything for this night.")]


def _sentence(payer: Member, payee: Member, amount: int, table: Table) -> str:
    about = {"payer": isolated(payer.name), "payee": isolated(payee.name), "amount": money(amount, table)}
    return _("%(payer)s pays %(payee)s %(amount)s.") % about
