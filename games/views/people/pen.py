"""Passing the pen: an owner lets a phone that has read-only access record until the night ends."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods

from games.models import Table
from games.people.access import get_table_or_404
from games.people.invitations import game_to_open
from games.people.pen import known_phones, pass_pen, take_pen_back
from games.scoring.errors import RuleError
from games.shown.common.sentences import translate
from games.shown.people.faces import phones_shown
from games.views.common.numbers import row_id
from games.views.common.opened import user_of
from games.views.common.recording import UNPROCESSABLE


@require_http_methods(["GET", "POST"])
def pen(request: HttpRequest, table_code: str) -> HttpResponse:
    """Show the phones that may get the pen. A tap on a phone passes the pen to it, or takes it back."""
    table = get_table_or_404(request, table_code, for_owning=True)
    if request.method == "GET":
        return _show(request, table)
    grant = get_object_or_404(table.grants, pk=row_id(request.POST.get("grant", "")))
    act = take_pen_back if request.POST.get("act") == "take" else pass_pen
    try:
        act(grant, by=user_of(request))
    except RuleError as refusal:
        return _show(request, table, refused=translate(refusal.text))
    return redirect("pen", table.code)


def _show(request: HttpRequest, table: Table, *, refused: str = "") -> HttpResponse:
    phones = phones_shown(known_phones(table))
    context = {
        "table": table,
        "phones": phones,
        "has_pens": any(phone.until for phone in phones),
        "game": game_to_open(table),
        "refused": refused,
    }
    return render(request, "games/people/pen.html", context, status=UNPROCESSABLE if refused else 200)
