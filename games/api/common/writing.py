"""The values sent with every write: the idempotency key, the version the client has seen, and the time."""

from __future__ import annotations

import re
from datetime import datetime

from django.utils.http import parse_etags
from django.utils.timezone import now
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request

from games.api.common.problems import Problem
from games.api.common.serializers import Parts
from games.models import KEY_LENGTH
from games.play.moments import clamped
from games.scoring.words import _

KEY_HEADER, VERSION_HEADER, SEEN_HEADER = "Idempotency-Key", "If-Match", "If-None-Match"
HIGHEST = 10**9  # limit of a version that is a number
_TAG = re.compile(r'(?:W/)?"([!-~]{1,64})"')  # a single ETag, as in an answer

KEY = OpenApiParameter(
    KEY_HEADER,
    {"type": "string", "minLength": 1, "maxLength": KEY_LENGTH},
    OpenApiParameter.HEADER,
    required=True,
    description=(
        f"Any text of 1 to {KEY_LENGTH} characters chosen by the program, new for each write. A repeated request "
        "with the same key records nothing twice."
    ),
)
VERSION = OpenApiParameter(
    VERSION_HEADER,
    OpenApiTypes.STR,
    OpenApiParameter.HEADER,
    description="The ETag of the version that the program has seen, instead of “after” in the body.",
)
TAG = OpenApiParameter(
    "ETag",
    OpenApiTypes.STR,
    OpenApiParameter.HEADER,
    description="The version of the answer.",
    response=[200, 201],
)


def key_sent(request: Request) -> str:
    """Return the idempotency key; raise Problem if it is missing or malformed."""
    key = request.headers.get(KEY_HEADER, "")
    if not 1 <= len(key) <= KEY_LENGTH or not key.isprintable():
        wrong = _("A key must have 1 to {longest} characters.", longest=KEY_LENGTH)
        raise Problem("misshapen", wrong, field=KEY_HEADER)
    return key


def version_sent(request: Request) -> str | None:
    """Return the version in the `If-Match` header, without its quotes; None without the header.

    Raise Problem unless the header is exactly one ETag.
    """
    header = request.headers.get(VERSION_HEADER)
    if header is None:
        return None
    tag = _TAG.fullmatch(header.strip())
    if tag is None:
        raise Problem(
            "misshapen", _("If-Match must be one ETag from an earlier answer."), field=VERSION_HEADER
        )
    return tag[1]


def is_known(request: Request, tag: str) -> bool:
    """Return whether the client has this answer: its ETag `tag`, or `*`, is in the header `If-None-Match`."""
    known = parse_etags(request.headers.get(SEEN_HEADER, ""))
    return known == ["*"] or tag in {etag.removeprefix("W/") for etag in known}


def after_sent(request: Request, sent: Parts) -> int:
    """Return the number of the last event that the client has seen.

    The number comes from the field `after` or the `If-Match` header. Raise Unreadable without either, and
    Problem if the two differ or the header has no number.
    """
    tag = version_sent(request)
    # An ETag is the version, a dot and a digest. The version of a game is the number of its last event.
    tag = tag and tag.partition(".")[0]
    if tag is None or "after" in sent:
        after = int(sent["after"])
        if tag is not None and tag != str(after):
            raise Problem(
                "misshapen", _("“after” and If-Match differ: send one, or the same in both."), field="after"
            )
        return after
    if not tag.isascii() or not tag.isdigit() or int(tag) > HIGHEST:
        raise Problem(
            "misshapen", _("If-Match must be one ETag from an earlier answer."), field=VERSION_HEADER
        )
    return int(tag)


def moment_sent(sent: Parts, *, earliest: datetime) -> datetime:
    """Return the time of the entry: the field `at`, which a program that was offline sends, else now.

    A time before `earliest` (e.g. the time of the game's last event) becomes `earliest`, a time in the future
    becomes now.
    """
    return clamped(sent["at"], earliest=earliest) if "at" in sent else now()
