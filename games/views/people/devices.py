"""What is somebody's own besides tables: where he is signed in, which he ends from here, and the way to the rest."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from games.people.devices import devices_of, is_noted, note_device, sign_out_on
from games.shown.people.devices import devices_shown


@require_safe
def yours(request: HttpRequest) -> HttpResponse:
    """The way to all that is one's own."""
    if not isinstance(request.user, User):
        return redirect("login")
    return render(request, "games/people/yours.html")


@require_safe
def devices(request: HttpRequest) -> HttpResponse:
    """Where one is signed in."""
    if not isinstance(request.user, User):
        return redirect("login")
    if not is_noted(request):  # the first page of this session
        note_device(request)
    context = {
        "devices": devices_shown(devices_of(request.user), this=request.session.session_key),
        "tokens": request.user.tokens.standing().exists(),
        "ended": request.GET.get("ended") == "elsewhere",
    }
    return render(request, "games/people/devices.html", context)


@require_POST
def end_device(request: HttpRequest, device: int) -> HttpResponse:
    """Signed out there; here one signs out on the first page, and a guest does not, for whom it would be the end."""
    if not isinstance(request.user, User):
        return redirect("login")
    others = request.user.devices.exclude(session_key=request.session.session_key)
    found = others.filter(pk=device).first()
    if found is not None:  # a tap repeated finds none
        sign_out_on(found)
    return redirect("devices")
