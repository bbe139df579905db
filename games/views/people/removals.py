"""Removing a grant, revoking an invitation, and handing a table over.

A grant is a user's access to a table in a role. Removing and revoking ask for confirmation and can be undone.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import partial

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from games.models import Removal, Role, Table
from games.people import owners, removals
from games.people.access import get_table_or_404, role_at
from games.people.owners import first_owner
from games.people.removals import Ending, ending_of, ending_with
from games.scoring.errors import RuleError
from games.shown.common.sentences import translate
from games.shown.people.invites import asked_of, let_in, name_of
from games.views.common.numbers import row_id
from games.views.common.opened import user_of
from games.views.common.recording import UNPROCESSABLE
from games.views.people.invites import show_invites


@require_http_methods(["GET", "HEAD", "POST"])
def end_grant(request: HttpRequest, table_code: str, grant: int) -> HttpResponse:
    """Show a preview of removing a user's grant, then remove it.

    For the user's own grant, show the table's settings, where they can leave.
    """
    table = get_table_or_404(request, table_code, for_owning=True)
    the_grant = get_object_or_404(table.grants, pk=grant)
    if the_grant.removal is not None:  # after a repeated tap, the grant is already removed
        return _back(table, the_grant.removal)
    get_object_or_404(table.grants.standing(), pk=grant)
    if the_grant.user == request.user:
        return redirect(f"{reverse('table-settings', args=[table.code])}#leave")
    context = {"grant": the_grant, "name": name_of(the_grant.user)}
    return _ask_or_end(
        request, table, partial(ending_of, the_grant), partial(removals.put_out, the_grant), context
    )


@require_http_methods(["GET", "HEAD", "POST"])
def revoke_invite(request: HttpRequest, table_code: str, invite: int) -> HttpResponse:
    """Show a preview of revoking an invitation, then revoke it and remove the users who accepted it."""
    table = get_table_or_404(request, table_code, for_owning=True)
    the_invite = get_object_or_404(table.invites, pk=invite)
    if the_invite.revoked_at is not None:  # after a repeated tap, the invitation is already revoked
        return _back(table, the_invite.revocations.filter(undone_at=None).first())
    act = partial(removals.revoke_invite, the_invite)
    return _ask_or_end(request, table, partial(ending_with, the_invite), act, {"invite": the_invite})


@require_POST
def undo_removal(request: HttpRequest, table_code: str, removal: int) -> HttpResponse:
    """Give back the access that an owner ended by removing a user or by revoking an invitation.

    `removal` is the primary key of the `Removal`, which only the owner who made it can undo.
    """
    table = get_table_or_404(request, table_code, for_owning=True)
    the_removal = get_object_or_404(table.removals, pk=removal)
    try:
        removals.undo_removal(the_removal, by=user_of(request))
    except RuleError as refusal:
        return show_invites(request, table, errors={"": translate(refusal.text)})
    return redirect("invites", table.code)


@require_http_methods(["GET", "HEAD", "POST"])
def hand_over(request: HttpRequest, table_code: str) -> HttpResponse:
    """Make another owner the first owner of the table. No other owner can remove the first owner."""
    table = get_table_or_404(request, table_code, for_owning=True)
    me, chosen, first = user_of(request), row_id(request.POST.get("grant", "")), first_owner(table)
    if first is None or first.user != me:
        if first is not None and first.pk == chosen:  # after a repeated tap, the table is already handed over
            return redirect("invites", table.code)
        raise PermissionDenied(_("Only the first owner can hand the table over."))
    if request.method != "POST":
        return _choose_owner(request, table)
    other = table.grants.owning().exclude(user=me).filter(pk=chosen).first()
    if other is None:
        return _choose_owner(request, table, _("Choose another owner of the table."))
    try:
        owners.hand_over(other, by=me)
    except RuleError as refusal:
        return _choose_owner(request, table, translate(refusal.text))
    return redirect("invites", table.code)


def _ask_or_end(
    request: HttpRequest,
    table: Table,
    ending: Callable[[], Ending],
    end: Callable[..., Removal],
    context: Mapping[str, object],
) -> HttpResponse:
    if request.method != "POST":
        return _ask(request, table, ending(), context)
    try:
        removal = end(by=user_of(request), also=_also(request))
    except RuleError as refusal:
        return _ask(request, table, ending(), context, translate(refusal.text))
    return _back(table, removal) if role_at(request.user, table) is Role.OWNER else redirect("home")


def _back(table: Table, removal: Removal | None) -> HttpResponse:
    address = reverse("invites", args=[table.code])
    return redirect(f"{address}?undo={removal.pk}" if removal else address)


def _ask(
    request: HttpRequest, table: Table, ending: Ending, context: Mapping[str, object], refused: str = ""
) -> HttpResponse:
    assert request.resolver_match is not None
    page = str(request.resolver_match.url_name).replace("-", "_")
    named = _also(request) if request.method == "POST" else _own_phones(ending)
    shown = {
        **context,
        "table": table,
        "asked": asked_of(table, ending, user_of(request), named=named),
        "refused": refused,
    }
    return render(request, f"games/people/{page}.html", shown, status=UNPROCESSABLE if refused else 200)


def _choose_owner(request: HttpRequest, table: Table, error: str = "") -> HttpResponse:
    people = [one for one in let_in(table, user_of(request)) if one.is_owner and not one.is_me]
    context = {"table": table, "people": people, "error": error}
    return render(request, "games/people/hand_over.html", context, status=UNPROCESSABLE if error else 200)


def _own_phones(ending: Ending) -> Collection[int]:
    """Return the ids of the grants that probably belong to other phones of the same person.

    That person is the one who is removed or leaves (`ending`). The page ticks these grants in advance.
    """
    return {grant.pk for grant in ending.phones}


def _also(request: HttpRequest) -> Collection[int]:
    """Return the ids of the grants that the user ticked in the form.

    The page is about one grant or invitation. When that ends, the ticked grants end too.
    """
    return {row_id(text) for text in request.POST.getlist("also")}
