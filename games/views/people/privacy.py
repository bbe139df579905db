"""The page about privacy: what the site stores, for how long, and who answers questions about it."""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games.models import ERASING_DAYS, UNUSED_DAYS


@require_safe
def privacy(request: HttpRequest) -> HttpResponse:
    """Show what is stored. The site's operator is named if `OPERATOR_CONTACT` is set."""
    contact = settings.OPERATOR_CONTACT
    context = {
        "contact": contact,
        "contact_address": f"mailto:{contact}" if "@" in contact and "://" not in contact else contact,
        "erasing_days": ERASING_DAYS,
        "unused_days": UNUSED_DAYS,
        "session_days": timedelta(seconds=settings.SESSION_COOKIE_AGE).days,
    }
    return render(request, "games/people/privacy.html", context)
