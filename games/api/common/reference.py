"""The reference page of the API, generated from its OpenAPI schema."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games.api.common.problems import KINDS, MEDIA_TYPE
from games.api.common.schema import ALWAYS, openapi
from games.shown.common.sentences import translate

JSON = "application/json"


@dataclass(frozen=True)
class Part:
    """A field of a body or an answer, or a parameter: its name, its type in short, and its meaning."""

    name: str
    type: str
    is_required: bool
    text: str


@dataclass(frozen=True)
class Form:
    """An object of a request or an answer.

    If an earlier operation already lists the fields of this object, `told_at` is that operation's id,
    and `parts` is empty.
    """

    name: str
    text: str = ""
    parts: tuple[Part, ...] = ()
    told_at: str = ""


@dataclass(frozen=True)
class Operation:
    """One operation of the API."""

    key: str
    method: str
    path: str
    summary: str
    text: str
    parameters: tuple[Part, ...]
    headers: tuple[Part, ...]
    sent: tuple[Form, ...]
    answered: tuple[Form, ...]
    problems: tuple[str, ...]


@require_safe
def reference(request: HttpRequest) -> HttpResponse:
    """Show every operation with its parameters and fields, and the meaning of each problem."""
    described = openapi()
    operations = tuple(_operations(described))
    context = {
        "text": described["info"]["description"],
        "operations": operations,
        # a header has the same meaning in every operation
        "headers": {part.name: part for operation in operations for part in operation.headers}.values(),
        "always": ALWAYS,
        "problems": [
            (kind.code, kind.status, translate(kind.title), translate(kind.detail)) for kind in KINDS.values()
        ],
    }
    return render(request, "games/api/reference.html", context)


def _operations(described: Mapping[str, Any]) -> Iterator[Operation]:
    listed: dict[str, str] = {}
    for path, methods in described["paths"].items():
        for method, operation in methods.items():
            key, responses = operation["operationId"], operation["responses"]
            body = operation.get("requestBody", {}).get("content", {}).get(JSON, {})
            yield Operation(
                key=key,
                method=method.upper(),
                path=path,
                summary=operation["summary"],
                text=operation["description"],
                parameters=tuple(_parameters(operation, "path", "query")),
                headers=tuple(_parameters(operation, "header")),
                sent=tuple(_forms(body.get("schema"), described, listed, key)),
                answered=tuple(_forms(_answered(responses), described, listed, key)),
                problems=tuple(_problems(responses)),
            )


def _answered(responses: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return the schema of the successful JSON response; None if the response is not JSON."""
    contents = (response.get("content", {}) for response in responses.values())
    return next((content[JSON]["schema"] for content in contents if JSON in content), None)


def _problems(responses: Mapping[str, Any]) -> Iterator[str]:
    """Yield the problem codes of an operation, without those that every operation has."""
    for response in responses.values():
        if MEDIA_TYPE in response.get("content", {}):
            yield from (code for code in response["description"].split(", ") if code not in ALWAYS)


def _parameters(operation: Mapping[str, Any], *places: str) -> Iterator[Part]:
    """Yield the parameters of these kinds: path, query or header."""
    for part in operation.get("parameters", ()):
        if part["in"] in places:
            is_required = part.get("required", False)
            yield Part(part["name"], _type(part["schema"]), is_required, part.get("description", ""))


def _forms(
    schema: Mapping[str, Any] | None, described: Mapping[str, Any], listed: dict[str, str], operation: str
) -> Iterator[Form]:
    """Yield a Form for each object of a schema: the outermost first, then the objects nested inside it.

    `listed` has, by an object's name, the operation that first lists the object's fields. Listing them again
    would make the page too heavy: a later operation refers to the first one instead.
    """
    waiting, seen = [schema] if schema else [], set()
    while waiting:
        schema = waiting.pop(0)
        name = _name(schema)
        if name in seen:
            continue
        seen.add(name)
        if name:
            schema = described["components"]["schemas"][name]
        if listed.get(name, operation) != operation:
            yield Form(name, told_at=listed[name])
            continue
        inside = schema.get("oneOf", ()) if name or "properties" not in schema else ()
        parts = schema.get("properties", {})
        if parts:
            required = schema.get("required", ())
            if name:
                listed[name] = operation
            yield Form(
                name,
                schema.get("description", ""),
                tuple(
                    Part(key, _type(part), key in required, part.get("description", ""))
                    for key, part in parts.items()
                ),
            )
        waiting += [other for other in inside if _name(other)]
        waiting += [other for part in parts.values() for other in _referred(part)]


def _referred(part: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    for other in (part, part.get("items", {}), *part.get("allOf", ())):
        if _name(other):
            yield other


def _name(schema: Mapping[str, Any]) -> str:
    """Return the name that a `$ref` schema refers to; an empty string for any other schema."""
    return str(schema.get("$ref", "")).rpartition("/")[2]


def _type(schema: Mapping[str, Any]) -> str:
    if name := _name(schema):
        return name
    for several in ("oneOf", "allOf", "anyOf"):
        if several in schema:
            return " | ".join(_type(other) for other in schema[several] if other != {"enum": [None]})
    if "enum" in schema:
        return " | ".join(json.dumps(value) for value in schema["enum"])
    if schema.get("type") == "array":
        return f"[{_type(schema['items'])}]"
    return str(schema.get("type", "object"))
