"""A member's sheet over the lobby: their phones and permissions, personal link, name, color and merge."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from games.common import request_handling, texts
from games.models import Member, Role
from games.money.presenters import account_display
from games.money.services import member_merges
from games.money.services.accounting import StaleAccounts
from games.scoring.errors import RuleError
from games.tables.forms import MemberForm
from games.tables.presenters import lobby_display, phone_labels
from games.tables.services import authorization, links, membership, roster
from games.tables.services.authorization import Visitor
from games.tables.services.lobby import LobbySnapshot
from games.tables.views.lobby import answer_notice, show_lobby

MEMBER_ACTIONS = {"retire": membership.retire, "back": membership.reactivate}


@request_handling.require_form
def member(request: HttpRequest, table_code: str, member: str) -> HttpResponse:
    """Show a member and their phone, which scorers may confirm.

    With `into` in the query string, an owner sees the changes of a merge with that member. On POST, an owner
    retires the member or brings them back, as `act` says, or changes their name and color.
    """
    is_change, me = request.method == "POST", Visitor(request.user)
    table, role = authorization.get_table(me, table_code, for_writing=not is_change, for_owning=is_change)
    known = get_object_or_404(table.members.select_related("table", "merged_into"), slug=member)
    if known.merged_into is not None:
        return redirect("member", table.code, known.current.slug)
    if is_change:
        return _update(request, known, role)
    into = request.GET.get("into", "") if role is Role.OWNER else ""
    twin = get_object_or_404(table.members, slug=into, merged_into=None) if into else None
    return show_member(request, known, role, twin)


def _update(request: HttpRequest, member: Member, role: Role) -> HttpResponse:
    act = request.POST.get("act", "")
    if act not in MEMBER_ACTIONS:
        return _save_form(request, member, role)
    try:
        MEMBER_ACTIONS[act](member)
    except RuleError as refusal:
        return show_member(
            request, member, role, status=request_handling.UNPROCESSABLE, wrong=texts.translate(refusal.text)
        )
    return request_handling.redirect_with_notice(request, act, "lobby", member.table.code, of=member.slug)


def _save_form(request: HttpRequest, member: Member, role: Role) -> HttpResponse:
    form = MemberForm(member, data=request.POST)
    if form.is_valid():
        try:
            membership.update(member, **form.cleaned_data)
        except RuleError as refusal:
            form.refuse(refusal)
        else:
            return request_handling.redirect_with_notice(
                request, "save", "lobby", member.table.code, of=member.slug
            )
    return show_member(request, member, role, status=form.status, form=form)


def show_member(
    request: HttpRequest,
    member: Member,
    role: Role,
    twin: Member | None = None,
    *,
    notice: str = "",
    wrong: str = "",
    status: int = 200,
    form: MemberForm | None = None,
) -> HttpResponse:
    """Show the member's sheet, with a refused form, or with the preview of a merge with `twin`."""
    others = member.table.members.filter(merged_into=None).exclude(pk=member.pk)
    context = {
        "table": member.table,
        "member": member,
        **_phones_context(member, request_handling.current_user(request), role),
        "claim_answer": answer_notice(request, member.table, **{"from": member.slug}),
        "form": form or MemberForm(member),
        "wrong": wrong,
        "others": [roster.to_person(other) for other in others] if role is Role.OWNER else (),
        **(_merge_context(member, twin, notice) if twin is not None else {}),
    }
    return render(request, "tables/member.html", context, status=status)


def _merge_context(member: Member, twin: Member, notice: str) -> dict[str, object]:
    """Return the preview of a merge. A notice that the preview itself shows is left out."""
    if member == twin:
        raise Http404
    preview = member_merges.preview(member, twin)
    twins = account_display.merge_context(preview, member.table)
    page_notice = "" if notice == twins["wrong"] else notice
    return {"into": twin, "twins": twins, "seen": preview.digest, "notice": page_notice}


def _phones_context(member: Member, me: User, role: Role) -> dict[str, object]:
    """Return the member's phones, the pending claim to be this member, and whether the user is an owner."""
    snapshot, person = LobbySnapshot(member.table), roster.to_person(member)
    lobby_page = lobby_display.lobby_context(snapshot, me, role)
    phones = phone_labels.member_phone_items(snapshot, member, me)
    return {
        "person": person,
        "owns": role is Role.OWNER,
        "lasts": lobby_page.lasts,
        "may_link": role is Role.OWNER and all(links.can_replace(phone.access, me) for phone in phones),
        "phones": phones,
        "claim": next((claim for claim in lobby_page.claims if claim.person == person), None),
    }


@require_POST
def merge_member(request: HttpRequest, table_code: str, member: str) -> HttpResponse:
    """Merge the member into another one, if the changes are still those that the sheet has shown."""
    table, role = authorization.get_table(Visitor(request.user), table_code, for_owning=True)
    members = {
        candidate.slug: candidate for candidate in table.members.select_related("table", "merged_into")
    }
    the_member, into = members.get(member), members.get(request.POST.get("into", ""))
    if the_member is None or into is None:
        raise Http404
    try:
        member_merges.merge(
            the_member, into, seen=request.POST.get("seen", ""), by=request_handling.current_user(request)
        )
    except StaleAccounts:
        notice = _("The result has changed since you saw it. Nothing was saved; check it again.")
        return show_member(request, the_member, role, into, notice=notice, status=request_handling.CONFLICT)
    except RuleError as refusal:
        if the_member.merged_into is not None or into.merged_into is not None:
            return redirect("lobby", table.code)  # already merged: there is nothing to preview
        notice = texts.translate(refusal.text)
        return show_member(
            request, the_member, role, into, notice=notice, status=request_handling.UNPROCESSABLE
        )
    return request_handling.redirect_with_notice(request, "merged", "lobby", table.code, of=the_member.slug)


@require_POST
def part_member(request: HttpRequest, table_code: str, member: str) -> HttpResponse:
    """Undo the merge of a member. Refuse to once something was recorded after it."""
    table, role = authorization.get_table(Visitor(request.user), table_code, for_owning=True)
    the_member = get_object_or_404(table.members.select_related("merged_into"), slug=member)
    try:
        if the_member.merged_into is not None:  # not after a repeated tap
            member_merges.unmerge(the_member, by=request_handling.current_user(request))
    except RuleError as refusal:
        return show_lobby(request, table, role, {"": texts.translate(refusal.text)})
    return request_handling.redirect_with_notice(request, "merged", "lobby", table.code, of=member)
