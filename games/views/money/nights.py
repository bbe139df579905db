"""The nights of a table: a list of them, and one night with its people, games, costs and payments."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import date, datetime

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.timezone import now
from django.utils.translation import override
from django.views.decorators.http import require_GET

from games.models import Member, Payment, SharedCost, Table
from games.money.balances import Accounts, People, read_accounts
from games.money.costs import costs_of
from games.money.evening import Evening, company_of, evening_of, payments_of
from games.nights import games_of, night_of, nights_before
from games.people.access import accounts_open_to
from games.people.roles import WRITERS
from games.shown.common.days import day_in_words
from games.shown.common.typed import read_day
from games.shown.money import accounts as shown
from games.shown.money.costs import cost_for_group, cost_row
from games.shown.money.debts import DebtsShown, Reader, debts_of_night, debts_shown
from games.shown.money.evening import (
    EveningShown,
    ReportShown,
    evening_shown,
    night_file,
    night_message,
    night_picture,
)
from games.shown.money.nights import night_rows
from games.views.common.opened import user_of
from games.views.common.recording import Refused
from games.views.common.ticked import has_ticks, just_done

NIGHTS_SHOWN = 12


@require_GET
def nights(request: HttpRequest, table_code: str) -> HttpResponse:
    """List the nights of the table, newest first."""
    table, _role = accounts_open_to(request, table_code)
    days = nights_before(table, read_day(request.GET.get("before", "")), count=NIGHTS_SHOWN + 1)
    context = {
        "table": table,
        "nights": list(night_rows(days[:NIGHTS_SHOWN], table, People.of(table))),
        "before": days[NIGHTS_SHOWN - 1].isoformat() if len(days) > NIGHTS_SHOWN else "",
    }
    return render(request, "games/money/nights.html", context)


@dataclass(frozen=True)
class Night:
    """A night as it was read at one moment: its games, costs and payments, its people, and the accounts."""

    night: date
    table: Table
    at: datetime
    accounts: Accounts
    evening: Evening
    costs: tuple[SharedCost, ...]
    paid: tuple[Payment, ...]
    company: tuple[Member, ...]

    @classmethod
    def read(cls, night: date, table: Table) -> Night:
        """Read this night now."""
        people = People.of(table)
        evening = evening_of(night, table, people)
        return cls(
            night, table, now(), read_accounts(table, people), evening, tuple(costs_of(night, table)),
            tuple(payments_of(night, table)), company_of(night, table, people, evening),
        )  # fmt: skip

    @property
    def people(self) -> People:
        """The members of the table."""
        return self.accounts.people

    @property
    def is_tonight(self) -> bool:
        """True if this night is the present one."""
        return self.night == night_of(self.at, self.table)

    def played(self) -> EveningShown:
        """Return the summary in the active language."""
        return evening_shown(self.evening, self.costs, self.people, self.table)

    def debts(self, reader: Reader) -> DebtsShown:
        """Return tonight's list of who pays whom or, of an old night, only what was paid."""
        if self.is_tonight:
            return debts_of_night(self.night, self.company, self.accounts, self.table, reader)
        return debts_shown(self.accounts, self.table, reader, debts=(), paid=self.paid)

    def with_absent(self, reader: Reader) -> DebtsShown:
        """Return the debts between somebody of this night and somebody who did not come."""
        debts = [
            debt
            for debt in self.accounts.to_pay
            if (debt.payer in self.company) is not (debt.payee in self.company)
        ]
        return debts_shown(self.accounts, self.table, reader, debts=debts)


@require_GET
def night(request: HttpRequest, table_code: str, day: str) -> HttpResponse:
    """Show one night: its people, games, costs and payments and, tonight, who pays whom."""
    return show_night(request, table_code, day)


@has_ticks("night")
def show_night(
    request: HttpRequest, table_code: str, day: str, refused: Refused | None = None
) -> HttpResponse:
    """Show one night, with the refusal of a tick if there was one."""
    table, role = accounts_open_to(request, table_code)
    of_night = Night.read(_night_or_404(table, day), table)
    people = of_night.people
    reader = Reader.of(user_of(request), role, people)
    context = {
        "table": table,
        "day": day_in_words(of_night.night),
        "night": of_night.night.isoformat(),
        "is_tonight": of_night.is_tonight,
        "played": of_night.played(),
        "costs": [cost_row(cost, people, table) for cost in of_night.costs],
        "may_share": role in WRITERS,
        **_owed(of_night, reader),
        **_sent(of_night, reader),
        "done": just_done(request, table, people, role),
        "refused": refused,
    }
    return render(request, "games/money/night.html", context, status=refused.status if refused else 200)


def _night_or_404(table: Table, text: str) -> date:
    day = read_day(text)
    if day is None or not (games_of(day, table).exists() or table.costs.filter(night=day).exists()):
        raise Http404
    return day


def _owed(of_night: Night, reader: Reader) -> dict[str, object]:
    """Return the template variables on who pays whom tonight or, of an old night, on who paid."""
    if of_night.is_tonight:
        return {"debts": of_night.debts(reader), "with_absent": of_night.with_absent(reader)}
    people, table = of_night.people, of_night.table
    return {"payments": [shown.payment_row(payment, people, table) for payment in of_night.paid]}


def _sent(of_night: Night, reader: Reader) -> dict[str, str]:
    """Return the template variables for sending the night to the group, in the language of the table."""
    table = of_night.table
    with override(table.language):
        report = ReportShown(
            night=of_night.night,
            evening=of_night.played(),
            costs=tuple(cost_for_group(cost, of_night.people, table) for cost in of_night.costs),
            debts=of_night.debts(reader),
            at=of_night.at,
            is_tonight=of_night.is_tonight,
        )
        return {
            "message": night_message(report, table),
            "drawn": json.dumps(night_picture(report, table)),
            "file_name": night_file(of_night.night, table),
        }
