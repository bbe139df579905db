"""Letting others in: invitations made and revoked, grants kept and ended, and the page behind an invitation's link."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import segno
from django.conf import settings
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from games import invitations
from games.access import ensure_guest, get_table_or_404, role_at
from games.messages import translate
from games.models import NAME_LENGTH, Invite, Role, Table
from games.names import read_name
from games.network import beside
from games.scoring.errors import RuleError
from games.shown.invites import (
    choices_of,
    lasting_choices,
    let_in,
    offer_in_words,
    only_ways_in,
    standing_invites,
)
from games.tries import Tries
from games.views.opened import user_of
from games.views.recording import TOO_MANY, UNPROCESSABLE, new_key, sent_key

WRONG = Tries("invitation", most=20, window=15 * 60)  # links that let nobody in, by address
ACCEPTED = Tries("accept", most=30, window=15 * 60)  # of one invitation, by address


@dataclass(frozen=True)
class Made:
    """An invitation just made: this is the only time its link is told, as text and as a QR code (an svg element)."""

    invite: Invite
    link: str
    drawn: str


# --- for owners -------------------------------------------------------------------------------------------------------


@require_http_methods(["GET", "POST"])
def invites(request: HttpRequest, table_code: str) -> HttpResponse:
    """Who is let in at a table and by which invitations; a new one is told once."""
    table = get_table_or_404(request, table_code, for_owning=True)
    if request.method == "GET":
        return _show(request, table)
    role, lasts = request.POST.get("role", ""), request.POST.get("lasts", "")
    errors: dict[str, str] = {}
    if role not in set(Role):
        errors["role"] = _("Choose what they may do.")
    if lasts not in invitations.LASTS:
        errors["lasts"] = _("Choose how long it lasts.")
    if errors:
        return _show(request, table, errors=errors)
    invite, token = invitations.make_invite(
        table, Role(role), lasts=invitations.LASTS[lasts], by=user_of(request)
    )
    host = beside(request.get_host(), settings.ALLOWED_HOSTS)
    link = f"{request.scheme}://{host}{reverse('invitation', args=[token])}"
    drawn = segno.make(link, micro=False).svg_inline(omitsize=True, border=3, light="#fff")
    return _show(request, table, Made(invite, link, drawn))


@require_POST
def revoke_invite(request: HttpRequest, table_code: str, invite: int) -> HttpResponse:
    """Ends an invitation, and everybody who came in by it is out."""
    table = get_table_or_404(request, table_code, for_owning=True)
    found = get_object_or_404(table.invites, pk=invite)
    return _try(request, table, lambda: invitations.revoke_invite(found))


@require_POST
def keep_grant(request: HttpRequest, table_code: str, grant: int) -> HttpResponse:
    """Somebody who watches stays for good."""
    table = get_table_or_404(request, table_code, for_owning=True)
    found = get_object_or_404(table.grants.standing(), pk=grant)
    return _try(request, table, lambda: invitations.keep_grant(found))


@require_POST
def end_grant(request: HttpRequest, table_code: str, grant: int) -> HttpResponse:
    """Somebody is let in no longer."""
    table = get_table_or_404(request, table_code, for_owning=True)
    found = get_object_or_404(table.grants.standing(), pk=grant)
    return _try(request, table, lambda: invitations.end_grant(found))


def _try(request: HttpRequest, table: Table, change: Callable[[], None]) -> HttpResponse:
    try:
        change()
    except RuleError as refusal:
        return _show(request, table, errors={"": translate(refusal.text)})
    if role_at(request.user, table) is not Role.OWNER:  # he was among those who are out
        return redirect("home")
    return redirect("invites", table.code)


def _show(
    request: HttpRequest, table: Table, made: Made | None = None, errors: dict[str, str] | None = None
) -> HttpResponse:
    user = user_of(request)
    context = {
        "table": table,
        "made": made,
        "offer": offer_in_words(Role(made.invite.role)) if made else "",
        "roles": choices_of(request.POST.get("role") or request.GET.get("role") or Role.WITNESS),
        "lasts": lasting_choices(request.POST.get("lasts") or "day"),
        "people": let_in(table, user),
        "invites": standing_invites(table),
        "is_only_way_in": table.pk in only_ways_in([table], user),
        "errors": errors or {},
    }
    return render(request, "games/invites.html", context, status=UNPROCESSABLE if errors else 200)


# --- for whoever holds the link ---------------------------------------------------------------------------------------


@require_http_methods(["GET", "HEAD", "POST"])
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    """What an invitation offers, and the one button that accepts it; only that button changes anything."""
    address = str(request.META["REMOTE_ADDR"])
    user = request.user if isinstance(request.user, User) else None
    invite = invitations.find_invite(token, user)
    if invite is None:  # only guesses are limited: behind a proxy everybody may have one address
        if WRONG.take(address):
            raise Http404
        return _too_many(request, WRONG)
    if request.method != "POST":
        return _offer(request, invite, name=user.first_name if user else "")
    return _accept(request, invite, f"{address} {invite.pk}")


def _accept(request: HttpRequest, invite: Invite, who: str) -> HttpResponse:
    if not ACCEPTED.take(who):
        return _too_many(request, ACCEPTED)
    name = request.POST.get("name", "").strip()
    try:
        name = read_name(name, longest=NAME_LENGTH) if name else ""
    except RuleError as refusal:
        return _offer(request, invite, name=name, error=translate(refusal.text))
    try:
        invitations.accept_invite(invite, ensure_guest(request, key=sent_key(request)), name=name)
    except invitations.InviteGone:
        raise Http404 from None
    game = invite.table.games.filter(discarded_at=None).first()
    return redirect("home") if game is None else redirect("sheet", game.code)


def _offer(request: HttpRequest, invite: Invite, *, name: str, error: str = "") -> HttpResponse:
    role, watches = role_at(request.user, invite.table), invite.role == Role.WITNESS
    context = {
        "table": invite.table,
        "offer": offer_in_words(Role(invite.role)),
        "watches": watches,
        "role": role,
        "is_again": watches and role is Role.WITNESS,
        "stands": invitations.stands(invite),
        "name": name,
        "error": error,
        "key": new_key(),
    }
    response = render(request, "games/invitation.html", context, status=UNPROCESSABLE if error else 200)
    response["X-Robots-Tag"] = "noindex"
    return response


def _too_many(request: HttpRequest, tries: Tries) -> HttpResponse:
    return render(request, "games/too_many.html", {"minutes": tries.minutes}, status=TOO_MANY)
