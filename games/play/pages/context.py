"""Context processors: each function returns a variable or two that every template can use."""

from __future__ import annotations

from collections.abc import Mapping

from django.conf import settings
from django.contrib.auth.models import User
from django.http import HttpRequest

from games.common.typed import LONGEST
from games.models import (
    ACCOUNT_LENGTH,
    NAME_LENGTH,
    NOTE_LENGTH,
    SEASON_NAME_LENGTH,
    TABLE_NAME_LENGTH,
    TOKEN_NAME_LENGTH,
    UNIT_LENGTH,
)
from games.play.pages.forms import LONGEST_POINTS
from games.scoring.one_line import LONGEST as LONGEST_REASON
from games.tables.people import mark_of

LENGTHS = {
    "name": NAME_LENGTH,
    "table_name": TABLE_NAME_LENGTH,
    "token_name": TOKEN_NAME_LENGTH,
    "season_name": SEASON_NAME_LENGTH,
    "account": ACCOUNT_LENGTH,
    "unit": UNIT_LENGTH,
    "amount": LONGEST,
    "note": NOTE_LENGTH,
    "reason": LONGEST_REASON,
    "points": LONGEST_POINTS,
    "link": 500,  # with the message around it
}
THEMES = ("day", "dark", "light")


def theme(request: HttpRequest) -> dict[str, str]:
    """Return the template variable `theme`: "day", "dark" or "light", as chosen on this phone.

    It is "" if nothing was chosen: the phone's system setting applies.
    """
    chosen = request.COOKIES.get("theme", "")
    return {"theme": chosen if chosen in THEMES else ""}


def lengths(request: HttpRequest) -> dict[str, Mapping[str, int]]:
    """Return the template variable `lengths`: the most characters of each kind of field, e.g. `note`."""
    return {"lengths": LENGTHS}


def solo(request: HttpRequest) -> dict[str, str]:
    """Return the template variable `solo`: where the site serves the folder without a server; "" if nowhere."""
    return {"solo": settings.SOLO if settings.SERVE_FOLDER else ""}


def pseudonym(request: HttpRequest) -> dict[str, str]:
    """Return the template variable `pseudonym`, which stands for the user; "" if nobody is signed in.

    With it, a phone keeps the data of different users apart.
    """
    return {"pseudonym": person_of(request)}


def person_of(request: HttpRequest) -> str:
    """Return a pseudonym of the requesting user; "" if nobody is signed in."""
    return mark_of(request.user) if isinstance(request.user, User) else ""
