"""A member's new phone: an owner makes a link with which another phone takes the place of a lost one."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_http_methods

from games.models import Member, Table
from games.people.access import get_table_or_404
from games.people.invitations import make_new_phone
from games.people.new_phones import replacement_of
from games.scoring.errors import RuleError
from games.shown.common.sentences import translate
from games.shown.people.invites import new_phone_in_words
from games.views.common.opened import user_of
from games.views.common.recording import UNPROCESSABLE
from games.views.people.invites import Made, made_of


@require_http_methods(["GET", "HEAD", "POST"])
def new_phone(request: HttpRequest, table_code: str, member: str) -> HttpResponse:
    """Show what a member's new phone may do, and which phone loses access. On POST, make its link."""
    table = get_table_or_404(request, table_code, for_owning=True)
    the_member = get_object_or_404(table.members.active(), slug=member)
    if request.method != "POST":
        return _show(request, table, the_member)
    try:
        invite, token = make_new_phone(the_member, by=user_of(request))
    except RuleError as refusal:
        return _show(request, table, the_member, error=translate(refusal.text))
    return _show(request, table, the_member, made=made_of(invite, token, request))


def _show(
    request: HttpRequest, table: Table, member: Member, *, made: Made | None = None, error: str = ""
) -> HttpResponse:
    context: dict[str, object] = {"table": table, "member": member, "made": made, "refused": error}
    try:
        replacement = replacement_of(member, by=user_of(request))
    except RuleError as refusal:
        context["refused"] = error or translate(refusal.text)
    else:
        rights = new_phone_in_words(replacement.role)
        context |= {"may_make": True, "rights": rights, "lost": replacement.lost}
    return render(request, "games/people/new_phone.html", context, status=UNPROCESSABLE if error else 200)
