"""Answers to who comes in, the roles and ends of accesses, and the request to take over a table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_POST

from games.common import naming, request_handling, texts
from games.common.locks import ConcurrentChange
from games.models import Access, Role, Table
from games.scoring.errors import RuleError
from games.scoring.i18n import _
from games.tables.services import authorization, confirmation_undo, confirmations, phone_changes, takeovers
from games.tables.services import lobby as lobby_service
from games.tables.services.confirmations import Confirmation
from games.tables.views.lobby import LAST_CONFIRMATION, show_lobby


@require_POST
def change_access(request: HttpRequest, table_code: str, access: int) -> HttpResponse:
    """Change an access as the pressed button says (`act`): its claim, its role, or its end."""
    table, role = authorization.get_table(request.user, table_code)
    me = request_handling.current_user(request)
    target = get_object_or_404(table.accesses.select_related("table", "user", "member"), pk=access)
    member = table.members.filter(slug=request.POST.get("member", "")).first()
    target.name = request.POST.get("name", target.name)
    acts: Mapping[str, Callable[[], object]] = {
        "confirm": lambda: confirmations.confirm(target, by=me, member=member),
        "tonight": lambda: confirmations.confirm(target, by=me, member=member, is_tonight=True),
        "beside": lambda: confirmations.confirm_phones(
            _submitted_phones(request, target), by=me, member=member
        ),
        "lend": lambda: phone_changes.lend_pen(target, by=me),
        "vouch": lambda: phone_changes.vouch(target, by=me),
        "ask-again": lambda: confirmations.undo_denial(target, by=me),
        "unseat": lambda: confirmations.remove_identity(target, by=me),
        "end": lambda: lobby_service.revoke(target, by=me),
        **{str(word): partial(lobby_service.set_role, target, word, by=me) for word in Role},
    }
    act = acts.get(request.POST.get("act", ""))
    try:
        if act is None:
            raise RuleError(_("Choose what to do."))
        done = act()
    except RuleError as refusal:
        return show_lobby(request, table, role, {"": texts.translate(refusal.text)})
    if target.user_id == me.pk and request.POST["act"] == "end":
        return redirect("home")
    if target.user_id == me.pk and request.POST["act"] == "unseat":
        return redirect("my-face", table.code)
    if request.POST["act"] == Role.OWNER and request.POST.get("page") == "home":
        return request_handling.redirect_with_notice(
            request, "owner", "home", of=target.person.name if target.person else ""
        )
    answer = redirect_back(request, table)
    if isinstance(done, Confirmation):
        return _flash_confirmation(request, answer, done)
    return (
        request_handling.flash(request, answer, "denied", str(target.pk))
        if request.POST["act"] == "unseat"
        else answer
    )


def _submitted_phones(request: HttpRequest, access: Access) -> Sequence[Access]:
    """Return the phones of a form, or only this one, each with the name that the page showed.

    Raise ConcurrentChange for more phones than one answer confirms: no page offers that.
    """
    pks = [request_handling.parse_pk(pk) for pk in request.POST.get("phones", "").split()]
    if len(pks) > confirmations.MOST_PHONES:
        raise ConcurrentChange
    phones = list(access.table.accesses.select_related("table", "user", "member").filter(pk__in=pks))
    for phone in phones:
        if naming.unaccented_key(phone.name) != naming.unaccented_key(access.name):
            phone.name = access.name  # refused later, because the claim has changed
    return phones or [access]


PAGES_OF_GAME = {"round": "play-round", "hand": "own-hand"}  # by a form's field `page`


def redirect_back(request: HttpRequest, table: Table) -> HttpResponse:
    """Redirect to the page with the form: a game's sheet or pad, the home page, a member's sheet, or the lobby."""
    game, page = table.games.filter(code=request.POST.get("game", "")).first(), request.POST.get("page", "")
    if game is not None:
        return redirect(PAGES_OF_GAME.get(page, "sheet"), game.code)
    if page == "home":
        return redirect("home")
    sheet = table.members.filter(slug=request.POST.get("from", ""), merged_into=None).first()
    return redirect("lobby", table.code) if sheet is None else redirect("member", table.code, sheet.slug)


@require_POST
def confirm_all(request: HttpRequest, table_code: str) -> HttpResponse:
    """Confirm the claims that the button named (*son todos*), deny all (*ninguno*), or undo the last yes."""
    table, role = authorization.get_table(request.user, table_code, for_writing=True)
    me, act = request_handling.current_user(request), request.POST.get("act")
    answer = redirect_back(request, table)
    try:
        if act == "turn-away":
            confirmations.deny_all(table, by=me)
        elif act == "undo":
            _undo_confirmation(request, table)
        else:
            named = {request_handling.parse_pk(pk) for pk in request.POST.get("phones", "").split()}
            if not named:  # a page that named nobody
                raise ConcurrentChange
            return _flash_confirmation(request, answer, confirmations.confirm_all(table, by=me, named=named))
    except RuleError as refusal:
        return show_lobby(request, table, role, {"": texts.translate(refusal.text)})
    return answer


def _undo_confirmation(request: HttpRequest, table: Table) -> None:
    """Undo the confirmation whose digest the form has. Raise ConcurrentChange if it was not the last one."""
    changes = request.session.get(LAST_CONFIRMATION, {})
    if not changes or changes["digest"] != request.POST.get("confirmation"):
        raise ConcurrentChange
    confirmation_undo.undo(table, changes, by=request_handling.current_user(request))
    del request.session[LAST_CONFIRMATION]


@require_POST
def take_over(request: HttpRequest, table_code: str) -> HttpResponse:
    """Request to take over a table that no owner has opened for thirty days."""
    table, role = authorization.get_table(request.user, table_code)
    try:
        takeovers.request_takeover(table, by=request_handling.current_user(request))
    except RuleError as refusal:
        return show_lobby(request, table, role, {"": texts.translate(refusal.text)})
    return redirect("lobby", table.code)


def _flash_confirmation(
    request: HttpRequest, answer: HttpResponse, confirmation: Confirmation
) -> HttpResponse:
    """Let the next page say whom the answer confirmed, and keep what undoes it."""
    names = [access.person.name for access in confirmation.accesses if access.person]
    if not names:
        return answer
    request.session[LAST_CONFIRMATION] = confirmation.undo_data
    return request_handling.flash(request, answer, "confirmed", naming.join_names(list(dict.fromkeys(names))))
