"""The export of the user's own data."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_GET

from games.notebook.own import write_own


@require_GET
def own_data(request: HttpRequest) -> HttpResponse:
    """Send the user's own data as a JSON file."""
    if not isinstance(request.user, User):
        return redirect("login")
    named = {"Content-Disposition": 'attachment; filename="anotador.json"'}
    return HttpResponse(write_own(request.user), content_type="application/json", headers=named)
