"""The OpenAPI schema, generated from endpoints and serializers and completed with roles and links."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

from django.urls import URLPattern, include, path
from django.utils import translation
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.decorators import api_view, permission_classes
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.common.links import link
from games.api.common.location import CREATED
from games.api.common.operations import SESSION
from games.api.common.problems import KINDS, MEDIA_TYPE
from games.api.common.roles import limits_of, path_of, role_of, scopes_of
from games.people.access import Scope

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


SESSION_OR_NOBODY: Any = [{}, *SESSION]


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
    pointer = serializers.CharField(
        required=False, help_text="The wrong event of the body, or its wrong part, as a JSON pointer."
    )
    number = serializers.IntegerField(
        required=False,
        help_text="The number that the refused event has, or would have had, in the log of the game.",
    )
    role = serializers.CharField(
        required=False, help_text="The lowest role at the table that would suffice: scorer or owner."
    )
    scope = serializers.ChoiceField(
        choices=[str(scope) for scope in Scope],
        required=False,
        help_text="The scope that the token lacks: money or record.",
    )
    table = serializers.CharField(
        required=False, help_text="The code of your table that has games of the file."
    )
    version = serializers.CharField(
        required=False, help_text="The same as `after`, as text. Programs send `after`, which is a number."
    )
    after = serializers.IntegerField(
        required=False,
        help_text=(
            "If the `after` of the request is not the number of the last event of the game: that number, to be "
            "sent as the next `after`."
        ),
    )
    since = serializers.ListField(
        child=serializers.DictField(),
        required=False,
        help_text=(
            "The events after the `after` of the request; missing if the game has not reached that number yet."
        ),
    )


def refusals(*codes: str) -> dict[tuple[int, str], OpenApiResponse]:
    """Return the error responses of an operation for these problem codes and those of every operation.

    The code "body" stands for all codes in `BODY`, "write" for those in `WRITE`.
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


# Operations that require a body of several types; the generator marks only single serializers as required.
WITH_A_BODY = frozenset({"score", "import_table"})


# The GET operations that answer without an ETag.
WITHOUT_TAG = frozenset({"variants", "variant", "export_spreadsheet", "stream_changes"})


@cache
def openapi() -> dict[str, Any]:
    """Return the whole OpenAPI schema, in English; it is generated once per process."""
    with translation.override("en"):
        patterns = [path("api/", include("games.api.urls"))]
        generator = SchemaGenerator(patterns=patterns)  # type: ignore[no-untyped-call]
        described = dict(generator.get_schema(request=None, public=True))  # type: ignore[no-untyped-call]
    pages = {path_of(page): page for page in pages_of_operations()}
    for address, methods in described["paths"].items():
        for method, operation in methods.items():
            if operation["operationId"] in WITH_A_BODY:
                operation["requestBody"]["required"] = True
            if role := role_of(operation["operationId"], address):
                operation["x-role"] = role
            if scopes := scopes_of(operation["operationId"], method, operation["security"]):
                operation["x-scopes"] = scopes
            operation["x-limits"] = limits_of(pages[address])
            _describe_headers(operation, method, str(pages[address].name))
    link(described)
    return described


def pages_of_operations() -> list[URLPattern]:
    """Return the URL patterns of all operations, which are those of version 1."""
    urls = import_module("games.api.urls")  # imported late, because it imports this module
    return [page for page in urls.urlpatterns if str(page.pattern).startswith("v1/")]


def _describe_headers(operation: dict[str, Any], method: str, page: str) -> None:
    """Describe, in the schema of an operation, the headers that `Endpoint` adds to its answers.

    They are `Location` if the operation creates something, or `ETag` (with the header `If-None-Match` and the
    response 304) if it reads. `page` is the URL name of the operation. `method` is its HTTP method in lower
    case.
    """
    responses = operation["responses"]
    if page in CREATED and "201" in responses:
        created = {"schema": {"type": "string"}, "description": "The address of what was created."}
        responses["201"].setdefault("headers", {})["Location"] = created
    elif method == "get" and operation["operationId"] not in WITHOUT_TAG:
        tag = {"schema": {"type": "string"}, "description": "A digest of the answer."}
        responses["200"].setdefault("headers", {}).setdefault("ETag", tag)
        responses["304"] = {"description": "Nothing changed since the answer with this ETag."}
        text = "The ETag of an earlier answer. If nothing changed since, the response is 304 without a body."
        seen = {"in": "header", "name": "If-None-Match", "schema": {"type": "string"}, "description": text}
        operation.setdefault("parameters", []).insert(0, seen)


@extend_schema(exclude=True)
@api_view(["GET", "HEAD"])
@permission_classes([AllowAny])
def schema(request: Request) -> Response:
    """Return the OpenAPI schema as JSON."""
    return Response(openapi(), content_type=OPENAPI)
