"""Leaving a table, from its settings."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from games.people.access import get_table_or_404
from games.people.leaving import leave
from games.scoring.errors import RuleError
from games.shown.common.sentences import translate
from games.views.common.opened import user_of
from games.views.common.recording import UNPROCESSABLE, Refused
from games.views.people.table_settings import also_sent, show_settings


@require_POST
def leave_table(request: HttpRequest, table_code: str) -> HttpResponse:
    """End the user's own access to the table. Its only owner is refused."""
    table = get_table_or_404(request, table_code)
    try:
        leave(table, by=user_of(request), also=also_sent(request))
    except RuleError as refusal:
        return show_settings(request, table, Refused(UNPROCESSABLE, {"leave": translate(refusal.text)}))
    return redirect("home")
