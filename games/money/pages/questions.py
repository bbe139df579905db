"""A sentence on the debt of one person to another, and the question about a payment of more than that."""

from __future__ import annotations

from django.utils.translation import gettext as _

from games.common.amounts import money
from games.common.names import isolated
from games.models import Member, Table
from games.money.payments import MoreThanOwed


def owed_in_words(payer: Member, payee: Member, amount: int, table: Table) -> str:
    """Return a sentence on what the payer owes the payee, which may be nothing."""
    text = _("%(payer)s owes %(payee)s %(amount)s.") if amount else _("%(payer)s owes %(payee)s nothing.")
    return text % {
        "payer": isolated(payer.name),
        "payee": isolated(payee.name),
        "amount": money(amount, table),
    }


def question_in_words(excess: MoreThanOwed, table: Table) -> str:
    """Return the question that is asked before a payment of more than is owed is recorded."""
    owed = owed_in_words(excess.payer, excess.payee, excess.owed, table)
    question = _("Was %(amount)s really paid?") % {"amount": money(excess.amount, table)}
    return f"{owed} {question}"
