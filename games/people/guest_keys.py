"""The keys of forms that may make a guest: ours, and good on one phone alone.

Two taps on such a form have no session yet, and make one guest by the form's key. So the key is as good as a sign-in
for a moment, and whoever else learned it must get nothing by it: it is signed for the cookie against forgery of the
phone that was shown the form.
"""

from __future__ import annotations

from django.http import HttpRequest
from django.middleware.csrf import get_token
from django.utils.crypto import constant_time_compare, salted_hmac

from games.keys import new_key

SALT = "games.people.guest_keys"
SIGNED_WITH = 20  # letters
COOKIE = "CSRF_COOKIE"  # where Django keeps what the phone's cookie says


def guest_key(request: HttpRequest) -> str:
    """A key for a form about to be shown on this phone."""
    return signed(request, new_key())


def signed(request: HttpRequest, key: str) -> str:
    """This key as one of ours, for the phone that asks; its cookie goes out with the answer."""
    get_token(request)
    return f"{key}.{_signature(request, key)}"


def is_ours(request: HttpRequest, key: str) -> bool:
    """Whether we made this key, for the phone that sends it."""
    made, _dot, signature = key.rpartition(".")
    return COOKIE in request.META and constant_time_compare(signature, _signature(request, made))


def _signature(request: HttpRequest, key: str) -> str:
    return salted_hmac(SALT, f"{key} {request.META[COOKIE]}", algorithm="sha256").hexdigest()[:SIGNED_WITH]
