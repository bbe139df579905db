"""Signing in with a name and a password, for who has them; a few tries at a time."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.views import LoginView
from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.http import HttpResponse
from django.utils.translation import gettext_lazy

from games.tries import Tries

TRIES = 10
FAILURES = Tries("login", most=TRIES, window=15 * 60)
TOO_MANY = "too_many"


class LoginForm(AuthenticationForm):
    """Django's own form, its refusals in our words, behind a limit of failures for one name from one address."""

    error_messages = {
        "invalid_login": gettext_lazy("This name and this password do not belong together."),
        "inactive": gettext_lazy("This name is not in use any more."),
        TOO_MANY: gettext_lazy("Too many tries with this name. Wait %(minutes)s minutes, then try again."),
    }

    def clean(self) -> dict[str, Any]:
        if self.errors:  # nothing is tried
            return self.cleaned_data
        assert self.request is not None
        tried = f"{self.request.META['REMOTE_ADDR']} {self.cleaned_data['username']}"
        if FAILURES.are_spent(tried):
            raise ValidationError(
                self.error_messages[TOO_MANY], code=TOO_MANY, params={"minutes": FAILURES.minutes}
            )
        # Counted before the password is looked at, which takes long enough to send many tries at once.
        FAILURES.count(tried)
        cleaned = super().clean()
        FAILURES.forget(tried)
        return cleaned


class Login(LoginView):
    """Django's own view; a refusal has the status of one."""

    authentication_form = LoginForm
    template_name = "games/login.html"
    next_page = "home"

    def form_invalid(self, form: AuthenticationForm) -> HttpResponse:
        """The form with what is wrong."""
        response = super().form_invalid(form)
        response.status_code = 429 if form.has_error(NON_FIELD_ERRORS, TOO_MANY) else 422
        return response
