"""Invitations: making them, making a witness's grant permanent, and the page behind an invitation's link.

A grant is a user's access to a table in a role. A witness's grant ends after a day unless an owner makes it
permanent.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from games.models import NAME_LENGTH, Invite, Role, Table
from games.names import read_name
from games.network import client_key
from games.people import invitations, staying
from games.people.access import Visitor, ensure_guest, get_table_or_404
from games.people.guest_keys import guest_key, is_ours
from games.people.guests import guest_under
from games.people.invitations import ACCEPTED, OWNING_LASTS, WRONG
from games.people.new_phones import check_user
from games.scoring.errors import RuleError
from games.shown.common.sentences import translate
from games.shown.people.invites import (
    SPARE,
    Undoable,
    choices_of,
    lasting_choices,
    let_in,
    link_of,
    new_phones,
    offer_in_words,
    standing_invites,
    undoable,
)
from games.views.common.links import not_indexed, qr_code, too_many
from games.views.common.numbers import row_id
from games.views.common.opened import user_of
from games.views.common.recording import UNPROCESSABLE, sent_key
from games.views.people.faces import on_to_the_game, show_link, take_a_seat
from games.views.people.members import NOTHING_WRONG


@dataclass(frozen=True)
class Made:
    """A new invitation, with its link as text and as a QR code (an SVG element).

    The link is shown only once.
    """

    invite: Invite
    link: str
    drawn: str


# --- for owners -------------------------------------------------------------------------------------------


@require_http_methods(["GET", "POST"])
def invites(request: HttpRequest, table_code: str) -> HttpResponse:
    """Show who has access and the open invitations, and make a new invitation."""
    table = get_table_or_404(request, table_code, for_owning=True)
    if request.method == "GET":
        return show_invites(request, table)
    kind, lasts = request.POST.get("role", ""), request.POST.get("lasts", "")
    has_own_life = kind in (Role.OWNER, SPARE)
    errors: dict[str, str] = {}
    if kind not in (*Role, SPARE):
        errors["role"] = _("Choose a role.")
    if lasts not in invitations.LASTS and not has_own_life:
        errors["lasts"] = _("Choose how long it lasts.")
    if errors:
        return show_invites(request, table, errors=errors)
    try:
        invite, token = _make(table, kind, lasts, by=user_of(request))
    except RuleError as refusal:
        return show_invites(request, table, errors={refusal.field: translate(refusal.text)})
    return show_invites(request, table, made_of(invite, token, request))


def made_of(invite: Invite, token: str, request: HttpRequest) -> Made:
    """Return a new invitation with its link."""
    link = link_of(token, request)
    return Made(invite, link, qr_code(link))


def _make(table: Table, kind: str, lasts: str, *, by: User) -> tuple[Invite, str]:
    if kind == SPARE:
        return invitations.make_spare(table, by=by)
    return invitations.make_invite(table, Role(kind), lasts=invitations.LASTS.get(lasts, OWNING_LASTS), by=by)


@require_POST
def keep_grant(request: HttpRequest, table_code: str, grant: int) -> HttpResponse:
    """Make a grant permanent; `grant` is its primary key.

    It is the grant of a witness (a read-only user).
    """
    table = get_table_or_404(request, table_code, for_owning=True)
    staying.keep_grant(get_object_or_404(table.grants.standing(), pk=grant))
    return redirect("invites", table.code)


def show_invites(
    request: HttpRequest, table: Table, made: Made | None = None, *, errors: Mapping[str, str] = NOTHING_WRONG
) -> HttpResponse:
    """Show who has access and the open invitations.

    The page also shows the invitation just made (`made`), the removal of a user that can be undone, and the
    errors of the HTML form.
    """
    user = user_of(request)
    context = {
        "table": table,
        "made": made,
        "offer": offer_in_words(Role(made.invite.role)) if made else "",
        "choices": choices_of(request.POST.get("role") or request.GET.get("role") or Role.WITNESS),
        "lasts": lasting_choices(request.POST.get("lasts") or "day"),
        "people": let_in(table, user),
        "invites": standing_invites(table, user),
        "new_phones": new_phones(table, user),
        "undoable": _undoable(request, table),
        "errors": errors,
        "general": errors.get("", ""),
    }
    return render(request, "games/people/invites.html", context, status=UNPROCESSABLE if errors else 200)


def _undoable(request: HttpRequest, table: Table) -> Undoable | None:
    """Return the removal named in the query string, if this owner made it and can undo it; else None."""
    number = row_id(request.GET.get("undo", ""))
    if not number:
        return None
    removal = table.removals.filter(pk=number, made_by=user_of(request), undone_at=None).first()
    return undoable(removal) if removal else None


# --- for users with the link ------------------------------------------------------------------------------


@require_http_methods(["GET", "HEAD", "POST"])
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    """Show what an invitation offers; accept the invitation only when its button is pressed."""
    address = client_key(request.META["REMOTE_ADDR"])
    user = request.user if isinstance(request.user, User) else None
    invite = invitations.find_invite(token, user or _guest_of_first_tap(request))
    if invite is None:  # limit only wrong links: behind a proxy everybody may share one address
        if WRONG.take(address):
            raise Http404
        return too_many(request, WRONG)
    if invite.night is not None:
        is_tap = request.method == "POST"
        return take_a_seat(request, invite, token) if is_tap else show_link(request, invite, token)
    if request.method != "POST":
        return _offer(request, invite, token, name=user.first_name if user else "")
    return _accept(request, invite, token, f"{address} {invite.pk}")


def _guest_of_first_tap(request: HttpRequest) -> User | None:
    """Return the guest created by the first request of a double tap; None if this is the first request.

    The second request has no session yet, so only the form's key identifies the guest.
    """
    key = sent_key(request)
    return guest_under(key) if is_ours(request, key) else None


def _accept(request: HttpRequest, invite: Invite, token: str, who: str) -> HttpResponse:
    if not ACCEPTED.take(who):
        return too_many(request, ACCEPTED)
    name = request.POST.get("name", "").strip()
    try:
        name = read_name(name, longest=NAME_LENGTH) if name else ""
    except RuleError as refusal:
        return _offer(request, invite, token, name=name, error=translate(refusal.text))
    try:
        user = ensure_guest(request, key=sent_key(request), is_invited=True)
        invitations.accept_invite(invite, user, name=name)
    except invitations.InviteGone:
        raise Http404 from None
    except RuleError:  # the page says why this user cannot be the one with the new phone
        return _offer(request, invite, token, name=name, status=UNPROCESSABLE)
    return on_to_the_game(invite.table)


def _offer(
    request: HttpRequest, invite: Invite, token: str, *, name: str, error: str = "", status: int = 200
) -> HttpResponse:
    watches = invite.role == Role.WITNESS
    mine = Visitor(request.user).grants.filter(table=invite.table).first()
    context = {
        "table": invite.table,
        "token": token,
        "offer": offer_in_words(Role(invite.role)),
        "watches": watches,
        "role": mine and mine.role,
        "stays": mine is not None and mine.expires_at is None,
        "is_again": watches and mine is not None and mine.expires_at is not None,
        "stands": invitations.stands(invite),
        "name": name,
        "error": error,
        "key": guest_key(request),
        "member": invite.member,
        "is_replaced": invite.replaces_id is not None,
        "refused": _why_not(request, invite),
    }
    status = UNPROCESSABLE if error else status
    return not_indexed(render(request, "games/people/invitation.html", context, status=status))


def _why_not(request: HttpRequest, invite: Invite) -> str:
    """Return the reason why this user cannot accept an invitation for a member's new phone, or ""."""
    user = request.user
    if invite.member is None or not isinstance(user, User) or invite.used_by_id == user.pk:
        return ""
    try:
        check_user(invite, user)
    except RuleError as refusal:
        return translate(refusal.text)
    return ""
