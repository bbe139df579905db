"""The page behind a sign-in link, for a user who lost their password: from the operator, or by e-mail."""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from games.network import client_key
from games.people.guest_keys import guest_key, is_ours
from games.people.guests import guest_of
from games.people.invitations import WRONG
from games.people.sign_in_links import LinkGone, allow_new_password, find_user, use_link
from games.views.common.links import not_indexed, too_many
from games.views.common.recording import MISSING, sent_key
from games.views.people.login import is_answered_yes, sign_in, tables_here


@require_http_methods(["GET", "HEAD", "POST"])
def sign_in_link(request: HttpRequest, token: str) -> HttpResponse:
    """Show whom a link signs in; sign them in only when the button is pressed."""
    if request.method == "POST":
        return _use(request, token)
    user = find_user(token)
    if user is None:
        return refuse_link(request)
    other = request.user if isinstance(request.user, User) and not guest_of(request.user) else None
    context = {
        "name": user.get_username(),
        "other": other.get_username() if other and other != user else "",
        "here": tables_here(request),
        "key": guest_key(request),
    }
    return not_indexed(render(request, "games/people/sign_in_link.html", context))


def _use(request: HttpRequest, token: str) -> HttpResponse:
    key = sent_key(request)
    try:
        user = use_link(token, key=key if is_ours(request, key) else "")
    except LinkGone:
        return refuse_link(request)
    response = sign_in(request, user, redirect("credentials"), brings_tables=is_answered_yes(request))
    allow_new_password(request.session)
    return response


def refuse_link(request: HttpRequest) -> HttpResponse:
    """Answer an unknown, used or expired link. Nothing tells which, or whose link it was."""
    if not WRONG.take(client_key(request.META["REMOTE_ADDR"])):
        return too_many(request, WRONG)
    context = {"gone": True, "sends_mail": settings.SENDS_MAIL}
    return not_indexed(render(request, "games/people/sign_in_link.html", context, status=MISSING))
