"""Parts of a request: its user, whole numbers and primary keys, the idempotency key and the last event seen."""

from __future__ import annotations

import json

from django.contrib.auth.models import User
from django.http import HttpRequest

from games.models import KEY_LENGTH

LONGEST = 18  # digits of a primary key


def row_id(text: str) -> int:
    """Return the primary key in this text; 0, which no row has, if the text is no number."""
    return whole_number(text, most_digits=LONGEST)


def whole_number(text: str, *, most_digits: int) -> int:
    """Return the whole number in this text; 0 if it is none or has more digits."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= most_digits else 0


def sent_after(request: HttpRequest) -> int:
    """Return the number of the last event that the user has seen, as the HTML form says.

    Return 0 if the field is no number. A game's services refuse 0 as out of date, because every game has at
    least one event.
    """
    return whole_number(request.POST.get("after", ""), most_digits=8)


def sent_key(request: HttpRequest) -> str:
    """Return the idempotency key of the HTML form; "" if the key is missing or invalid."""
    key = request.POST.get("key", "")
    return key if key.isprintable() and len(key) <= KEY_LENGTH else ""


def user_of(request: HttpRequest) -> User:
    """Return the signed-in user. Call it only after the access was checked, so the user is not anonymous."""
    assert isinstance(request.user, User)
    return request.user


def as_json(value: object) -> str:
    """Return the value as compact JSON, for an HTML attribute that a script reads."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
