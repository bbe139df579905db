"""What every template may use."""

from __future__ import annotations

from django.http import HttpRequest

THEMES = ("light", "dark")


def theme(request: HttpRequest) -> dict[str, str]:
    """The theme chosen on this phone, "" to follow the system."""
    chosen = request.COOKIES.get("theme", "")
    return {"theme": chosen if chosen in THEMES else ""}
