"""The payment form as one sentence: the closers that say the payment again, and the facts for its script.

A name in braces is filled in by the script (`scripts/money/sentence.js`), or here.
"""

from __future__ import annotations

from collections.abc import Mapping

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from games.common import amounts, naming
from games.models import Method, Table
from games.money.presenters.debt_list import PageReader
from games.money.services.accounting import Accounts
from games.money.services.payments import PaymentQuestion


def script_data(reader: PageReader, accounts: Accounts, table: Table) -> Mapping[str, object]:
    """Return what the script needs: the debts that the reader may pay, who must confirm, and the words."""
    owed = [
        (debt.payer.slug, debt.payee.slug, debt.amount)
        for debt in accounts.debts
        if reader.is_scorer or reader.member in (debt.payer, debt.payee)
    ]
    return {
        "me": reader.member.slug if reader.member else "",
        "decimals": table.decimals,
        "owed": owed,
        "asks": [member.slug for member in accounts.people.current_members if member.has_phone],
        "words": {**_closers(), **_notes()},
    }


def _closers() -> dict[str, str]:
    return {
        "paid": _("{payer} paid {payee} {amount}"),
        "paid_i": _("I paid {payee} {amount}"),
        "paid_me": _("{payer} paid me {amount}"),
        "forgave": _("{payee} forgave {payer} {amount}"),
        "forgave_i": _("I forgave {payer} {amount}"),
        "forgave_me": _("{payee} forgave me {amount}"),
        "later": _("counts once {payee} says it arrived"),
        "you": _("{name}, you"),
    }


def _notes() -> dict[str, str]:
    return {
        "all": _("the whole debt: all square"),
        "part": _("{payer} will still owe {rest}"),
        "part_i": _("you will still owe {rest}"),
        "over": _("{payee} will owe {payer} {rest}"),
        "over_i": _("{payee} will owe you {rest}"),
        "over_me": _("you will owe {payer} {rest}"),
        "none": _("{payer} owes {payee} nothing"),
        "none_i": _("you owe {payee} nothing"),
        "none_me": _("{payer} owes you nothing"),
    }


def answer_label(asked: PaymentQuestion, method: Method, table: Table, user: User) -> str:
    """Return the closer that says yes to the question whether so much was paid, or forgiven."""
    payer, payee = asked.payer, asked.payee
    is_payer, is_payee = payer.belongs_to(user), payee.belongs_to(user)
    if method is Method.FORGIVEN:
        text = (
            _("Yes, I forgave {payer} {amount}") if is_payee else _("Yes, {payee} forgave {payer} {amount}")
        )
    elif is_payer:
        text = _("Yes, I paid {payee} {amount}")
    else:
        text = _("Yes, {payer} paid me {amount}") if is_payee else _("Yes, {payer} paid {payee} {amount}")
    return text.format(
        payer=naming.isolate(payer.name),
        payee=naming.isolate(payee.name),
        amount=amounts.money(asked.amount, table),
    )
