"""Signing in with a name and a password, for who has them; a few tries at a time."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.models import User
from django.contrib.auth.views import LoginView
from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.http import HttpResponse
from django.utils.translation import gettext_lazy

from games.guests import bring_along, guest_of, tables_open_to
from games.tries import Tries
from games.views.recording import TOO_MANY, UNPROCESSABLE

TRIES = 10
FAILURES = Tries("login", most=TRIES, window=15 * 60)
SPENT = "spent"


class LoginForm(AuthenticationForm):
    """Django's own form, its refusals in our words, behind a limit of failures for one name from one address."""

    error_messages = {
        "invalid_login": gettext_lazy("This name and this password do not belong together."),
        "inactive": gettext_lazy("This name is not in use any more."),
        SPENT: gettext_lazy("Too many tries with this name. Wait %(minutes)s minutes, then try again."),
    }

    def clean(self) -> dict[str, Any]:
        if self.errors:  # nothing is tried
            return self.cleaned_data
        assert self.request is not None
        self.cleaned_data["username"] = _as_it_was_taken(self.cleaned_data["username"])
        tried = f"{self.request.META['REMOTE_ADDR']} {self.cleaned_data['username']}"
        # Counted before the password is looked at, which takes long enough to send many tries at once.
        if not FAILURES.take(tried):
            raise ValidationError(
                self.error_messages[SPENT], code=SPENT, params={"minutes": FAILURES.minutes}
            )
        cleaned = super().clean()
        FAILURES.forget(tried)
        return cleaned


def _as_it_was_taken(name: str) -> str:
    """The name as its owner once wrote it, where capitals alone are different."""
    found = list(User.objects.filter(username__iexact=name).values_list("username", flat=True))
    return found[0] if len(found) == 1 else name


class Login(LoginView):
    """Django's own view; a refusal has the status of one."""

    authentication_form = LoginForm
    template_name = "games/login.html"
    next_page = "home"

    def get_context_data(self, **context: Any) -> dict[str, Any]:
        """What the form shows; a guest's phone says what it would bring along."""
        guest = guest_of(self.request.user)
        brought = [table.name for table in tables_open_to(guest)] if guest else []
        return super().get_context_data(**context, brought=brought)

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        """Signed in, with all that the phone had as a guest's."""
        guest, user = guest_of(self.request.user), form.get_user()
        if guest and isinstance(user, User):
            bring_along(guest, user)
        return super().form_valid(form)

    def form_invalid(self, form: AuthenticationForm) -> HttpResponse:
        """The form with what is wrong."""
        response = super().form_invalid(form)
        response.status_code = TOO_MANY if form.has_error(NON_FIELD_ERRORS, SPENT) else UNPROCESSABLE
        return response
