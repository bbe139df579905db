"""Helpers for the pages of the accounts: refusals, who may record and pagination."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.http import HttpRequest
from django.utils.translation import gettext as _

from games.keys import KeyReused
from games.models import Role, Table
from games.money.balances import People, StaleAccounts
from games.people.roles import WRITERS
from games.scoring.errors import ScoringError
from games.shown.common.amounts import money_of
from games.shown.common.sentences import translate
from games.views.common.numbers import whole_number
from games.views.common.recording import CONFLICT, UNPROCESSABLE, Refused

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


def may_pay(user: User, role: Role, people: People) -> bool:
    """Return whether this user may record any payment: as one who may record, or as a member."""
    return role in WRITERS or any(member.is_of(user) for member in people.own)


def asked_page(request: HttpRequest) -> int:
    """Return the page number in the query string, counted from 1; 1 if it is missing or no number."""
    return min(max(whole_number(request.GET.get("page", ""), most_digits=8), 1), MOST_PAGES)
