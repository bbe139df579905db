"""The pages with debts that can be ticked: how each is shown after a tick or with its refusal."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from games.models import Role, Table
from games.money.balances import People
from games.money.payments import acts_of
from games.shown.money.debts import done_in_words
from games.views.common.numbers import row_id
from games.views.common.opened import user_of

Shows: TypeAlias = Callable[..., HttpResponse]
# The pages, by their URL names: each function shows the page with the refusal of a tick.
PAGES: dict[str, Shows] = {}


def has_ticks(name: str) -> Callable[[Shows], Shows]:
    """Return a decorator for the function that shows the page with this URL name, with a refusal of a tick."""

    def register(show: Shows) -> Shows:
        PAGES[name] = show
        return show

    return register


@dataclass(frozen=True)
class Done:
    """A payment just done or undone, as a sentence, and the form that undoes it: its address ("" for none), its fields."""

    sentence: str
    action: str
    fields: Mapping[str, str]


def just_done(request: HttpRequest, table: Table, people: People, role: Role) -> Done | None:
    """Return the bar about the payment that the query string names; None if it names none of this table."""
    number = row_id(request.GET.get("done", ""))
    payment = table.payments.filter(pk=number).first() if number else None
    if payment is None:
        return None
    payment.table = table
    acts = acts_of(payment, people, by=user_of(request), role=role)
    is_free = acts.may_take_back and not acts.needs_reason
    action = reverse("untick", args=[table.code, payment.pk]) if is_free else ""
    return Done(done_in_words(payment, people, table), action, {"page": request.path})
