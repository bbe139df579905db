"""The page about the app on the home screen, which makes the link that signs the user in there."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from games.people.devices import is_noted, note_device
from games.people.sign_in_links import make_home_screen_link


@require_http_methods(["GET", "HEAD", "POST"])
def home_screen(request: HttpRequest) -> HttpResponse:
    """Explain how to put the app on the home screen; on POST, make the sign-in link and show it once."""
    if not isinstance(request.user, User):
        return redirect("login")
    link = _make_link(request, request.user) if request.method == "POST" else ""
    return render(request, "games/people/home_screen.html", {"link": link})


def _make_link(request: HttpRequest, user: User) -> str:
    if not is_noted(request):  # this is the first page of the session
        note_device(request)
    device = user.devices.get(session_key=request.session.session_key)
    return request.build_absolute_uri(reverse("sign-in-link", args=[make_home_screen_link(device)]))
