"""The pages of the user's own account: the devices, and links to its other pages."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from games.people.devices import devices_of, is_noted, note_device, sign_out_on
from games.shown.people.devices import devices_shown


@require_safe
def yours(request: HttpRequest) -> HttpResponse:
    """Show the links to all pages of the account."""
    if not isinstance(request.user, User):
        return redirect("login")
    return render(request, "games/people/yours.html")


@require_safe
def devices(request: HttpRequest) -> HttpResponse:
    """List the devices on which the user is signed in."""
    if not isinstance(request.user, User):
        return redirect("login")
    if not is_noted(request):  # this is the first page of the session
        note_device(request)
    context = {
        "devices": devices_shown(devices_of(request.user), this=request.session.session_key),
        "tokens": request.user.tokens.standing().exists(),
        "ended": request.GET.get("ended") == "elsewhere",
    }
    return render(request, "games/people/devices.html", context)


@require_POST
def end_device(request: HttpRequest, device: int) -> HttpResponse:
    """End the session of another device of this user.

    `device` is the primary key of the device. The present session is not ended here but by signing out.
    """
    if not isinstance(request.user, User):
        return redirect("login")
    others = request.user.devices.exclude(session_key=request.session.session_key)
    device_row = others.filter(pk=device).first()
    if device_row is not None:  # None after a repeated tap: the session has already ended
        sign_out_on(device_row)
    return redirect("devices")
