"""Merging two members who are one person: choose, preview and confirm; and undoing the merge."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from games.models import Member, Table
from games.money import merging
from games.money.balances import StaleAccounts
from games.people.access import get_table_or_404
from games.scoring.errors import RuleError
from games.shown.common.days import moment_in_words
from games.shown.common.members import person_of
from games.shown.common.sentences import translate
from games.shown.money.merging import twins_shown
from games.views.common.opened import user_of
from games.views.common.recording import CONFLICT, UNPROCESSABLE


@require_http_methods(["GET", "HEAD", "POST"])
def merge_member(request: HttpRequest, table_code: str, member: str) -> HttpResponse:
    """Choose the other member, preview the merge, then merge."""
    table = get_table_or_404(request, table_code, for_owning=True)
    if request.method == "POST":
        return _merge(request, table, member)
    the_member = get_object_or_404(table.members, slug=member, merged_into=None)
    into = request.GET.get("into", "")
    if into:
        return _ask(request, the_member, get_object_or_404(table.members, slug=into, merged_into=None))
    others = [person_of(other) for other in table.members.filter(merged_into=None) if other != the_member]
    context = {"table": table, "member": the_member, "others": others}
    return render(request, "games/people/merge_member.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def part_member(request: HttpRequest, table_code: str, member: str) -> HttpResponse:
    """Show when the member was merged into another one; on POST, undo the merge.

    Refuse to undo it once something was recorded after it.
    """
    table = get_table_or_404(request, table_code, for_owning=True)
    the_member = get_object_or_404(table.members.select_related("merged_into"), slug=member)
    if the_member.merged_into is None:  # after a repeated tap, the merge is already undone
        return redirect("lobby", table.code)
    why_not = merging.came_after(the_member)
    refused = "" if why_not is None else translate(why_not)
    if request.method == "POST":
        try:
            merging.unmerge(the_member, by=user_of(request))
        except RuleError as refusal:
            refused = translate(refusal.text)
        else:
            return redirect("lobby", table.code)
    context = {
        "table": table,
        "member": the_member,
        "into": the_member.merged_into,
        "since": the_member.merged_at and moment_in_words(the_member.merged_at, table),
        "refused": refused,
    }
    status = UNPROCESSABLE if refused and request.method == "POST" else 200
    return render(request, "games/people/part_member.html", context, status=status)


def _merge(request: HttpRequest, table: Table, slug: str) -> HttpResponse:
    members = {member.slug: member for member in table.members.select_related("table", "merged_into")}
    the_member, into = members.get(slug), members.get(request.POST.get("into", ""))
    if the_member is None or into is None:
        raise Http404
    try:
        merging.merge(the_member, into, seen=request.POST.get("seen", ""), by=user_of(request))
    except StaleAccounts:
        notice = _("The result has changed since you saw it. Nothing was saved; check it again.")
        return _ask(request, the_member, into, notice, status=CONFLICT)
    except RuleError as refusal:
        if the_member.merged_into is not None or into.merged_into is not None:
            return redirect("lobby", table.code)  # already merged: there is nothing to preview
        return _ask(request, the_member, into, translate(refusal.text), status=UNPROCESSABLE)
    return redirect(f"{reverse('lobby', args=[table.code])}?merged={the_member.slug}")


def _ask(
    request: HttpRequest, member: Member, into: Member, notice: str = "", *, status: int = 200
) -> HttpResponse:
    if member == into:
        raise Http404
    preview = merging.preview_merge(member, into)
    shown = twins_shown(preview, member.table)
    context = {
        "table": member.table,
        "member": member,
        "into": into,
        "twins": shown,
        "seen": preview.seen,
        "notice": "" if notice == shown.wrong else notice,
    }
    return render(request, "games/people/merge_member.html", context, status=status)
