"""The HTML form of a payment: its values, or its errors.

The page of payments and the sync of a phone's unsent payments use it.
"""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.translation import gettext as _

from games.models import Method, Table
from games.money.balances import People
from games.money.booking import PaymentTyped
from games.money.payments import MoreThanOwed
from games.shown.common.typed import read_day, read_typed, region_typed_in, wrong_amount
from games.views.common.recording import UNPROCESSABLE, Refused


def is_about(typed: PaymentTyped | MoreThanOwed) -> str:
    """Return the value that the form sends to confirm a payment of more than is owed.

    It names the payer, the payee and the amount. If the user changes one of them, the value no longer matches,
    and the user is asked again.
    """
    return f"{typed.payer.slug} {typed.payee.slug} {typed.amount}"


def read_payment(sent: Mapping[str, str], table: Table, people: People) -> PaymentTyped | Refused:
    """Return the payment in the form data, or the errors by field."""
    payer, payee = (people.by_slug.get(sent.get(field, "")) for field in ("payer", "payee"))
    amount, method = read_typed(sent, table), sent.get("method", "")
    typed_day = sent.get("day", "").strip()
    day = read_day(typed_day)
    errors = {}
    if payer is None:
        errors["payer"] = _("Choose who paid.")
    if payee is None:
        errors["payee"] = _("Choose who was paid.")
    if not amount:
        errors["amount"] = wrong_amount(
            sent.get("amount", ""),
            table,
            region_typed_in(sent),
            _("Enter the amount paid, such as %(example)s."),
        )
    if method not in set(Method):
        errors["method"] = _("Choose how it was paid.")
    if typed_day and day is None:
        errors["day"] = _("Write the day like this: 2024-05-31.")
    if errors or payer is None or payee is None or not amount:
        return Refused(UNPROCESSABLE, errors)
    return PaymentTyped(payer, payee, amount, Method(method), sent.get("note", ""), day)
