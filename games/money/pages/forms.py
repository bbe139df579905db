"""The two forms that lie over the accounts, for another payment and for an expense, as their templates need them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from django.http import HttpRequest
from django.utils.timezone import now

from games.common.keys import new_key
from games.common.nights import night_of
from games.common.people import Person
from games.common.refused import Refused
from games.common.sent import user_of
from games.common.typed import read_day
from games.models import Member, Method, Table
from games.money.costs import present_at
from games.money.pages.cost_words import FOR
from games.money.pages.rows import method_in_words
from games.tables.pages.people import person_of
from games.tables.people import People

PAYMENT = ("payer", "payee", "amount", "method", "note", "day")
EXPENSE = ("payer", "amount", "sharers", "note", "night")


@dataclass(frozen=True)
class Sheet:
    """A form: who can be chosen in it, what is filled in, and what is wrong with it.

    It `is_open` if it was sent, or filled in by the query string. `more` are variables of the one form.
    """

    people: list[Person]
    sent: Mapping[str, str]
    is_open: bool
    last_day: str
    refused: Refused | None
    fields: tuple[str, ...]
    more: Mapping[str, object] = field(default_factory=dict)
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


def _sheet(
    table: Table,
    members: list[Member],
    sent: Mapping[str, str],
    fields: tuple[str, ...],
    *,
    is_open: bool,
    refused: Refused | None,
    more: Mapping[str, object],
) -> Sheet:
    last_day = night_of(now(), table).isoformat()
    return Sheet([*map(person_of, members)], sent, is_open, last_day, refused, fields, more)


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
    methods = [(method, method_in_words(method)) for method in Method]
    more = {"methods": methods, "sure": sure}
    return _sheet(table, [*people.own], filled, PAYMENT, is_open=bool(sent), refused=refused, more=more)


def expense_sheet(
    request: HttpRequest, table: Table, people: People, refused: Refused | None = None
) -> Sheet:
    """Return the form of a shared cost.

    In an empty form, all who played that night are ticked: tonight, or the night that the query string names.
    """
    sent = request.POST if refused else request.GET if "night" in request.GET else {}
    night = read_day(sent.get("night", "")) or night_of(now(), table)
    present = present_at(night, table, people)
    filled = {"night": night.isoformat(), **{name: sent[name] for name in sent}}
    if not refused and "payer" not in sent:
        filled |= {f"{FOR}{member.slug}": "yes" for member in present}
    members = [member for member in people.own if member.retired_at is None or member in present]
    more = {"sharers": [member.slug for member in members if f"{FOR}{member.slug}" in filled]}
    return _sheet(table, members, filled, EXPENSE, is_open=bool(sent), refused=refused, more=more)
