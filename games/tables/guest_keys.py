"""Form keys that may make a guest: issued by us, and valid on one phone only.

The two requests of a double tap have no session cookie yet, so both get the guest made under the form's key.
For a moment the key is therefore as good as a password. To make a leaked key useless on another phone, the
key is signed together with the CSRF cookie of the phone that was shown the form.
"""

from __future__ import annotations

from django.http import HttpRequest
from django.middleware.csrf import get_token
from django.utils.crypto import constant_time_compare, salted_hmac

from games.common.keys import new_key

SALT = "games.tables.guest_keys"
SIGNED_WITH = 20  # characters of the signature
COOKIE = "CSRF_COOKIE"  # the key in `request.META` under which Django stores the phone's CSRF cookie


def guest_key(request: HttpRequest) -> str:
    """Return a new key for a form about to be shown on this phone."""
    return signed(request, new_key())


def signed(request: HttpRequest, key: str) -> str:
    """Return this key, signed for the phone of the request. The response sets the phone's CSRF cookie."""
    get_token(request)
    return f"{key}.{_signature(request, key)}"


def is_ours(request: HttpRequest, key: str) -> bool:
    """Return whether this key was issued to the phone that sends it."""
    made, _dot, signature = key.rpartition(".")
    return COOKIE in request.META and constant_time_compare(signature, _signature(request, made))


def _signature(request: HttpRequest, key: str) -> str:
    return salted_hmac(SALT, f"{key} {request.META[COOKIE]}", algorithm="sha256").hexdigest()[:SIGNED_WITH]
