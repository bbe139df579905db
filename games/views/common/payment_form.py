"""The HTML form of a payment: its values, or its errors.

The page of payments and the sync of a phone's unsent payments use it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import TypedDict

from django.utils.translation import gettext as _

from games.models import Member, Method, Table
from games.money.amendments import Words
from games.money.balances import People
from games.shown.common.typed import read_day, read_typed, region_typed_in, wrong_amount
from games.views.common.recording import UNPROCESSABLE, Refused

WORDS = ("amount", "method", "note", "day")


class How(TypedDict):
    """The method of a payment, e.g. cash, its note, and its day (None if it is not dated back)."""

    method: Method
    note: str
    day: date | None


@dataclass(frozen=True)
class Sent:
    """A payment as entered in the HTML form."""

    payer: Member
    payee: Member
    words: Words

    @property
    def what(self) -> tuple[Member, Member, int]:
        """The payer, the payee and the amount in the table's smallest coin."""
        return self.payer, self.payee, self.words.amount

    @property
    def how(self) -> How:
        """The method, the note and the day, as keyword arguments of the function that records the payment."""
        return {"method": self.words.method, "note": self.words.note, "day": self.words.day}

    @property
    def about(self) -> str:
        """The value that the form sends to confirm an unusual payment: the payer, the payee and the amount.

        If the user changes one of them, the value no longer matches, and the user must confirm again.
        """
        return f"{self.payer.slug} {self.payee.slug} {self.words.amount}"


def read_payment(sent: Mapping[str, str], table: Table, people: People) -> Sent | Refused:
    """Return the payment in the form data, or the errors by field."""
    payer, payee = (people.by_slug.get(sent.get(field, "")) for field in ("payer", "payee"))
    errors = {}
    if payer is None:
        errors["payer"] = _("Choose who paid.")
    if payee is None:
        errors["payee"] = _("Choose who was paid.")
    words = read_words(sent, table)
    if isinstance(words, Refused):
        errors |= words.errors
    if errors or payer is None or payee is None or isinstance(words, Refused):
        return Refused(UNPROCESSABLE, errors)
    return Sent(payer, payee, words)


def read_words(sent: Mapping[str, str], table: Table) -> Words | Refused:
    """Return the amount, method, note and day in the form data, or the errors by field."""
    amount = read_typed(sent, table)
    method, typed_day = sent.get("method", ""), sent.get("day", "").strip()
    day = read_day(typed_day)
    errors = {}
    if not amount:
        errors["amount"] = wrong_amount(
            sent.get("amount", ""),
            table,
            region_typed_in(sent),
            _("Enter the amount paid, such as %(example)s."),
        )
    if method not in set(Method) or not Method(method).is_by_hand:
        errors["method"] = _("Choose how it was paid.")
    if typed_day and day is None:
        errors["day"] = _("Write the day like this: 2024-05-31.")
    if errors or not amount:
        return Refused(UNPROCESSABLE, errors)
    return Words(amount, Method(method), sent.get("note", ""), day)
