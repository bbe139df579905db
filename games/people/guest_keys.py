"""Form keys that may make a guest: issued by us and valid on one phone only.

Two taps on such a form have no session yet, so the key makes one guest for both. The key is therefore as good
as a sign-in for a moment. To make a leaked key useless elsewhere it is signed for the CSRF cookie of the
phone that was shown the form.
"""

from __future__ import annotations

from django.http import HttpRequest
from django.middleware.csrf import get_token
from django.utils.crypto import constant_time_compare, salted_hmac

from games.keys import new_key

SALT = "games.people.guest_keys"
SIGNED_WITH = 20  # letters
COOKIE = "CSRF_COOKIE"  # where Django keeps the phone's CSRF cookie in `request.META`


def guest_key(request: HttpRequest) -> str:
    """Return a new key for a form about to be shown on this phone."""
    return signed(request, new_key())


def signed(request: HttpRequest, key: str) -> str:
    """Sign this key for the phone of the request. The response sets its CSRF cookie."""
    get_token(request)
    return f"{key}.{_signature(request, key)}"


def is_ours(request: HttpRequest, key: str) -> bool:
    """Return whether this key was issued to the phone that sends it."""
    made, _dot, signature = key.rpartition(".")
    return COOKIE in request.META and constant_time_compare(signature, _signature(request, made))


def _signature(request: HttpRequest, key: str) -> str:
    return salted_hmac(SALT, f"{key} {request.META[COOKIE]}", algorithm="sha256").hexdigest()[:SIGNED_WITH]
