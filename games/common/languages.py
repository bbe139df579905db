"""The language in which a reader sees the site."""

from __future__ import annotations

from contextlib import suppress

from django.conf import settings
from django.http import HttpRequest
from django.utils.translation import get_supported_language_variant
from django.utils.translation.trans_real import parse_accept_lang_header

AT_HOME, ELSEWHERE = "es-ar", "en"  # if the browser names no language; if it names none that we have


def reader_language(request: HttpRequest) -> str:
    """Return the language that was chosen on this phone, else the first of `Accept-Language` that we have.

    Return English if the header names only languages that we lack: Django would use `LANGUAGE_CODE`, which is
    Spanish because all Spanish catalogues fall back to it. Return Argentine Spanish if it names none.
    """
    accepted = [
        name for name, _weight in parse_accept_lang_header(request.headers.get("Accept-Language", ""))
    ]
    for name in (request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME, ""), *accepted):
        with suppress(LookupError):
            return get_supported_language_variant(name)
    return ELSEWHERE if set(accepted) - {"*"} else AT_HOME
