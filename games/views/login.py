"""Signing in with a name and a password, for who has them; a few tries at a time."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.views import LoginView
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

TRIES = 10
WINDOW = 15 * 60


class LoginForm(AuthenticationForm):
    """Django's own form, its refusal in our words."""

    error_messages = {
        "invalid_login": gettext_lazy("This name and this password do not belong together."),
        "inactive": gettext_lazy("This name is not in use any more."),
    }


class Login(LoginView):
    """Django's own view behind a limit of tries for each address."""

    authentication_form = LoginForm
    template_name = "games/login.html"
    next_page = "home"

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        counter = f"login:{request.META.get('REMOTE_ADDR', '')}"
        cache.add(counter, 0, WINDOW)
        if cache.incr(counter) > TRIES:
            context = self.get_context_data(
                form=self.get_form_class()(), too_many=_("Too many tries. Wait a while.")
            )
            return self.render_to_response(context, status=429)
        response: HttpResponse = super().post(request, *args, **kwargs)
        if response.status_code == 200:
            response.status_code = 422
        return response
