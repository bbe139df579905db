"""The page of one night (noche): its games, its tally, its costs and its payments."""

from __future__ import annotations

import json
from datetime import date

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import override
from django.views.decorators.http import require_GET

from games.models import Table
from games.nights import games_of
from games.people.access import accounts_for
from games.people.roles import WRITERS
from games.shown.common.days import day_in_words
from games.shown.common.typed import read_day
from games.shown.money import accounts as shown
from games.shown.money.debts import Reader
from games.shown.money.evening import Night, night_file, night_message, night_picture
from games.shown.money.nights import move_rows
from games.views.common.opened import user_of
from games.views.common.recording import Refused
from games.views.common.ticked import has_ticks, just_done


@require_GET
def night(request: HttpRequest, table_code: str, day: str) -> HttpResponse:
    """Show one night: its people, games, costs and payments and, tonight, who pays whom."""
    return show_night(request, table_code, day)


@has_ticks("night")
def show_night(
    request: HttpRequest, table_code: str, day: str, refused: Refused | None = None
) -> HttpResponse:
    """Show one night, with the refusal of a tick if there was one."""
    table, role = accounts_for(request.user, table_code)
    of_night = Night.read(_night_or_404(table, day), table)
    people = of_night.people
    context = {
        "table": table,
        "day": day_in_words(of_night.night),
        "night": of_night.night.isoformat(),
        "is_tonight": of_night.is_tonight,
        "won": move_rows([of_night.night], people, table)[0] if of_night.evening.results else None,
        "played": of_night.shown(),
        "costs": [shown.cost_row(cost, people, table) for cost in of_night.costs],
        "may_share": role in WRITERS,
        **_owed(of_night, Reader.of(user_of(request), role, people)),
        **_sent(of_night),
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


def _sent(of_night: Night) -> dict[str, str]:
    """Return the template variables for sending the night to the group, in the language of the table."""
    with override(of_night.table.language):
        return {
            "message": night_message(of_night),
            "drawn": json.dumps(night_picture(of_night)),
            "file_name": night_file(of_night.night, of_night.table),
        }
