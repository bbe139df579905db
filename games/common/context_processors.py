"""The context processors of every page: the theme, the lengths of fields, and the serverless folder."""

from __future__ import annotations

from collections.abc import Mapping

from django.conf import settings
from django.http import HttpRequest

from games.common import parsing
from games.models import (
    ACCOUNT_LENGTH,
    NAME_LENGTH,
    NOTE_LENGTH,
    SEASON_NAME_LENGTH,
    TABLE_NAME_LENGTH,
    TOKEN_NAME_LENGTH,
    UNIT_LENGTH,
)
from games.scoring.text_line import MAX_TEXT_LENGTH as LONGEST_REASON

LENGTHS = {
    "name": NAME_LENGTH,
    "table_name": TABLE_NAME_LENGTH,
    "token_name": TOKEN_NAME_LENGTH,
    "season_name": SEASON_NAME_LENGTH,
    "account": ACCOUNT_LENGTH,
    "unit": UNIT_LENGTH,
    "amount": parsing.LONGEST,
    "note": NOTE_LENGTH,
    "reason": LONGEST_REASON,
    "points": parsing.LONGEST_POINTS,
    "link": 500,  # with the message around it
}
THEMES = ("day", "dark", "light")


def theme(request: HttpRequest) -> dict[str, str]:
    """Return `theme`, the theme chosen on this phone; with "" the phone's own setting applies."""
    chosen = request.COOKIES.get(settings.THEME_COOKIE_NAME, "")
    return {"theme": chosen if chosen in THEMES else ""}


def lengths(request: HttpRequest) -> dict[str, Mapping[str, int]]:
    """Return `lengths`: the maximum number of characters of each kind of field, such as `note`."""
    return {"lengths": LENGTHS}


def solo(request: HttpRequest) -> dict[str, str]:
    """Return `solo`: the URL path where this site serves the serverless folder, "" if it serves none."""
    return {"solo": settings.SOLO if settings.SERVE_FOLDER else ""}
