"""The reading of a posted payment, also one that waited on a phone, and of a posted expense."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

from django.utils.translation import gettext as _

from games.common.sent import UNPROCESSABLE, Refused
from games.common.typed import read_day, read_typed, region_typed_in, wrong_amount
from games.models import Member, Method, Table
from games.money.costs import CostWords
from games.money.sharing import read_borne
from games.tables.people import People


def is_about(payer: Member, payee: Member, amount: int) -> str:
    """Return the value that confirms a payment of more than is owed: another payment does not match it."""
    return f"{payer.slug} {payee.slug} {amount}"


def read_payment(sent: Mapping[str, str], table: Table, people: People) -> dict[str, Any] | Refused:
    """Return the payment in the form data as arguments of `pay`, or the errors by field."""
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
        errors["amount"] = wrong_paid(sent, table)
    if method not in set(Method):
        errors["method"] = _("Choose how it was paid.")
    if typed_day and day is None:
        errors["day"] = wrong_day()
    if errors or payer is None or payee is None or not amount:
        return Refused(UNPROCESSABLE, errors)
    is_asking = sent.get("sure") != is_about(payer, payee, amount)
    words = {"method": Method(method), "note": sent.get("note", ""), "day": day, "is_asking": is_asking}
    return {"payer": payer, "payee": payee, "amount": amount, **words}


def tick_method(sent: Mapping[str, str]) -> Method | None:
    """Return how the debt of this tick was paid: by transfer if its page copied the alias for it, else not said."""
    return Method.TRANSFER if sent.get("method") == Method.TRANSFER else None


def wrong_paid(sent: Mapping[str, str], table: Table) -> str:
    """Return what is wrong with the amount that was paid, as it was typed."""
    otherwise = _("Enter the amount paid, such as %(example)s.")
    return wrong_amount(sent.get("amount", ""), table, region_typed_in(sent), otherwise)


def wrong_day() -> str:
    """Return the message at a field whose text is no day."""
    return _("Write the day like this: 2024-05-31.")


def read_cost(sent: Mapping[str, str], table: Table, people: People) -> tuple[date, CostWords] | Refused:
    """Return the night and the shared cost in the form data, or the errors by field.

    Raise RuleError if what each bears is wrong.
    """
    payer, amount = people.by_slug.get(sent.get("payer", "")), read_typed(sent, table)
    night, errors = read_day(sent.get("night", "")), {}
    if payer is None:
        errors["payer"] = _("Choose who paid.")
    if not amount:
        errors["amount"] = wrong_paid(sent, table)
    if night is None:
        errors["night"] = wrong_day()
    if errors or payer is None or not amount or night is None:
        return Refused(UNPROCESSABLE, errors)
    borne = read_borne(sent, payer, amount, table, people)
    return night, CostWords(payer, amount, borne, sent.get("note", ""), is_forgiven="forgiven" in sent)
