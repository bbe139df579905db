"""The pages about the API, and its OpenAPI document, which drf-spectacular makes from the views.

Swagger UI shows the document at `/api/`. Its files are served by this site, and its page has the content
security policy of every page.
"""

from __future__ import annotations

import json
from functools import cache
from inspect import getdoc
from pathlib import Path
from threading import Lock
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import translation
from django.views.decorators.http import require_safe
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.decorators import api_view, permission_classes
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from games.common import program, texts
from games.common.api import write_headers
from games.common.api.problems import MEDIA_TYPE, PROBLEM_TYPES
from games.models import KEY_LENGTH

GUIDE = program.path("docs", "api.md")
EXAMPLES = Path(__file__).with_name(
    "examples.json"
)  # responses for the demo's table, by operation and status
OPENAPI = "application/vnd.oai.openapi+json"
METHODS = ("get", "post", "put", "patch", "delete")
GENERATING = Lock()

KEY = OpenApiParameter(
    write_headers.KEY_HEADER,
    {"type": "string", "minLength": 1, "maxLength": KEY_LENGTH},
    OpenApiParameter.HEADER,
    required=True,
    description=(
        f"Any text of 1 to {KEY_LENGTH} characters chosen by the program, new for each write. A repeated request "
        "with the same key records nothing twice."
    ),
)
VERSION = OpenApiParameter(
    write_headers.VERSION_HEADER,
    OpenApiTypes.STR,
    OpenApiParameter.HEADER,
    description="The ETag of the game that the program has seen, instead of `after` in the body.",
)
SEEN = OpenApiParameter(
    write_headers.SEEN_HEADER,
    OpenApiTypes.STR,
    OpenApiParameter.HEADER,
    description="The ETag of an earlier answer. If nothing changed since, the response is 304 without a body.",
)
TAG = OpenApiParameter(
    "ETag",
    OpenApiTypes.STR,
    OpenApiParameter.HEADER,
    description="The version of the answer.",
    response=[200],
)


class ProblemSerializer(serializers.Serializer[Any]):
    """A problem (RFC 9457): what is wrong, and where."""

    type = serializers.CharField(help_text="The address that explains this kind of problem.")
    status = serializers.IntegerField()
    detail = serializers.CharField(help_text="The explanation of this problem, in the reader's language.")
    code = serializers.ChoiceField(
        choices=sorted(PROBLEM_TYPES),
        help_text="The kind of the problem; it never changes its meaning.",
    )
    field = serializers.CharField(
        required=False,
        help_text=(
            "The field of the body, the parameter or the header that is wrong; of a refused event the part that "
            "the rules refuse, such as `closer`, `player` or `hand-beto`."
        ),
    )
    pointer = serializers.CharField(
        required=False, help_text="The wrong part of the body, as a JSON pointer."
    )
    line = serializers.IntegerField(
        required=False, help_text="The wrong line of a game that was sent as text."
    )
    number = serializers.IntegerField(
        required=False,
        help_text="The number that the refused event has, or would have had, in the game: which of several it is.",
    )
    role = serializers.CharField(required=False, help_text="The lowest role at the table that would suffice.")
    table = serializers.CharField(required=False, help_text="The code of your table with games of the file.")
    game_version = serializers.IntegerField(
        required=False,
        min_value=0,
        max_value=write_headers.HIGHEST,
        help_text="If the `after` of the request is stale: the present version, to be sent as the next `after`.",
    )
    version = serializers.IntegerField(
        required=False,
        min_value=0,
        max_value=write_headers.HIGHEST,
        help_text="The same as `game_version`.",
    )
    since = serializers.ListField(
        child=serializers.DictField(),
        required=False,
        help_text="The events after that `after`; missing if the game has not reached that number yet.",
    )


class OperationSchema(AutoSchema):
    """The description of an operation: its docstring, and the additions of `BaseViewSet`."""

    def get_summary(self) -> str:
        """Return the first line of the action's docstring, without its period."""
        return self._docstring()[0].rstrip(".")

    def get_description(self) -> str:  # type: ignore[override]  # as drf-spectacular has it
        """Return the rest of the docstring."""
        return "\n".join(self._docstring()[2:])

    def get_override_parameters(self) -> list[Any]:
        """Return the headers and the URL parameters that the view declares for the action."""
        view: Any = self.view
        query = view.queries.get(view.action)
        return [
            *([query] if query else []),
            *([KEY] if view.action in view.keyed else []),
            *([VERSION] if view.action in view.versioned else []),
            *([SEEN, TAG] if self.method == "GET" else []),
        ]

    def get_request_serializer(self) -> Any:
        """Return the serializer of the body; None for a GET."""
        return None if self.method == "GET" else super().get_request_serializer()

    def _get_response_bodies(self, direction: Any = "response") -> dict[str, Any]:
        bodies = super()._get_response_bodies(direction)
        problem = self._get_response_for_code(ProblemSerializer, "400", [MEDIA_TYPE], direction)  # type: ignore[no-untyped-call]
        unchanged = {"304": {"description": "Nothing changed since the answer with this ETag."}}
        return {**bodies, **(unchanged if self.method == "GET" else {}), "4XX": problem, "5XX": problem}

    def _docstring(self) -> list[str]:
        view: Any = self.view
        action = getattr(view, view.action)
        return (getdoc(action) or getdoc(view) or "").splitlines()


def sort_methods(result: dict[str, Any], **_context: Any) -> dict[str, Any]:
    """Sort the operations of each path by METHODS, because drf-spectacular reads them from a set."""
    for path, operations in result["paths"].items():
        result["paths"][path] = {method: operations[method] for method in METHODS if method in operations}
    return result


def with_guide(result: dict[str, Any], **_context: Any) -> dict[str, Any]:
    """Describe the API by its guide; drf-spectacular calls this with the finished document."""
    result["info"]["description"] = GUIDE.read_text(encoding="utf-8")
    return result


def with_examples(result: dict[str, Any], **_context: Any) -> dict[str, Any]:
    """Add the stored responses to the operations that they belong to; drf-spectacular calls this."""
    examples = json.loads(EXAMPLES.read_text(encoding="utf-8"))
    for operations in result["paths"].values():
        for operation in operations.values():
            for status, answer in examples.get(operation["operationId"], {}).items():
                operation["responses"][status]["content"]["application/json"]["example"] = answer
    return result


def openapi() -> dict[str, Any]:
    """Return the OpenAPI document, under a lock: two threads that generate it at once disturb each other."""
    with GENERATING:
        return generate()


@cache
def generate() -> dict[str, Any]:
    """Return the OpenAPI document in English. It is generated once per process."""
    with translation.override("en"):
        generator = SchemaGenerator()  # type: ignore[no-untyped-call]
        return dict(generator.get_schema(request=None, public=True))  # type: ignore[no-untyped-call]


@extend_schema(exclude=True)
@api_view(["GET", "HEAD"])
@permission_classes([AllowAny])
def schema(request: Request) -> Response:
    """Return the OpenAPI document as JSON."""
    return Response(openapi(), content_type=OPENAPI)


@require_safe
def viewer(request: HttpRequest) -> HttpResponse:
    """Show the OpenAPI document, which begins with the guide; every operation can be tried."""
    return render(request, "api/viewer.html")


@require_safe
def problems(request: HttpRequest) -> HttpResponse:
    """Explain each problem under its code."""
    kinds = [(kind.code, kind.status, texts.translate(kind.detail)) for kind in PROBLEM_TYPES.values()]
    return render(request, "api/problems.html", {"problems": kinds})
