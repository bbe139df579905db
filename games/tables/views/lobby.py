"""The lobby (la sala): tonight's link, the table's members, and everybody's access and role."""

from __future__ import annotations

from collections.abc import Mapping
from time import time

import segno
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_POST, require_safe

from games.common import naming, poll_tickets, request_handling, roles, texts
from games.common.poll_tickets import PageVersion, PollTicket
from games.models import MOST_MEMBERS, Access, Link, LinkKind, Member, Role, Table
from games.scoring.errors import RuleError
from games.scoring.i18n import _
from games.tables.presenters import lobby_display, pen_display
from games.tables.services import authorization, links, membership, roster, setup, takeovers
from games.tables.services import lobby as lobby_service
from games.tables.services.lobby import LobbySnapshot
from games.tables.services.pens import PenState


@request_handling.require_form
def lobby(request: HttpRequest, table_code: str) -> HttpResponse:
    """Show the lobby. A POST by an owner or a scorer shows tonight's link."""
    table, role = authorization.get_table(request.user, table_code, for_writing=request.method == "POST")
    if request.method != "POST":
        return show_lobby(request, table, role)
    try:
        links.get_or_create_tonight(table, by=request_handling.current_user(request))
    except RuleError as refusal:
        return show_lobby(request, table, role, {"": texts.translate(refusal.text)})
    return redirect("lobby", table.code)


@require_safe
def live_lobby(request: HttpRequest, table_code: str, version: PageVersion) -> HttpResponse:
    """Answer the poll of a lobby that shows `version`: 204 if nothing has changed."""
    access = authorization.get_access(request.user, table_code)
    if version == PageVersion(access.table.revision):
        return no_news(request, access)
    return show_lobby(request, access.table, Role(access.role))


def show_lobby(
    request: HttpRequest,
    table: Table,
    role: Role,
    errors: Mapping[str, str] | None = None,
    **extra_context: object,
) -> HttpResponse:
    """Show the lobby, with the errors and values of a refused form, or with a link that was just created.

    Such a page does not poll, so that it keeps what was typed, and the link.
    """
    snapshot = LobbySnapshot(table)
    context = {
        "table": table,
        "lobby": lobby_display.lobby_context(snapshot, request_handling.current_user(request), role),
        "all_people": snapshot.people,
        "owns": role is Role.OWNER,
        "may_write": role in roles.WRITERS,
        "game": setup.current_game(table),
        **_reader_context(request, snapshot, table, role),
        **(_owner_context(request, table) if role is Role.OWNER else {}),
        "errors": errors,
        "general": errors and errors.get("", ""),
        **answer_notice(request, table),
        "is_live": not errors and not extra_context,
        **extra_context,
    }
    return render(
        request, "tables/lobby.html", context, status=request_handling.UNPROCESSABLE if errors else 200
    )


def _reader_context(
    request: HttpRequest, snapshot: LobbySnapshot, table: Table, role: Role
) -> dict[str, object]:
    access = snapshot.of(request.user)
    if access is None:  # it has just ended
        raise Http404
    tonight = links.find_tonight(table) if role in roles.WRITERS else None
    token = links.tonight_token(tonight) if tonight else ""
    link = request_handling.url_for_phone(request, "invitation", token) if token else ""
    return {
        "link": link,
        "drawn": _qr_code(link),
        "mine": access,
        "phone_claims": (),  # they are among the claims
        "pen": pen_display.build_notice(PenState.load(table, snapshot.phones), access, offers_asking=True),
        "me": access.person and roster.to_person(access.person),
        "heir": takeovers.takeover_request(table),
        "may_ask": takeovers.can_request_takeover(access),
        "may_see_accounts": authorization.can_view_accounts(access),
        "my_role": role,
        **poll_context(request, access, "live-lobby", table.code, PageVersion(table.revision)),
        "after": table.revision,
    }


def _owner_context(request: HttpRequest, table: Table) -> dict[str, object]:
    """Return the template variables for owners: open links, retired members, a warning to the only owner."""
    return {
        "links": [(link, _link_label(link)) for link in table.links.valid().select_related("member")],
        "link_roles": _link_roles(),
        "is_only_here": authorization.is_only_owner_here(table, request_handling.current_user(request)),
        "gone": [
            roster.to_person(member)
            for member in table.members.filter(merged_into=None, retired_at__isnull=False)
        ],
        **_success_notice(request, table),
    }


LAST_CONFIRMATION = "confirmation"  # session variable: what the last confirmation changed, to undo it


def answer_notice(request: HttpRequest, table: Table, **back: str) -> dict[str, object]:
    """Return the notice of the yes or no just said, with the form to undo it; {} if there is none.

    `back` are the form's fields that lead back to this page.
    """
    act, said = request_handling.pop_notice(request, "denied", "confirmed")
    if act == "confirmed":
        return {
            "sentence": gettext("You said yes to %(names)s") % {"names": said},
            "action": reverse("confirm-all", args=[table.code]),
            "fields": {
                "act": "undo",
                "confirmation": request.session.get(LAST_CONFIRMATION, {}).get("digest", ""),
                **back,
            },
        }
    access = (
        lobby_service.valid_accesses(table).filter(pk=request_handling.parse_pk(said)).first()
        if act
        else None
    )
    if access is None or not access.denied_name_shown:
        return {}
    return {
        "sentence": gettext("You said no to %(name)s") % {"name": naming.isolate(access.denied_name_shown)},
        "action": reverse("change-access", args=[table.code, access.pk]),
        "fields": {"act": "ask-again", **back},
    }


def _success_notice(request: HttpRequest, table: Table) -> dict[str, object]:
    """Return the notice about the last form, with the form to undo it if that is possible."""
    act, slug = request_handling.pop_notice(request, "added", "save", "retire", "back", "merged")
    member = table.members.filter(slug=slug).select_related("merged_into").first()
    if member is None:
        return {}
    name, into = naming.isolate(member.name), member.merged_into
    page = "member" if act == "retire" else "part-member" if act == "merged" and into else ""
    sentences = {
        "added": gettext("Added: %(what)s"),
        "save": gettext("The changes were saved."),
        "retire": gettext("%(name)s no longer plays"),
        "back": gettext("%(name)s plays again"),
        "merged": gettext("%(name)s counts as %(other)s now")
        if into
        else gettext("%(name)s is a separate person again"),
    }
    return {
        "sentence": sentences[act]
        % {"name": name, "what": name, "other": naming.isolate(into.name) if into else ""},
        "action": page and reverse(page, args=[table.code, slug]),
        "fields": {"act": "back"},
    }


def _link_roles() -> Mapping[Role, str]:
    return {
        Role.WITNESS: gettext("A viewer link"),
        Role.SCORER: gettext("A scorekeeper link"),
        Role.OWNER: gettext("An owner link"),
    }


def _link_label(link: Link) -> str:
    if link.kind == LinkKind.TONIGHT:
        return gettext("Tonight's code")
    if link.member is None:
        return _link_roles()[Role(link.role)]
    return gettext("A link for %(name)s's phone") % {"name": naming.isolate(link.member.name)}


# --- links and people -------------------------------------------------------------------------------------


@require_POST
def make_link(request: HttpRequest, table_code: str) -> HttpResponse:
    """Create a personal link to a role, or for a member's phone, and show it once."""
    table, role = authorization.get_table(request.user, table_code, for_owning=True)
    requested_role, slug = request.POST.get("role", Role.WITNESS), request.POST.get("member", "")
    member = get_object_or_404(table.members.active(), slug=slug) if slug else None
    try:
        if requested_role not in tuple(Role):
            raise RuleError(_("Choose a role."), field="role")
        made, token = links.create_personal(
            table, by=request_handling.current_user(request), role=Role(requested_role), member=member
        )
    except RuleError as refusal:
        return show_lobby(request, table, role, {refusal.field: texts.translate(refusal.text)})
    link = request_handling.url_for_phone(request, "invitation", token)
    return show_lobby(request, table, role, made=_link_label(made), link=link, drawn=_qr_code(link))


@require_POST
def end_link(request: HttpRequest, table_code: str, link: int) -> HttpResponse:
    table = authorization.get_table(request.user, table_code, for_owning=True)[0]
    links.revoke(
        get_object_or_404(table.links.select_related("table"), pk=link),
        by=request_handling.current_user(request),
    )
    return redirect("lobby", table.code)


@require_POST
def add_member(request: HttpRequest, table_code: str) -> HttpResponse:
    table, role = authorization.get_table(request.user, table_code, for_owning=True)
    try:
        added = add_from_form(request.POST, table)
    except RuleError as refusal:
        errors, name = {refusal.field: texts.translate(refusal.text)}, request.POST.get("name", "").strip()
        return show_lobby(
            request, table, role, errors, retired=lobby_service.find_retired(name, table), name=name
        )
    act = "back" if "back" in request.POST else "added"
    return request_handling.redirect_with_notice(request, act, "lobby", table.code, of=added.slug)


def add_from_form(data: Mapping[str, str], table: Table) -> Member:
    """Add the person named in a form, or reactivate the retired member whose slug is in `back`."""
    retired = table.members.filter(slug=data.get("back", ""), merged_into=None).first()
    if retired is not None:
        return membership.reactivate(retired)
    known = request_handling.parse_int(data.get("known", str(MOST_MEMBERS)), most_digits=8)
    return membership.add(table, data.get("name", "").strip(), known=known)


def poll_context(
    request: HttpRequest, access: Access | None, name: str, *arguments: object, copy: str = ""
) -> dict[str, str]:
    """Return the template variables of a page with live updates: the address to poll next, and its ticket.

    `access` is the reader's. `name` and `arguments` are the URL name and arguments of this address; the last
    argument is the version that the page shows. `copy` names a copy of the page that several readers share
    (`poll_tickets`).
    """
    address = reverse(name, args=arguments)
    ticket = issue_poll_ticket(request, access, address, since=int(time()), copy=copy)
    return {"live": address, "ticket": "" if ticket is None else str(ticket)}


def no_news(request: HttpRequest, access: Access | None, *, copy: str = "") -> HttpResponse:
    """Return the empty response to a poll without news, with the next ticket."""
    ticket = issue_poll_ticket(request, access, request.path, copy=copy)
    if ticket is None:
        return HttpResponse(status=204)
    answer = ticket.without_news()
    answer.headers[poll_tickets.HEADER] = str(ticket)
    return answer


def issue_poll_ticket(
    request: HttpRequest, access: Access | None, address: str, *, since: int = 0, copy: str = ""
) -> PollTicket | None:
    """Return the ticket for polling `address`; None without a session cookie or without access."""
    cookie = request.COOKIES.get(settings.SESSION_COOKIE_NAME, "")
    if access is None or not cookie:
        return None
    return poll_tickets.issue(address, cookie, until=access.until, since=since, copy=copy)


def _qr_code(link: str) -> str:
    return segno.make(link, micro=False).svg_inline(omitsize=True, border=3, light="#fff") if link else ""
