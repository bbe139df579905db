"""Merging two members who are one person, from a member's sheet, and undoing it."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from games.common.sent import CONFLICT, UNPROCESSABLE, user_of
from games.common.words import translate
from games.money import merging
from games.money.balances import StaleAccounts
from games.play.pages.member import show_member
from games.scoring.errors import RuleError
from games.tables.access import Visitor, table_for
from games.tables.pages.lobby import show_lobby


@require_POST
def merge_member(request: HttpRequest, table_code: str, member: str) -> HttpResponse:
    """Merge the member into another one, as the sheet that shows what changes has asked."""
    table, role = table_for(Visitor(request.user), table_code, for_owning=True)
    members = {one.slug: one for one in table.members.select_related("table", "merged_into")}
    the_member, into = members.get(member), members.get(request.POST.get("into", ""))
    if the_member is None or into is None:
        raise Http404
    try:
        merging.merge(the_member, into, seen=request.POST.get("seen", ""), by=user_of(request))
    except StaleAccounts:
        notice = _("The result has changed since you saw it. Nothing was saved; check it again.")
        return show_member(request, the_member, role, into, notice=notice, status=CONFLICT)
    except RuleError as refusal:
        if the_member.merged_into is not None or into.merged_into is not None:
            return redirect("lobby", table.code)  # already merged: there is nothing to preview
        notice = translate(refusal.text)
        return show_member(request, the_member, role, into, notice=notice, status=UNPROCESSABLE)
    return redirect(f"{reverse('lobby', args=[table.code])}?merged={the_member.slug}")


@require_POST
def part_member(request: HttpRequest, table_code: str, member: str) -> HttpResponse:
    """Undo the merge of a member. Refuse it once something was recorded after it."""
    table, role = table_for(Visitor(request.user), table_code, for_owning=True)
    the_member = get_object_or_404(table.members.select_related("merged_into"), slug=member)
    try:
        if the_member.merged_into is not None:  # not after a repeated tap
            merging.unmerge(the_member, by=user_of(request))
    except RuleError as refusal:
        return show_lobby(request, table, role, {"": translate(refusal.text)})
    return redirect("lobby", table.code)
