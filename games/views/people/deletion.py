"""Deletion of the user's own account, confirmed with the password or a typed word."""

from __future__ import annotations

from django.contrib.auth import logout
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from games.people import deletion
from games.people.lending import COOKIE, give_back, loan_of
from games.views.common.recording import CONFLICT, TOO_MANY, UNPROCESSABLE
from games.views.people.credentials import ATTEMPTS, SPENT


@sensitive_post_parameters("current")
@require_http_methods(["GET", "HEAD", "POST"])
def delete_account(request: HttpRequest) -> HttpResponse:
    """Show what is deleted and what stays, then delete the account; the only owner of a table is refused."""
    if not isinstance(request.user, User):
        return redirect("login")
    user = request.user
    if request.method != "POST":
        return _show(request, user)
    if not ATTEMPTS.take(str(user.pk)):
        return _show(request, user, str(SPENT % {"minutes": ATTEMPTS.minutes}), TOO_MANY)
    wrong = _wrong(request, user)
    if wrong:
        return _show(request, user, wrong, UNPROCESSABLE)
    try:
        deletion.delete_account(user)
    except deletion.OwnsAlone:
        return _show(request, user, status=CONFLICT)
    return _leave(request)


def _wrong(request: HttpRequest, user: User) -> str:
    """Return the error message if the password or the typed word is wrong, else ""."""
    if user.has_usable_password():
        is_right = user.check_password(request.POST.get("current", ""))
        return "" if is_right else _("The current password is not right.")
    is_right = request.POST.get("word", "").strip().casefold() == _("delete").casefold()
    return "" if is_right else _("Type the word “%(word)s”.") % {"word": _("delete")}


def _leave(request: HttpRequest) -> HttpResponse:
    """Sign out. If a guest (a user without a password) had lent this phone, sign the guest in again."""
    loan = loan_of(request)
    logout(request)
    if loan is not None:
        give_back(request, loan)
    response = render(request, "games/people/deleted.html")
    response.delete_cookie(COOKIE, samesite="Lax")
    return response


def _show(request: HttpRequest, user: User, error: str = "", status: int = 200) -> HttpResponse:
    context = {"alone": deletion.owned_alone(user), "word": _("delete"), "error": error}
    return render(request, "games/people/delete_account.html", context, status=status)
