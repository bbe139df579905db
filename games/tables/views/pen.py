"""The pen: asking for it, answering the question, and taking it back."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from games.common import request_handling, roles, texts
from games.common.roles import RoleRequired
from games.models import Role
from games.scoring.errors import RuleError
from games.scoring.i18n import _
from games.tables.services import authorization, pens
from games.tables.views.answers import redirect_back
from games.tables.views.lobby import show_lobby


@require_POST
def pen(request: HttpRequest, table_code: str) -> HttpResponse:
    """Do what the pressed button says (`act`): ask for the pen, answer the question, or take it back."""
    access = authorization.get_access(request.user, table_code)
    had_pen = access.has_pen
    if not authorization.can_view_accounts(access) and not had_pen:
        raise RoleRequired("", needed=Role.SCORER)
    table, me = access.table, request_handling.current_user(request)
    number = request_handling.parse_pk(request.POST.get("number", ""))
    acts: Mapping[str, Callable[[], None]] = {
        "ask": lambda: pens.ask(table, by=me),
        "yes": lambda: pens.answer(table, number, is_yes=True, by=me),
        "no": lambda: pens.answer(table, number, is_yes=False, by=me),
        "back": lambda: pens.take_back(table, by=me),
    }
    act = acts.get(request.POST.get("act", ""))
    try:
        if act is None:
            raise RuleError(_("Choose what to do."))
        act()
    except RuleError as refusal:
        return show_lobby(request, table, Role(access.role), {"": texts.translate(refusal.text)})
    stops = act is acts["back"] and had_pen and access.role not in roles.WRITERS
    game = table.games.filter(code=request.POST.get("game", "")).first()
    return redirect("sheet", game.code) if stops and game else redirect_back(request, table)
