"""Claims: a user claims to be a member, and an owner confirms or ends the claim."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
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
from games.views.common.numbers import row_id
from games.views.common.opened import user_of
from games.views.common.recording import UNPROCESSABLE, Refused
from games.views.people.members import NOTHING_WRONG


@require_GET
def claims(request: HttpRequest, table_code: str) -> HttpResponse:
    """Show the user's own claim, and to an owner the claims of all users."""
    table, role = table_open_to(request, table_code)
    return _show(request, table, role)


@require_POST
def claim(request: HttpRequest, table_code: str) -> HttpResponse:
    """Claim to be a member; an owner's claim is confirmed at once."""
    table, role = table_open_to(request, table_code)
    the_member = table.members.filter(slug=request.POST.get("member", ""), merged_into=None).first()
    if the_member is None:
        return _show(request, table, role, {"member": _("Choose one of the people.")})
    return _act(request, table, role, lambda: say(the_member, user_of(request), is_agreed=role is Role.OWNER))


@require_POST
def accept_claim(request: HttpRequest, table_code: str, member: str) -> HttpResponse:
    """Confirm the claim of another user, as an owner."""
    table = get_table_or_404(request, table_code, for_owning=True)
    the_member = get_object_or_404(table.members, slug=member, merged_into=None)
    return _act(request, table, Role.OWNER, lambda: accept(the_member, of=_user_meant(request)))


@require_POST
def end_claim(request: HttpRequest, table_code: str, member: str) -> HttpResponse:
    """End a claim: the user's own, or any claim as an owner."""
    table, role = table_open_to(request, table_code)
    the_member = get_object_or_404(table.members, slug=member, merged_into=None)
    me = user_of(request).pk
    if the_member.user_id == me:
        return _act(request, table, role, lambda: end(the_member, of=me))
    get_table_or_404(request, table_code, for_owning=True)
    return _act(request, table, role, lambda: end(the_member, of=_user_meant(request)))


def _user_meant(request: HttpRequest) -> int:
    """Return the id of the user whose claim the page showed; 0 if the field is missing.

    Another user may have claimed to be the same member since; that claim must not be confirmed or ended.
    """
    return row_id(request.POST.get("of", ""))


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
