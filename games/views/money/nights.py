"""The nights of a table: their games, payments and closing notes."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import date

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST

from games.models import NOTE_LENGTH, ClosingNote, Role, Table
from games.money import closings
from games.money.balances import People, StaleAccounts
from games.money.closings import games_of, nights_before, notes_of, payments_of, snapshot_of
from games.money.evening import evening_of
from games.people.access import WRITERS, accounts_open_to
from games.scoring.errors import RuleError
from games.shown.common.days import day_in_words
from games.shown.common.typed import read_day
from games.shown.money import accounts as shown
from games.shown.money.evening import evening_shown, night_file, night_message, night_picture
from games.shown.money.nights import NoteShown, Standing, night_rows, note_shown, standing_shown
from games.views.common.opened import user_of
from games.views.common.paying import refused_at
from games.views.common.recording import Refused

NIGHTS_SHOWN = 12


@require_GET
def nights(request: HttpRequest, table_code: str) -> HttpResponse:
    """List the nights of the table, newest first."""
    table, _role = accounts_open_to(request, table_code)
    days = nights_before(table, read_day(request.GET.get("before", "")), count=NIGHTS_SHOWN + 1)
    context = {
        "table": table,
        "nights": night_rows(days[:NIGHTS_SHOWN], table),
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
    if day is None or not (games_of(day, table).exists() or notes_of([day], table)):
        raise Http404
    return day


def _show(
    request: HttpRequest, table: Table, role: Role, day: date, refused: Refused | None = None
) -> HttpResponse:
    people = People.of(table)
    note = notes_of([day], table).get(day)
    noted = note and note_shown(note, people, table)
    closing = _to_close(day, table, people, note) if role in WRITERS else None
    context = {
        "table": table,
        "day": day_in_words(day),
        "night": day.isoformat(),
        "payments": [shown.payment_row(payment, people, table) for payment in payments_of(day, table)],
        "note": noted,
        **_summary(day, table, people, noted or closing),
        "closing": closing,
        "text": request.POST.get("text", note.text if note else ""),
        "longest": NOTE_LENGTH,
        "errors": refused.errors if refused else {},
        "refused": refused and refused.beside("text"),
    }
    return render(request, "games/money/night.html", context, status=refused.status if refused else 200)


@dataclass(frozen=True)
class Closing:
    """The closing note that closing a night would make now.

    `is_news` is true if no earlier note has the same balances, `is_late` if a later night was played.
    """

    standing: Standing
    seen: str
    is_news: bool
    is_late: bool


def _to_close(day: date, table: Table, people: People, note: ClosingNote | None) -> Closing | None:
    """Return the closing note that closing this night would make.

    Return None for a night without games, and for an older night whose note still agrees with the
    balances.
    """
    if not games_of(day, table).exists():
        return None
    snapshot = snapshot_of(day, table, people)
    is_news = note is None or not _says(note.balances, snapshot.balances)
    if snapshot.as_of is not None and not is_news:
        return None
    return Closing(
        standing_shown(snapshot, people, table), snapshot.seen, is_news, snapshot.as_of is not None
    )


def _summary(day: date, table: Table, people: People, owed: NoteShown | Closing | None) -> dict[str, object]:
    """Return a summary of the night and the message to be sent to the group.

    The message lists the payments owed when the night was closed, or the present ones if it is not
    closed.
    """
    played = evening_shown(evening_of(day, table, people), people, table)
    standing = owed.standing if owed else None
    return {
        "played": played,
        "message": night_message(day, played, standing, table),
        "drawn": json.dumps(night_picture(day, played, standing, table)),
        "file_name": night_file(day, table),
    }


def _says(noted: dict[str, int], now: dict[str, int]) -> bool:
    """Return whether two sets of balances are equal, ignoring zeros."""
    return {slug: amount for slug, amount in noted.items() if amount} == {
        slug: amount for slug, amount in now.items() if amount
    }
