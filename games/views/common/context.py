"""What every template may use."""

from __future__ import annotations

from collections.abc import Mapping

from django.contrib.auth.models import User
from django.http import HttpRequest

from games.models import (
    ACCOUNT_LENGTH,
    NAME_LENGTH,
    NOTE_LENGTH,
    SEASON_NAME_LENGTH,
    TABLE_NAME_LENGTH,
    TOKEN_NAME_LENGTH,
    UNIT_LENGTH,
)
from games.people.lending import COOKIE as LENT
from games.people.users import mark_of
from games.pocket import bundle
from games.pocket.copying import MOST_GAMES
from games.pocket.unsent import NOTHING
from games.scoring.one_line import LONGEST as LONGEST_REASON
from games.shown.common.typed import LONGEST
from games.shown.play.forms import LONGEST_POINTS

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
}
THEMES = ("light", "dark")


def theme(request: HttpRequest) -> dict[str, str]:
    """The theme chosen on this phone, "" to follow the system."""
    chosen = request.COOKIES.get("theme", "")
    return {"theme": chosen if chosen in THEMES else ""}


def lengths(request: HttpRequest) -> dict[str, Mapping[str, int]]:
    """How much fits into each kind of field."""
    return {"lengths": LENGTHS}


def pocket(request: HttpRequest) -> dict[str, object]:
    """The bundle that phones may take along, its size in MB, and the games of a table that travels at most.

    None is offered on a phone that is lent, which keeps nothing of who borrows it. The site has heard of all it shows.
    """
    if not bundle.is_there() or LENT in request.COOKIES:
        return {"pocket": None, "unsent": NOTHING}
    size = round(bundle.travels() / 10**6)
    offered = {"release": bundle.release(), "size": size, "most": MOST_GAMES}
    return {"pocket": offered, "unsent": NOTHING}


def person(request: HttpRequest) -> dict[str, str]:
    """Whose page it is, by which a phone tells what it keeps of one person from what it keeps of the next."""
    return {"person": person_of(request)}


def person_of(request: HttpRequest) -> str:
    """A mark of the user who asks that says nothing about him, "" for nobody."""
    user = request.user
    return mark_of(user) if isinstance(user, User) else ""
