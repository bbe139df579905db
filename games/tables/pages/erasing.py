"""Erasing a table, from its settings, and restoring it, for owners."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from games.common.refused import UNPROCESSABLE, Refused
from games.common.sent import user_of
from games.common.sentences import translate
from games.scoring.errors import RuleError
from games.tables import erasing
from games.tables.access import erased_or_open_to
from games.tables.pages.table_settings import show_settings


@require_POST
def erase_table(request: HttpRequest, table_code: str) -> HttpResponse:
    """Erase the table once its name is typed. Its settings then say until when it can be restored."""
    table = erased_or_open_to(request, table_code)
    try:
        if table.erased_at is None:  # not after a repeated tap
            erasing.erase(table, name=request.POST.get("erased-name", ""), by=user_of(request))
    except RuleError as refusal:
        return show_settings(request, table, Refused(UNPROCESSABLE, {"erased-name": translate(refusal.text)}))
    return redirect("table-settings", table.code)


@require_POST
def bring_table_back(request: HttpRequest, table_code: str) -> HttpResponse:
    """Restore an erased table for everybody."""
    table = erased_or_open_to(request, table_code)
    erasing.bring_back(table, by=user_of(request))
    return redirect("lobby", table.code)
