"""The OpenAPI schema of the API, generated from the endpoints and serializers, including the problems."""

from __future__ import annotations

from functools import cache
from typing import Any

from django.urls import include, path
from django.utils import translation
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.decorators import api_view, permission_classes
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.common.links import link
from games.api.common.problems import KINDS, MEDIA_TYPE

OPENAPI = "application/vnd.oai.openapi+json"

# The problems of every request with a body.
BODY = ("malformed", "misshapen", "too_slow", "too_large", "unsupported_media_type", "refused", "too_much")
# The problems of every request that writes to a table.
WRITE = (*BODY, "not_found", "stale", "key_reused")
# The problems of every request.
ALWAYS = (
    *("bad_request", "unauthenticated", "forbidden", "method_not_allowed", "too_many_requests"),
    *("broken", "unavailable"),
)


# The authentication of `session_only` endpoints: a session; a token is refused.
SESSION: Any = [{"cookieAuth": []}]
SESSION_OR_NOBODY: Any = [{}, *SESSION]

CODE = OpenApiParameter(
    "code",
    OpenApiTypes.STR,
    OpenApiParameter.PATH,
    description="The code of a table or a game, as in the address of its page.",
)


class ProblemSaid(serializers.Serializer[Any]):
    """A problem (RFC 9457): what is wrong, and where."""

    type = serializers.CharField(help_text="The address that explains this kind of problem.")
    title = serializers.CharField(help_text="The kind of problem, in the reader's language.")
    status = serializers.IntegerField()
    detail = serializers.CharField(help_text="The explanation of this problem, in the reader's language.")
    code = serializers.ChoiceField(choices=sorted(KINDS))
    field = serializers.CharField(
        required=False, help_text="The field of the body or the part of the address that is wrong."
    )
    line = serializers.IntegerField(
        required=False, help_text=("The number of the wrong line in a game sent as text.")
    )
    event = serializers.IntegerField(
        required=False, help_text=("The number of the wrong event; the first event has the number 1.")
    )
    version = serializers.CharField(
        required=False, help_text="The present version, if the version in the request is outdated."
    )
    since = serializers.ListField(
        child=serializers.DictField(),
        required=False,
        help_text=("The events recorded since the version in the request."),
    )


def refusals(*codes: str) -> dict[tuple[int, str], OpenApiResponse]:
    """Return the responses of an endpoint for these problem codes.

    The code "body" is short for the problems of every body, "write" for those of every write to a table.
    """
    several_of = {"body": BODY, "write": WRITE}
    wanted = {code for name in (*codes, *ALWAYS) for code in several_of.get(name, (name,))}
    by_status: dict[int, list[str]] = {}
    for code, kind in KINDS.items():
        if code in wanted:
            by_status.setdefault(kind.status, []).append(code)
    return {
        (status, MEDIA_TYPE): OpenApiResponse(ProblemSaid, description=", ".join(several))
        for status, several in by_status.items()
    }


# These operations need a body; the generator marks a body as required only if it is a single serializer.
WITH_A_BODY = frozenset({"score", "import_table"})


@cache
def openapi() -> dict[str, Any]:
    """Return the whole OpenAPI schema, in English; it is generated once per process."""
    with translation.override("en"):
        patterns = [path("api/", include("games.api.urls"))]
        generator = SchemaGenerator(patterns=patterns)  # type: ignore[no-untyped-call]
        described = dict(generator.get_schema(request=None, public=True))  # type: ignore[no-untyped-call]
    for methods in described["paths"].values():
        for operation in methods.values():
            if operation["operationId"] in WITH_A_BODY:
                operation["requestBody"]["required"] = True
    link(described)
    return described


@extend_schema(exclude=True)
@api_view(["GET", "HEAD"])
@permission_classes([AllowAny])
def schema(request: Request) -> Response:
    """Return the OpenAPI schema as JSON."""
    return Response(openapi(), content_type=OPENAPI)
