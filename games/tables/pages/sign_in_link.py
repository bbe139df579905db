"""The page behind a sign-in link: it names the user and asks."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from games.common.links import WRONG, not_indexed, too_many
from games.common.network import client_key
from games.common.sent import CONFLICT, MISSING, sent_key
from games.tables.guests import guest_key, guest_of, is_ours
from games.tables.links import LinkGone
from games.tables.pages.login import sign_in, tables_here
from games.tables.people import own_name
from games.tables.sign_in_links import allow_new_password, find_link, use_link


@require_http_methods(["GET", "HEAD", "POST"])
def sign_in_link(request: HttpRequest, token: str) -> HttpResponse:
    """Show which user a link signs in; sign in only when the button is pressed.

    A user's own link is not used up on the phone where they are signed in already.
    """
    link = find_link(token)
    is_here = link is not None and link.made_by is not None and link.user == request.user
    if request.method == "POST" and not is_here:
        return _use(request, token)
    if link is None:
        return refuse_link(request)
    assert link.user is not None
    other = request.user if isinstance(request.user, User) and not guest_of(request.user) else None
    context = {
        "name": own_name(link.user),
        "is_here": is_here,
        "sets_password": link.made_by is None,
        "other": other.get_username() if other and other != link.user else "",
        "here": [] if link.user == request.user else tables_here(request),
        "key": guest_key(request),
    }
    status = CONFLICT if request.method == "POST" else 200
    return not_indexed(render(request, "tables/sign_in_link.html", context, status=status))


def _use(request: HttpRequest, token: str) -> HttpResponse:
    key = sent_key(request)
    try:
        link = use_link(token, key=key if is_ours(request, key) else "")
    except LinkGone:
        return refuse_link(request)
    assert link.user is not None
    is_operators = link.made_by is None
    response = sign_in(request, link.user, redirect("yours" if is_operators else "home"))
    if is_operators:
        allow_new_password(request.session)
    return response


def refuse_link(request: HttpRequest) -> HttpResponse:
    """Answer an unknown, used or expired link, without telling which it is or whose link it was."""
    if not WRONG.take(client_key(request.META["REMOTE_ADDR"])):
        return too_many(request, WRONG)
    context = {"gone": True}
    return not_indexed(render(request, "tables/sign_in_link.html", context, status=MISSING))
