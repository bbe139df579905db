"""The page of a night (noche)."""

from __future__ import annotations

import json
from datetime import date
from math import ceil

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.text import slugify
from django.utils.translation import override
from django.views.decorators.http import require_safe

from games.common import days, parsing, request_handling, roles
from games.common.request_handling import PageRefusal
from games.models import Role, Table
from games.money.presenters import account_display, expense_display, night_display
from games.money.presenters.debt_list import PageReader
from games.money.presenters.night_display import NightPage
from games.money.views.debt_pages import action_notice, live_context, register_page, requested_page
from games.tables.services import authorization


@require_safe
def night(request: HttpRequest, table_code: str, day: str) -> HttpResponse:
    """Show a night: people, games, expenses and payments, and for tonight the debts."""
    return show_night(request, table_code, day)


@register_page("night")
def show_night(
    request: HttpRequest, table_code: str, day: str, refusal: PageRefusal | None = None
) -> HttpResponse:
    access = authorization.get_accounts_access(request.user, table_code)
    table, role = access.table, Role(access.role)
    night_page = NightPage.load(_night_or_404(table, day), table)
    people, summary = night_page.people, night_page.summary
    reader = PageReader.of(request_handling.current_user(request), role, people)
    page = min(requested_page(request), max(1, ceil(len(summary.games) / night_display.GAMES_PER_PAGE)))
    context = {
        "table": table,
        "my_role": role,
        "all_people": people,
        "day": days.format_day(night_page.night),
        "night": night_page.night.isoformat(),
        "is_tonight": night_page.is_tonight,
        "is_running": any(game.ended_at is None for game in summary.games),
        "in_short": night_page.counts_label(),
        "won": night_page.winners_sentence(),
        "there": night_display.attendee_items(summary, table),
        "games": [*night_page.game_items(page)],
        "newer": page - 1,
        "older": page + 1 if len(summary.games) > page * night_display.GAMES_PER_PAGE else 0,
        "costs": [expense_display.expense_item(cost, people, table) for cost in night_page.expenses],
        "may_share": role in roles.WRITERS or reader.member is not None,
        **_debts_context(night_page, reader, more=request.GET.get("more", "")),
        **_share_context(night_page),
        "done": action_notice(request, table, people, role),
        **live_context(request, access, "night", day, keeps=bool(refusal)),
    }
    return request_handling.render_page(request, "money/night.html", context, refusal)


def _night_or_404(table: Table, text: str) -> date:
    day = parsing.parse_day(text)
    if day is None or not (days.games_on(day, table).exists() or table.costs.filter(night=day).exists()):
        raise Http404
    return day


def _debts_context(night_page: NightPage, reader: PageReader, *, more: str) -> dict[str, object]:
    people, table = night_page.people, night_page.table
    if night_page.is_tonight:
        debts, with_absent = night_page.load_debts(reader), night_page.debts_with_absent(reader)
        url = f"{reverse('night', args=[table.code, night_page.night.isoformat()])}?more="
        return {
            "debts": debts.fold(f"{url}debts", is_open=more == "debts"),
            "with_absent": with_absent.fold(f"{url}absent", is_open=more == "absent"),
        }
    return {
        "payments": [account_display.payment_item(payment, people, table) for payment in night_page.payments]
    }


def _share_context(night_page: NightPage) -> dict[str, str]:
    """Return the template variables for sending the night to the group, in the table's language."""
    with override(night_page.table.language):
        return {
            "message": night_display.night_message(night_page),
            "drawn": json.dumps(night_display.night_picture(night_page)),
            "file_name": f"{slugify(night_page.table.name)}-{night_page.night:%Y-%m-%d}.png",
        }
