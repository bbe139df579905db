"""Signing in with user name and password, with limited attempts, and signing out."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from django.conf import settings
from django.contrib.auth import login
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.models import User
from django.contrib.auth.views import LoginView, LogoutView
from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext_lazy

from games.common.limits import Limit
from games.common.network import client_key
from games.common.sent import TOO_MANY, UNPROCESSABLE
from games.tables.devices import end_watching, forget_device, forget_the_dead, make_room_for_one
from games.tables.guests import bring_along, guest_of, tables_open_to
from games.tables.people import called

KNOWN = "known"  # the name of the cookie, and the salt of its signature


def is_known(request: HttpRequest, name: str) -> bool:
    """Return whether this phone has logged in with this user name within the lifetime of a session."""
    proof = request.get_signed_cookie(KNOWN, default="", salt=KNOWN, max_age=settings.SESSION_COOKIE_AGE)
    return bool(proof == _proof(name))


def remember(response: HttpResponse, name: str) -> None:
    """Set the cookie that proves the login, for the lifetime of a session."""
    response.set_signed_cookie(
        KNOWN,
        _proof(name),
        salt=KNOWN,
        max_age=settings.SESSION_COOKIE_AGE,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def _proof(name: str) -> str:
    """Return the cookie's value: a digest of the user name.

    A user name may have characters that a cookie cannot hold.
    """
    return sha256(name.encode()).hexdigest()


OF_NAME_HERE = Limit("login", most=10)
HERE = Limit("login-here", most=60)  # a whole club may share one address
OF_NAME = Limit("login-name", most=60)


@dataclass(frozen=True)
class Guess:
    """A login attempt. `asker` is the client's key (`games.common.network.client_key`).

    `is_known` is True if this phone has signed in under this user name before.
    """

    name: str
    asker: str
    is_known: bool

    def spent(self) -> Limit | None:
        """Count the guess. Return the rate limit that it exceeds, or None.

        The caller calls `right` if the password turns out to be correct.
        """
        taken: list[tuple[Limit, str]] = []
        for limit, who in self._counted():
            if not limit.take(who):
                for other, whose in taken:
                    other.give_back(whose)
                return limit
            taken.append((limit, who))
        return None

    def right(self) -> None:
        """Uncount the guess after a correct password, and reset the limit for this user name and address."""
        for limit, who in self._counted():
            if limit is OF_NAME_HERE:
                limit.forget(who)
            else:
                limit.give_back(who)

    def _counted(self) -> list[tuple[Limit, str]]:
        """Return each rate limit to check, with the key under which it counts.

        The limit per address comes first, so that a blocked address creates no more counters.
        """
        everywhere = [] if self.is_known else [(OF_NAME, self.name)]
        return [(HERE, self.asker), (OF_NAME_HERE, f"{self.asker} {self.name}"), *everywhere]


SPENT, SPENT_HERE = "spent", "spent here"


class LoginForm(AuthenticationForm):
    """Django's login form with our messages and rate limits on failed logins (`games/tables/pages/login.py`)."""

    error_messages = {
        "invalid_login": gettext_lazy("The name or the password is not right."),
        SPENT: gettext_lazy("Too many attempts with this name. Wait %(minutes)s minutes, then try again."),
        SPENT_HERE: gettext_lazy("Too many attempts. Wait %(minutes)s minutes, then try again."),
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].widget.attrs.pop("autofocus", None)  # a keyboard would hide the page

    def clean(self) -> dict[str, Any]:
        if self.errors:  # an incomplete form is no login attempt
            return self.cleaned_data
        assert self.request is not None
        self.cleaned_data["username"] = _as_registered(self.cleaned_data["username"])
        name = self.cleaned_data["username"]
        guess = Guess(
            name, client_key(self.request.META["REMOTE_ADDR"]), is_known=is_known(self.request, name)
        )
        # Count the attempt before the slow password check; otherwise parallel attempts would pass uncounted.
        spent = guess.spent()
        if spent:
            words = self.error_messages[SPENT if spent.kind != HERE.kind else SPENT_HERE]
            raise ValidationError(words, code=SPENT, params={"minutes": spent.minutes})
        super().clean()
        guess.right()
        return self.cleaned_data


def _as_registered(name: str) -> str:
    """Return the registered user name that differs from the typed one only in case, else the typed one."""
    names = list(called(name).values_list("username", flat=True))
    return names[0] if len(names) == 1 else name


class Login(LoginView):
    """Django's login view, with an error status for a failed login."""

    authentication_form = LoginForm
    template_name = "tables/login.html"
    next_page = "home"

    def get_context_data(self, **context: Any) -> dict[str, Any]:
        """Add the names of the tables of this phone's guest, which pass to the user who signs in."""
        return super().get_context_data(**context, here=tables_here(self.request))

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        """Sign the user in and redirect to the page that they wanted, or home."""
        return sign_in(self.request, form.get_user(), redirect(self.get_success_url()))

    def form_invalid(self, form: AuthenticationForm) -> HttpResponse:
        """Show the form with its errors and an error status."""
        response = super().form_invalid(form)
        response.status_code = TOO_MANY if form.has_error(NON_FIELD_ERRORS, SPENT) else UNPROCESSABLE
        return response


def tables_here(request: HttpRequest) -> list[str]:
    """Return the names of the tables of the guest who uses this phone; none if the user is no guest."""
    guest = guest_of(request.user)
    return [table.name for table in tables_open_to(guest)] if guest else []


def sign_in(request: HttpRequest, user: User, response: HttpResponse) -> HttpResponse:
    """Sign this user in. Return `response` with a cookie that proves the login of this phone.

    What the guest of this phone (a user without a password) may do passes to the user.
    """
    guest = guest_of(request.user)
    if guest and guest != user:
        bring_along(guest, user)
        forget_device(request)
    login(request, user)
    forget_the_dead(user)
    remember(response, user.get_username())
    make_room_for_one(user)
    return response


class Logout(LogoutView):
    """Django's logout view. Guests stay signed in, because they could not sign in again."""

    next_page = "home"

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Sign out."""
        if guest_of(request.user):
            return redirect("home")
        user = request.user
        forget_device(request)
        response = super().post(request, *args, **kwargs)
        if isinstance(user, User):
            end_watching(user)
        return response
