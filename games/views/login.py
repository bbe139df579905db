"""Signing in with a name and a password, for who has them; a few tries at a time."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.views import LoginView
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

TRIES = 10
WINDOW = 15 * 60


class Login(LoginView):
    """Django's own view behind a limit of tries for each address."""

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
