"""The nights of a table: a list of them, and one night with its games, its payments and its shared cost."""

from __future__ import annotations

import json
from datetime import date

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.timezone import now
from django.views.decorators.http import require_GET

from games.models import Table
from games.money.balances import People, read_accounts
from games.money.costs import costs_of
from games.money.evening import evening_of, payments_of
from games.nights import games_of, last_night, nights_before
from games.people.access import WRITERS, accounts_open_to
from games.shown.common.days import day_in_words
from games.shown.common.typed import read_day
from games.shown.money import accounts as shown
from games.shown.money.costs import cost_row
from games.shown.money.evening import (
    evening_shown,
    night_file,
    night_message,
    night_picture,
    report_shown,
)
from games.shown.money.nights import night_rows

NIGHTS_SHOWN = 12


@require_GET
def nights(request: HttpRequest, table_code: str) -> HttpResponse:
    """List the nights of the table, newest first."""
    table, _role = accounts_open_to(request, table_code)
    days = nights_before(table, read_day(request.GET.get("before", "")), count=NIGHTS_SHOWN + 1)
    context = {
        "table": table,
        "nights": night_rows(days[:NIGHTS_SHOWN], table, People.of(table)),
        "before": days[NIGHTS_SHOWN - 1].isoformat() if len(days) > NIGHTS_SHOWN else "",
    }
    return render(request, "games/money/nights.html", context)


@require_GET
def night(request: HttpRequest, table_code: str, day: str) -> HttpResponse:
    """Show one night: its games, its payments and its shared cost."""
    table, role = accounts_open_to(request, table_code)
    night = _night_or_404(table, day)
    people = People.of(table)
    context = {
        "table": table,
        "day": day_in_words(night),
        "night": night.isoformat(),
        "payments": [shown.payment_row(payment, people, table) for payment in payments_of(night, table)],
        "may_settle": night == last_night(table),
        **_summary(night, table, people),
        "may_share": role in WRITERS,
    }
    return render(request, "games/money/night.html", context)


def _night_or_404(table: Table, text: str) -> date:
    day = read_day(text)
    if day is None or not (games_of(day, table).exists() or table.costs.filter(night=day).exists()):
        raise Http404
    return day


def _summary(day: date, table: Table, people: People) -> dict[str, object]:
    """Return the template variables of the night: its results as of now, its shared costs, and what to send.

    The message and the picture are for the group.
    """
    played = evening_shown(evening_of(day, table, people), people, table)
    costs = costs_of(day, table)
    sent = report_shown(played, read_accounts(table, people), table, costs, at=now())
    return {
        "costs": [cost_row(cost, people, table) for cost in costs],
        "played": played,
        "message": night_message(day, sent, table),
        "drawn": json.dumps(night_picture(day, sent, table)),
        "file_name": night_file(day, table),
    }
