"""Settle a night (saldar la noche): list who pays whom among its players, to be ticked off line by line."""

from __future__ import annotations

from datetime import date

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from games.keys import KeyReused, new_key
from games.models import Role, Table
from games.money import settling
from games.money.balances import People
from games.money.booking import StaleDues
from games.money.payments import is_free, take_back
from games.money.settling import PlayedNight, settlement_of
from games.nights import games_of, last_night
from games.people.access import WRITERS, accounts_open_to
from games.scoring.errors import RuleError
from games.scoring.ledger import Transfer
from games.shown.common.typed import read_day, read_typed
from games.shown.money.settling import done_in_words, settling_shown
from games.views.common.numbers import row_id
from games.views.common.opened import user_of
from games.views.common.paying import refused_at
from games.views.common.recording import CONFLICT, Refused, sent_key


@require_GET
def settle_night(request: HttpRequest, table_code: str, day: str) -> HttpResponse:
    """Show who pays whom for the last night. For an older night, redirect to its page."""
    table, role = accounts_open_to(request, table_code)
    night = _night_or_404(table, day)
    if night != last_night(table):
        return redirect("night", table_code, day)
    return _show(request, table, role, night)


@require_POST
def tick_night(request: HttpRequest, table_code: str, day: str) -> HttpResponse:
    """Record the posted line of the list as a payment made in cash."""
    table, role = accounts_open_to(request, table_code, for_writing=True)
    night = _night_or_404(table, day)
    amount = read_typed(request.POST, table) or 0
    line = Transfer(request.POST.get("payer", ""), request.POST.get("payee", ""), amount)
    try:
        payment = settling.tick_night(table, night, line, key=sent_key(request), by=user_of(request))
    except StaleDues:
        news = _("Not recorded: that is no longer owed. This is owed now.")
        return _refuse(request, table, role, night, Refused(CONFLICT, news=news))
    except (RuleError, KeyReused) as refusal:
        return _refuse(request, table, role, night, refused_at(refusal, table))
    return _back(table, night, done=payment.pk)


@require_POST
def untick_night(request: HttpRequest, table_code: str, day: str) -> HttpResponse:
    """Take back the payment of a ticked line; it stays visible in the accounts."""
    table, role = accounts_open_to(request, table_code, for_writing=True)
    night = _night_or_404(table, day)
    payment = get_object_or_404(table.payments, night=night, pk=row_id(request.POST.get("payment", "")))
    try:
        take_back(payment, by=user_of(request), role=role)
    except RuleError as refusal:
        return _refuse(request, table, role, night, refused_at(refusal, table))
    return _back(table, night, done=payment.pk)


@require_POST
def choose_settling(request: HttpRequest, table_code: str, day: str) -> HttpResponse:
    """Store the choice for the table: settle each night alone, or together with older debts."""
    table, role = accounts_open_to(request, table_code, for_writing=True)
    night = _night_or_404(table, day)
    try:
        settling.choose_settling(table, with_before=request.POST.get("before") == "yes")
    except RuleError as refusal:
        return _refuse(request, table, role, night, refused_at(refusal, table))
    return _back(table, night)


def _night_or_404(table: Table, text: str) -> date:
    day = read_day(text)
    if day is None or not games_of(day, table).exists():
        raise Http404
    return day


def _back(table: Table, night: date, *, done: int | None = None) -> HttpResponse:
    page = reverse("settle-night", args=[table.code, night.isoformat()])
    return redirect(f"{page}?done={done}" if done else page)


def _refuse(request: HttpRequest, table: Table, role: Role, night: date, refused: Refused) -> HttpResponse:
    """Show the list again with the refusal.

    If a later night was played meanwhile, redirect to the page of this night.
    """
    if night != last_night(table):
        return redirect("night", table.code, night.isoformat())
    return _show(request, table, role, night, refused)


def _show(
    request: HttpRequest, table: Table, role: Role, night: date, refused: Refused | None = None
) -> HttpResponse:
    people = People.of(table)
    settlement = settlement_of(PlayedNight.read(night, table, people))
    done = table.payments.filter(night=night, pk=row_id(request.GET.get("done", ""))).first()
    may_record = role in WRITERS
    context = {
        "table": table,
        "night": night.isoformat(),
        "settling": settling_shown(settlement, people, table, user_of(request)),
        "may_record": may_record,
        "done": done_in_words(done, people, table) if done and may_record else "",
        "takes_back": done.pk if done and is_free(done, user_of(request)) else 0,
        "key": new_key(),
        "refused": refused,
    }
    return render(request, "games/money/settle.html", context, status=refused.status if refused else 200)
