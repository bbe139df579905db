"""The page behind a sign-in link: for a user who lost their password, or for the app on the home screen."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from games.models import SignInLink
from games.network import client_key
from games.people.guest_keys import guest_key, is_ours
from games.people.guests import guest_of, has_something
from games.people.invitations import WRONG
from games.people.lending import loan_of
from games.people.sign_in_links import LinkGone, allow_new_password, find_link, use_link
from games.views.common.links import not_indexed, too_many
from games.views.common.recording import CONFLICT, MISSING, sent_key
from games.views.people.login import is_answered_yes, sign_in, tables_here


@require_http_methods(["GET", "HEAD", "POST"])
def sign_in_link(request: HttpRequest, token: str) -> HttpResponse:
    """Show which user a link signs in; sign in only when the button is pressed."""
    link = find_link(token)
    is_refused = link is not None and _is_refused(request, link)
    if request.method == "POST" and not is_refused:
        return _use(request, token)
    if link is None:
        return refuse_link(request)
    user = link.user
    other = request.user if isinstance(request.user, User) and not guest_of(request.user) else None
    context = {
        "name": "" if guest_of(user) else user.get_username(),
        "is_for_home_screen": link.device_id is not None,
        "is_refused": is_refused,
        "is_same": user == request.user,
        "other": other.get_username() if other and other != user else "",
        "here": tables_here(request),
        "key": guest_key(request),
    }
    status = CONFLICT if request.method == "POST" else 200
    return not_indexed(render(request, "games/people/sign_in_link.html", context, status=status))


def _is_refused(request: HttpRequest, link: SignInLink) -> bool:
    """Return whether a link for the app on the home screen must not be used on this phone.

    It is refused if its user is signed in here already. It is also refused if its user is a guest (a user
    without a password) and the phone is that of another guest with data: the phone returns to its own guest
    only when the link's user signs out, and guests never sign out.
    """
    if link.device_id is None:
        return False
    guest = guest_of(request.user)
    has_own = loan_of(request) is not None or (guest is not None and has_something(guest))
    return link.user == request.user or (guest_of(link.user) is not None and has_own)


def _use(request: HttpRequest, token: str) -> HttpResponse:
    key = sent_key(request)
    try:
        link = use_link(token, key=key if is_ours(request, key) else "")
    except LinkGone:
        return refuse_link(request)
    is_for_password = link.device_id is None
    onward = redirect("credentials" if is_for_password else "home")
    response = sign_in(request, link.user, onward, brings_tables=is_answered_yes(request))
    if is_for_password:
        allow_new_password(request.session)
    return response


def refuse_link(request: HttpRequest) -> HttpResponse:
    """Answer an unknown, used or expired link, without telling which it is or whose link it was."""
    if not WRONG.take(client_key(request.META["REMOTE_ADDR"])):
        return too_many(request, WRONG)
    context = {"gone": True}
    return not_indexed(render(request, "games/people/sign_in_link.html", context, status=MISSING))
