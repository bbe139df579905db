"""Who is who: which member somebody claims to be, and what an owner says to that."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from games.models import Member, Role, Table
from games.people.access import get_table_or_404, table_open_to
from games.people.claims import accept_claim as accept
from games.people.claims import claim as say
from games.people.claims import end_claim as end
from games.scoring.errors import RuleError
from games.shown.common.members import person_of
from games.shown.common.sentences import translate
from games.shown.people.claims import claims_of
from games.views.common.opened import user_of
from games.views.common.recording import UNPROCESSABLE, Refused
from games.views.people.members import NOTHING_WRONG


@require_GET
def claims(request: HttpRequest, table_code: str) -> HttpResponse:
    """Who one is, and for an owner who everybody else claims to be."""
    table, role = table_open_to(request, table_code)
    return _show(request, table, role)


@require_POST
def claim(request: HttpRequest, table_code: str) -> HttpResponse:
    """Somebody says which member he is; of an owner it counts at once."""
    table, role = table_open_to(request, table_code)
    found = _own(table, request.POST.get("member", ""))
    if found is None:
        return _show(request, table, role, {"member": _("Choose one of the people.")})
    return _act(request, table, role, lambda: say(found, user_of(request), is_agreed=role is Role.OWNER))


@require_POST
def accept_claim(request: HttpRequest, table_code: str, member: str) -> HttpResponse:
    """An owner agrees that somebody is who he says."""
    table = get_table_or_404(request, table_code, for_owning=True)
    found = _own_or_404(table, member)
    return _act(request, table, Role.OWNER, lambda: accept(found, of=_user_meant(request)))


@require_POST
def end_claim(request: HttpRequest, table_code: str, member: str) -> HttpResponse:
    """Somebody is a member no longer: he says so himself, or an owner does."""
    table, role = table_open_to(request, table_code)
    found, me = _own_or_404(table, member), user_of(request).pk
    if found.user_id == me:
        return _act(request, table, role, lambda: end(found, of=me))
    get_table_or_404(request, table_code, for_owning=True)
    return _act(request, table, role, lambda: end(found, of=_user_meant(request)))


def _own(table: Table, slug: str) -> Member | None:
    """The member of this slug, who is nobody else by now."""
    return next((member for member in table.members.filter(merged_into=None) if member.slug == slug), None)


def _own_or_404(table: Table, slug: str) -> Member:
    found = _own(table, slug)
    if found is None:
        raise Http404
    return found


def _user_meant(request: HttpRequest) -> int:
    """The user whose word the form was shown with; 0, who is nobody, where it was shown with none."""
    text = request.POST.get("of", "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 19 else 0


def _act(request: HttpRequest, table: Table, role: Role, act: Callable[[], Member]) -> HttpResponse:
    try:
        act()
    except RuleError as refusal:
        return _show(request, table, role, {"": translate(refusal.text)})
    return redirect("claims", table.code)


def _show(
    request: HttpRequest, table: Table, role: Role, errors: Mapping[str, str] = NOTHING_WRONG
) -> HttpResponse:
    user = user_of(request)
    members = list(table.members.filter(merged_into=None).select_related("user"))
    mine = next((member for member in members if member.user_id == user.pk), None)
    context = {
        "table": table,
        "mine": mine and person_of(mine),
        "is_agreed": mine is not None and mine.claimed_at is not None,
        "free": [person_of(member) for member in members if member.user_id is None],
        "claims": claims_of(members, besides=user) if role is Role.OWNER else (),
        "errors": errors,
        "refused": Refused(UNPROCESSABLE, {"": errors[""]}) if "" in errors else None,
    }
    return render(request, "games/people/claims.html", context, status=UNPROCESSABLE if errors else 200)
