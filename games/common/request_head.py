"""The fields of a request's head: limits of their lengths, and fields that are ignored when too long.

Lengths are raw, in bytes, and checked before anything parses a field. A field that nothing parses has no
limit of its own: the server limits the whole head. Names are those of CGI without `HTTP_`, such as
`USER_AGENT`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.parse import unquote, urlsplit

from django.conf import settings

LONGEST_FIELD = 2000
LONGEST_FIELDS = {
    "CONTENT_LENGTH": 12,  # Python refuses to read a number of 5,000 digits
    "CONTENT_TYPE": 300,
    "HOST": 255,
    "RANGE": 300,
    **dict.fromkeys(("IF_MODIFIED_SINCE", "IF_UNMODIFIED_SINCE"), 100),
    **dict.fromkeys(("ACCEPT", "ACCEPT_CHARSET", "ACCEPT_ENCODING", "ACCEPT_LANGUAGE"), LONGEST_FIELD),
    **dict.fromkeys(("IF_MATCH", "IF_NONE_MATCH", "ORIGIN"), LONGEST_FIELD),
    **dict.fromkeys(("AUTHORIZATION", "IDEMPOTENCY_KEY", "X_TICKET"), LONGEST_FIELD),
    **dict.fromkeys(("ACCESS_CONTROL_REQUEST_METHOD", "X_HTTP_METHOD_OVERRIDE"), LONGEST_FIELD),
    **dict.fromkeys(("X_FORWARDED_FOR", "X_FORWARDED_HOST", "X_FORWARDED_PROTO"), LONGEST_FIELD),
}
# Browsers and apps write these as they like, and no response needs them, so a long one is not refused. A form
# without a Referer is recognized by its Origin.
IGNORED_WHEN_LONG = ("USER_AGENT", "HX_CURRENT_URL", "REFERER")
MESSAGES_COOKIE = "messages"  # Django's; the serverless folder lacks the module of its messages
# Other sites on the same host name (every program at localhost) share their cookies with this site.
LONGEST_COOKIE = 8000

# Parameters of a Content-Type in an encoding of the request's choice. Some of Python's take time that grows
# with the square of the length, and Django decodes the query with it before anything can refuse it.
FOREIGN_ENCODING = re.compile(r"\*|charset\s*=(?!\s*\"?utf-?8(?![\w-]))", re.IGNORECASE)


class MalformedHead(ValueError):
    """A field of a request's head is too long to be parsed, or asks for another encoding than UTF-8."""


def clean_fields(fields: Mapping[str, str]) -> dict[str, str]:
    """Return the fields without those to be ignored; a long Cookie keeps only our cookies.

    Raise MalformedHead for a field that is refused.
    """
    for name, text in fields.items():
        if len(text) > LONGEST_FIELDS.get(name, len(text)):
            raise MalformedHead(f"{name} is too long")
    cleaned = dict(fields)
    if (length := fields.get("CONTENT_LENGTH")) and not (length.isascii() and length.isdigit()):
        raise MalformedHead("CONTENT_LENGTH is no number")
    if (kind := fields.get("CONTENT_TYPE")) and FOREIGN_ENCODING.search(kind):
        raise MalformedHead("CONTENT_TYPE is not in UTF-8")
    for name in IGNORED_WHEN_LONG:
        if len(fields.get(name, "")) > LONGEST_FIELD:
            del cleaned[name]
    if (url := cleaned.get("HX_CURRENT_URL")) and not _is_url(url):
        del cleaned["HX_CURRENT_URL"]
    if len(fields.get("COOKIE", "")) > LONGEST_COOKIE:
        cleaned["COOKIE"] = _site_cookies(fields["COOKIE"])
    return cleaned


def _is_url(text: str) -> bool:
    """Return whether htmx's field can be split as a URL, as it is and decoded: its script may encode it."""
    try:
        urlsplit(text), urlsplit(unquote(text))
    except ValueError:
        return False
    return True


def _site_cookies(header: str) -> str:
    """Return this site's cookies from a Cookie header; "" if even these are too long."""
    names = {
        settings.SESSION_COOKIE_NAME,
        settings.CSRF_COOKIE_NAME,
        settings.LANGUAGE_COOKIE_NAME,
        settings.THEME_COOKIE_NAME,
        MESSAGES_COOKIE,
    }
    cookies = "; ".join(
        cookie for cookie in map(str.strip, header.split(";")) if cookie.partition("=")[0] in names
    )
    return cookies if len(cookies) <= LONGEST_COOKIE else ""
