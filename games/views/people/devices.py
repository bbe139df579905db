"""The user's own pages: devices they are signed in on, and links to the rest of the account."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from games.people.devices import devices_of, is_noted, note_device, sign_out_on
from games.shown.people.devices import devices_shown


@require_safe
def yours(request: HttpRequest) -> HttpResponse:
    """Show the links to everything of the account."""
    if not isinstance(request.user, User):
        return redirect("login")
    return render(request, "games/people/yours.html")


@require_safe
def devices(request: HttpRequest) -> HttpResponse:
    """List where the user is signed in."""
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
    """End another session of this user. The present one ends on the first page; guests have none to end."""
    if not isinstance(request.user, User):
        return redirect("login")
    others = request.user.devices.exclude(session_key=request.session.session_key)
    device_row = others.filter(pk=device).first()
    if device_row is not None:  # a repeated tap finds none
        sign_out_on(device_row)
    return redirect("devices")
