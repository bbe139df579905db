"""The forms of the accounts, for a payment and for an expense: what is filled in, what was typed, and refusals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from django.http import HttpRequest
from django.utils.timezone import now
from django.utils.translation import gettext as _

from games.common.amounts import money_of
from games.common.days import night_of
from games.common.locks import KeyReused, new_key
from games.common.names import Person
from games.common.sent import CONFLICT, UNPROCESSABLE, Refused, user_of, whole_number
from games.common.typed import read_day, read_typed, region_typed_in, wrong_amount
from games.common.words import translate
from games.models import Member, Method, Table
from games.money.balances import StaleAccounts
from games.money.evening import present_at
from games.money.pages.rows import method_in_words
from games.money.pages.sharing import FOR, SHARE, shares_shown
from games.scoring.errors import ScoringError
from games.tables.people import People, person_of

PAGE = 30
MOST_PAGES = 10_000


def refused_at(refusal: ScoringError | StaleAccounts | KeyReused, table: Table) -> Refused:
    """Return the refusal (HTTP status and messages) with which a page of the table shows this exception."""
    match refusal:
        case StaleAccounts():
            return Refused(
                CONFLICT, news=_("Not recorded: the accounts have changed. This is how they are now.")
            )
        case KeyReused():
            return Refused(
                CONFLICT, {"": _("This form already recorded another payment. Check the payments.")}
            )
        case _error:
            return Refused(UNPROCESSABLE, {refusal.field: translate(refusal.text, money_of(table))})


def asked_page(request: HttpRequest) -> int:
    """Return the page number in the query string, counted from 1; 1 if it is missing or no number."""
    return min(max(whole_number(request.GET.get("page", ""), most_digits=8), 1), MOST_PAGES)


# --- the form of a payment, also one that waited on a phone -----------------------------------------------------------


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


def wrong_paid(sent: Mapping[str, str], table: Table) -> str:
    """Return what is wrong with the amount that was paid, as it was typed."""
    otherwise = _("Enter the amount paid, such as %(example)s.")
    return wrong_amount(sent.get("amount", ""), table, region_typed_in(sent), otherwise)


def wrong_day() -> str:
    """Return the message at a field whose text is no day."""
    return _("Write the day like this: 2024-05-31.")


# --- the two forms that lie over the accounts --------------------------------------------------------------------------

PAYMENT = ("payer", "payee", "amount", "method", "note", "day")
EXPENSE = ("payer", "amount", "sharers", "parts", "amounts", "forgiven", "note", "night")


@dataclass(frozen=True)
class Sheet:
    """A form: who can be chosen in it, what is filled in, and what is wrong with it.

    It `is_open` if it was sent, or filled in by the query string. `more` are variables of the one form.
    """

    people: list[Person]
    sent: Mapping[str, str]
    fields: tuple[str, ...]
    is_open: bool
    refused: Refused | None
    last_day: date
    more: Mapping[str, object]
    key: str = field(default_factory=new_key)

    @property
    def look(self) -> str:
        """The CSS class of the form: a part of the page if it is open, else a sheet over it."""
        return "card" if self.is_open else "sheetover"

    @property
    def errors(self) -> Mapping[str, str]:
        """The messages by field."""
        return self.refused.errors if self.refused else {}

    @property
    def elsewhere(self) -> Refused | None:
        """The refusal without what is said at the fields."""
        return self.refused and self.refused.beside(*self.fields, "sure")


def payment_sheet(
    request: HttpRequest, table: Table, people: People, refused: Refused | None = None, *, sure: str = ""
) -> Sheet:
    """Return the form of a payment. A new one has the user as the payer, if they are a member, and cash.

    `sure` is the value with which the form answers yes to the question about a payment of more than is owed.
    """
    sent = request.POST if refused else request.GET if "payee" in request.GET else {}
    own = [member.slug for member in people.own if member.is_of(user_of(request))]
    filled = {
        "method": Method.CASH,
        **({"payer": own[0]} if own and not refused else {}),
        **{name: sent[name] for name in PAYMENT if name in sent},
    }
    more = {"methods": [(method, method_in_words(method)) for method in Method], "sure": sure}
    tonight = night_of(now(), table)
    return Sheet([*map(person_of, people.own)], filled, PAYMENT, bool(sent), refused, tonight, more)


def expense_sheet(
    request: HttpRequest, table: Table, people: People, refused: Refused | None = None
) -> Sheet:
    """Return the form of a shared cost.

    In an empty form, all who played that night are ticked: tonight, or the night that the query string names.
    """
    sent = request.POST if refused else request.GET if "night" in request.GET else {}
    tonight = night_of(now(), table)
    night = read_day(sent.get("night", "")) or tonight
    present = present_at(night, table, people)
    filled = {"night": night.isoformat(), **{name: sent[name] for name in sent}}
    if not refused and "payer" not in sent:
        filled |= {f"{FOR}{member.slug}": "yes" for member in present}
    members = [member for member in people.own if member.retired_at is None or member in present]
    more = {
        "shares": shares_shown(filled, members),
        "is_split": any(name.startswith(SHARE) for name in filled),
    }
    return Sheet([*map(person_of, members)], filled, EXPENSE, bool(sent), refused, tonight, more)
