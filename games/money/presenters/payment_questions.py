"""The questions that a payment may need before it is recorded, as sentences."""

from __future__ import annotations

from django.utils.translation import gettext as _

from games.common import amounts, naming
from games.models import Member, Table
from games.money.services.debt_settlement import DebtReplaced
from games.money.services.payments import MoreThanOwed, PaymentQuestion


def debt_sentence(payer: Member, payee: Member, amount: int, table: Table) -> str:
    text = _("%(payer)s owes %(payee)s %(amount)s.") if amount else _("%(payer)s owes %(payee)s nothing.")
    return text % {
        "payer": naming.isolate(payer.name),
        "payee": naming.isolate(payee.name),
        "amount": amounts.money(amount, table),
    }


def question_sentence(asked: PaymentQuestion, table: Table) -> str:
    match asked:
        case MoreThanOwed():
            sentence = debt_sentence(asked.payer, asked.payee, asked.owed_amount, table)
            question = _("Was %(amount)s really paid?") % {"amount": amounts.money(asked.amount, table)}
            return f"{sentence} {question}"
        case DebtReplaced():
            return _replaced_question(asked, table)
    raise TypeError(asked)


def _replaced_question(asked: DebtReplaced, table: Table) -> str:
    """Return the question whether a debt was paid, with the creditors that the debtor has now."""
    is_same_sum = [amount for _payee, amount in asked.owed] == [asked.amount]
    others = naming.join_names(
        [
            naming.isolate(payee.name) + ("" if is_same_sum else f" ({amounts.money(amount, table)})")
            for payee, amount in asked.owed
        ]
    )
    if asked.is_own and others:
        text = _(
            "You no longer owe %(amount)s to %(payee)s, but to %(others)s. Did you give it to them anyway?"
        )
    elif asked.is_own:
        text = _("You no longer owe %(amount)s to %(payee)s. Did you give it to them anyway?")
    elif others:
        text = _(
            "%(payer)s no longer owes %(amount)s to %(payee)s, but to %(others)s. Was it given to them anyway?"
        )
    else:
        text = _("%(payer)s no longer owes %(amount)s to %(payee)s. Was it given to them anyway?")
    return text % {
        "payer": naming.isolate(asked.payer.name),
        "payee": naming.isolate(asked.payee.name),
        "others": others,
        "amount": amounts.money(asked.amount, table),
    }
