"""The nights of a table: games, payments, and the closing notes (snapshots of balances at a night's end)."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import date

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from games.models import NOTE_LENGTH, Role, Table
from games.money import closings
from games.money.balances import People, StaleAccounts
from games.money.closings import (
    Closing,
    closing_of,
    games_of,
    last_night,
    nights_before,
    notes_of,
    payments_of,
    snapshot_of,
)
from games.money.costs import cost_of
from games.money.evening import evening_of, report_of
from games.people.access import WRITERS, accounts_open_to
from games.scoring.errors import RuleError
from games.shown.common.days import day_in_words, moment_in_words
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
from games.shown.money.nights import Standing, night_rows, note_shown, standing_shown
from games.views.common.opened import user_of
from games.views.common.paying import refused_at
from games.views.common.recording import Refused

NIGHTS_SHOWN = 12


@require_GET
def nights(request: HttpRequest, table_code: str) -> HttpResponse:
    """List the nights of the table, newest first."""
    table, role = accounts_open_to(request, table_code)
    days = nights_before(table, read_day(request.GET.get("before", "")), count=NIGHTS_SHOWN + 1)
    people, last = People.of(table), last_night(table)
    context = {
        "table": table,
        "nights": night_rows(days[:NIGHTS_SHOWN], last, table, people, may_close=role in WRITERS),
        "before": days[NIGHTS_SHOWN - 1].isoformat() if len(days) > NIGHTS_SHOWN else "",
    }
    return render(request, "games/money/nights.html", context)


@require_GET
def night(request: HttpRequest, table_code: str, day: str) -> HttpResponse:
    """Show one night: its games, its payments and its closing note."""
    table, role = accounts_open_to(request, table_code)
    return _show(request, table, role, _night_or_404(table, day))


@require_POST
def close_night(request: HttpRequest, table_code: str, day: str) -> HttpResponse:
    """Close the night: store its closing note."""
    table, role = accounts_open_to(request, table_code, for_writing=True)
    night = _night_or_404(table, day)
    text, seen = request.POST.get("text", ""), request.POST.get("seen", "")
    try:
        closings.close_night(table, night, seen=seen, text=text, by=user_of(request))
    except (RuleError, StaleAccounts) as refusal:
        return _show(request, table, role, night, refused_at(refusal, table))
    return redirect("night", table_code, day)


def _night_or_404(table: Table, text: str) -> date:
    day = read_day(text)
    if day is None or not (games_of(day, table).exists() or notes_of([day], table) or cost_of(day, table)):
        raise Http404
    return day


def _show(
    request: HttpRequest, table: Table, role: Role, day: date, refused: Refused | None = None
) -> HttpResponse:
    people = People.of(table)
    closing = closing_of(day, table, people)
    context = {
        "table": table,
        "day": day_in_words(day),
        "night": day.isoformat(),
        "payments": [shown.payment_row(payment, people, table) for payment in payments_of(day, table)],
        "note": closing and note_shown(closing, people, table),
        "may_settle": day == last_night(table),
        **_summary(day, table, people, closing),
        "may_share": role in WRITERS and games_of(day, table).exists(),
        "closing": _to_close(day, table, people, closing) if role in WRITERS else None,
        "text": request.POST.get("text", closing.note.text if closing else ""),
        "longest": NOTE_LENGTH,
        "errors": refused.errors if refused else {},
        "refused": refused and refused.beside("text"),
    }
    return render(request, "games/money/night.html", context, status=refused.status if refused else 200)


@dataclass(frozen=True)
class NextClosing:
    """The closing note that closing a night would make now.

    `standing` has the balances and payments to show, and `seen` is a digest of them. `is_news` is true unless
    the last note of the night has the same balances. `as_of` is "" if the note would have the present
    balances. For an older night it is the earlier moment, in words, whose balances the note would have.
    """

    standing: Standing
    seen: str
    is_news: bool
    as_of: str


def _to_close(day: date, table: Table, people: People, closing: Closing | None) -> NextClosing | None:
    """Return the closing note that closing this night would make; `closing` is the night's last note so far.

    Return None for a night without games, and for an older night whose last note is still right.
    """
    if not games_of(day, table).exists():
        return None
    snapshot = snapshot_of(day, table, people)
    if snapshot.as_of is not None and closing is not None and closing.holds:
        return None
    return NextClosing(
        standing_shown(snapshot, people, table),
        snapshot.seen,
        is_news=closing is None or not _are_equal(closing.note.balances, snapshot.balances),
        as_of=moment_in_words(snapshot.as_of, table) if snapshot.as_of else "",
    )


def _summary(day: date, table: Table, people: People, closing: Closing | None) -> dict[str, object]:
    """Return the template variables of the night: its results as of now, its shared cost, and what to send.

    The message and the picture are for the group.

    `closing` is the last closing note of the night, or None.
    """
    evening = evening_of(day, table, people)
    cost = cost_of(day, table)
    sent = report_shown(report_of(day, table, people, closing, evening), people, table, cost)
    return {
        "shared": cost and cost_row(cost, people, table),
        "played": evening_shown(evening, people, table),
        "message": night_message(day, sent, table),
        "drawn": json.dumps(night_picture(day, sent, table)),
        "file_name": night_file(day, table),
    }


def _are_equal(noted: dict[str, int], now: dict[str, int]) -> bool:
    """Return whether two sets of balances (amounts by member) are equal, ignoring zeros."""
    return {slug: amount for slug, amount in noted.items() if amount} == {
        slug: amount for slug, amount in now.items() if amount
    }
