"""The e-mail address of an account, and the link that confirms it. Without EMAIL_URL these pages are 404."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec

from django import forms
from django.conf import settings
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.forms.utils import ErrorDict
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext_lazy
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from games.models import ADDRESS_LENGTH
from games.network import client_key
from games.people.addresses import (
    ConfirmationGone,
    address_of,
    as_stored,
    ask_to_confirm,
    confirm,
    find_confirmation,
    may_still_confirm,
    remove_address,
)
from games.people.outgoing import exceeded
from games.people.sign_in_links import may_set_password
from games.people.tries import Tries
from games.views.common.links import not_indexed
from games.views.common.recording import TOO_MANY, UNPROCESSABLE
from games.views.people.credentials import ATTEMPTS, SPENT, AsksCurrent, OfUser
from games.views.people.sign_in_link import refuse_link

NO_ADDRESS = gettext_lazy("This doesn't look like an e-mail address.")
P = ParamSpec("P")


def needs_mail(view: Callable[P, HttpResponseBase]) -> Callable[P, HttpResponseBase]:
    """Decorate the view to raise Http404 if the site sends no mail."""

    @wraps(view)
    def answer(*args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        if not settings.SENDS_MAIL:
            raise Http404
        return view(*args, **kwargs)

    return answer


def clean_address(written: str) -> str:
    """Return the address as it is stored: with its domain in ASCII and small letters.

    Raise ValidationError if it cannot be stored.
    """
    try:
        return as_stored(written)
    except ValueError as error:
        raise ValidationError(NO_ADDRESS) from error


class NewAddress(OfUser):
    """The HTML form for an e-mail address."""

    address = forms.EmailField(max_length=ADDRESS_LENGTH, error_messages={"invalid": NO_ADDRESS})

    def clean_address(self) -> str:
        """Return the address as it is stored: with its domain in ASCII and small letters."""
        return clean_address(self.cleaned_data["address"])


class GuardedAddress(NewAddress, AsksCurrent):
    """The HTML form for an e-mail address, which also asks for the password."""


@needs_mail
@sensitive_post_parameters("current")
@require_http_methods(["GET", "HEAD", "POST"])
def address(request: HttpRequest) -> HttpResponse:
    """Show the user's e-mail address; on POST, start a change of the address, or remove it.

    Redirect a guest to the page for choosing a password first.
    """
    user = request.user
    if not isinstance(user, User):
        return redirect("login")
    if not user.has_usable_password():
        return redirect("credentials")
    if request.method != "POST":
        return _show(request, user)
    is_removed = "remove" in request.POST
    form = _form_for(request, user, is_removed=is_removed)
    if not ATTEMPTS.take(str(user.pk)):
        return _show(request, user, spent=ATTEMPTS)
    if not form.is_valid():
        return _show(request, user, errors=form.errors)
    ATTEMPTS.forget(str(user.pk))
    if is_removed:
        remove_address(user)
        return redirect("address")
    return _ask(request, user, form.cleaned_data["address"])


def _ask(request: HttpRequest, user: User, new: str) -> HttpResponse:
    """Send a link that confirms the new address, and redirect to the page of the address.

    If this client or this address asked for too many mails, show an error instead.
    """
    spent = exceeded(client_key(request.META["REMOTE_ADDR"]), new)
    if spent is not None:
        return _show(request, user, spent=spent)
    ask_to_confirm(user, new)
    return redirect("address")


@needs_mail
@require_http_methods(["GET", "HEAD", "POST"])
def confirm_address(request: HttpRequest, token: str) -> HttpResponse:
    """Show which address a link confirms; confirm it only when the button is pressed."""
    row = find_confirmation(token)
    if row is None:
        return refuse_link(request)
    if request.method == "POST":
        try:
            row = confirm(token)
        except ConfirmationGone:
            return refuse_link(request)
    context = {"row": row, "name": row.user.get_username(), "is_own": row.user == request.user}
    return not_indexed(render(request, "games/people/confirm_address.html", context))


def _form_for(request: HttpRequest, user: User, *, is_removed: bool) -> OfUser:
    """Return the submitted form, which removes the address if `is_removed`, and else changes it.

    The form asks for the password, unless this phone was signed in by a sign-in link not long ago.
    """
    is_free = may_set_password(request.session)
    if is_removed:
        return (OfUser if is_free else AsksCurrent)(user, request.POST)
    return (NewAddress if is_free else GuardedAddress)(user, request.POST)


def _show(
    request: HttpRequest, user: User, *, errors: ErrorDict | None = None, spent: Tries | None = None
) -> HttpResponse:
    row = address_of(user)
    is_late = bool(row.pending) and not may_still_confirm(row)
    context = {
        "row": row,
        "is_late": is_late,
        "typed": request.POST.get("address", row.pending if is_late else ""),
        "asks_current": not may_set_password(request.session),
        "longest": ADDRESS_LENGTH,
        "errors": errors or {},
        "general": SPENT % {"minutes": spent.minutes} if spent else "",
    }
    status = TOO_MANY if spent else UNPROCESSABLE if errors else 200
    return render(request, "games/people/address.html", context, status=status)
