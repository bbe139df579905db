"""The two things that every write needs: the idempotency key, and the version that the client has seen."""

from __future__ import annotations

import re

from django.utils.http import parse_etags
from rest_framework.request import Request

from games.common.api.problems import ApiProblem
from games.models import KEY_LENGTH
from games.scoring.i18n import _

KEY_HEADER, VERSION_HEADER, SEEN_HEADER = "Idempotency-Key", "If-Match", "If-None-Match"
HIGHEST = 10**9  # limit of a version
# The ETag of a game: its version and a digest.
_VERSION = re.compile(r'(?:W/)?"([0-9]{1,10})(?:\.[0-9a-f]+)?"')
AFTER = "The `version` that was seen; or send the ETag as If-Match."


def get_idempotency_key(request: Request) -> str:
    """Return the idempotency key; raise ApiProblem if it is missing or malformed."""
    key = request.headers.get(KEY_HEADER, "")
    if not key:
        raise ApiProblem("misshapen", _("“{name}” is missing.", name=KEY_HEADER), field=KEY_HEADER)
    if len(key) > KEY_LENGTH or not key.isprintable():
        wrong = _("A key must have 1 to {longest} characters.", longest=KEY_LENGTH)
        raise ApiProblem("misshapen", wrong, field=KEY_HEADER)
    return key


def matches_etag(request: Request, tag: str) -> bool:
    """Return whether the client has this response: its ETag `tag`, or `*`, is in `If-None-Match`."""
    known = _known_etags(request)
    return known == ["*"] or tag in known


def find_etag(request: Request, digest: str) -> str:
    """Return the ETag in `If-None-Match` that has this digest, with or without a version; "" for none."""
    ends = (f'"{digest}"', f'.{digest}"')
    return next((etag for etag in _known_etags(request) if etag.endswith(ends)), "")


def _known_etags(request: Request) -> list[str]:
    return [etag.removeprefix("W/") for etag in parse_etags(request.headers.get(SEEN_HEADER, ""))]


def get_seen_version(request: Request, after: int | None) -> int:
    """Return the version that the client has seen, from `after` in the body or from the header `If-Match`.

    Raise ApiProblem if both are missing, if the header has no version, or if the two differ.
    """
    header = request.headers.get(VERSION_HEADER)
    if header is None:
        if after is None:
            raise ApiProblem("misshapen", _("“{name}” is missing.", name="after"), field="after")
        return after
    tag = _VERSION.fullmatch(header.strip())
    if tag is None or int(tag[1]) > HIGHEST:
        sentence = _("If-Match must be one ETag from an earlier response.")
        raise ApiProblem("misshapen", sentence, field=VERSION_HEADER)
    if after is not None and int(tag[1]) != after:
        sentence = _("“after” and If-Match differ: send one, or the same in both.")
        raise ApiProblem("misshapen", sentence, field="after")
    return int(tag[1])
