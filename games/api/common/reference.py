"""The API for people: a page made from its description."""

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
    """One part of what is sent or answered: its name, its type in short, and what it is."""

    name: str
    type: str
    is_required: bool
    text: str


@dataclass(frozen=True)
class Form:
    """An object that is sent or answered; `told_at` is the operation above that has told its parts, "" at the first."""

    name: str
    text: str = ""
    parts: tuple[Part, ...] = ()
    told_at: str = ""


@dataclass(frozen=True)
class Operation:
    """One thing to ask for."""

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
    """What can be asked, what is answered, and what each problem means."""
    described = openapi()
    operations = tuple(_operations(described))
    context = {
        "text": described["info"]["description"],
        "operations": operations,
        # the same wherever they are sent
        "headers": {part.name: part for one in operations for part in one.headers}.values(),
        "always": ALWAYS,
        "problems": [
            (kind.code, kind.status, translate(kind.title), translate(kind.detail)) for kind in KINDS.values()
        ],
    }
    return render(request, "games/api/reference.html", context)


def _operations(described: Mapping[str, Any]) -> Iterator[Operation]:
    told: dict[str, str] = {}
    for path, methods in described["paths"].items():
        for method, said in methods.items():
            sent = said.get("requestBody", {}).get("content", {}).get(JSON, {})
            yield Operation(
                key=said["operationId"],
                method=method.upper(),
                path=path,
                summary=said["summary"],
                text=said["description"],
                parameters=tuple(_parameters(said, "path", "query")),
                headers=tuple(_parameters(said, "header")),
                sent=tuple(_forms(sent.get("schema"), described, told, said["operationId"])),
                answered=tuple(_forms(_answered(said["responses"]), described, told, said["operationId"])),
                problems=tuple(_problems(said["responses"])),
            )


def _answered(responses: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The form of what is answered where all went well, None of a text."""
    contents = (found.get("content", {}) for found in responses.values())
    return next((content[JSON]["schema"] for content in contents if JSON in content), None)


def _problems(responses: Mapping[str, Any]) -> Iterator[str]:
    """The codes of what may go wrong with it, besides what may with any."""
    for found in responses.values():
        if MEDIA_TYPE in found.get("content", {}):
            yield from (code for code in found["description"].split(", ") if code not in ALWAYS)


def _parameters(said: Mapping[str, Any], *places: str) -> Iterator[Part]:
    """What is sent besides the body, in one of these places."""
    for found in said.get("parameters", ()):
        if found["in"] in places:
            is_required = found.get("required", False)
            yield Part(found["name"], _type(found["schema"]), is_required, found.get("description", ""))


def _forms(
    schema: Mapping[str, Any] | None, described: Mapping[str, Any], told: dict[str, str], operation: str
) -> Iterator[Form]:
    """The object, each of several that may stand in one place, and below it those it is made of.

    `told` says where each was told, in parts, and is kept: a page that tells all of them each time is heavy.
    """
    waiting, seen = [schema] if schema else [], set()
    while waiting:
        found = waiting.pop(0)
        name = _name(found)
        if name in seen:
            continue
        seen.add(name)
        if name:
            found = described["components"]["schemas"][name]
        if told.get(name, operation) != operation:
            yield Form(name, told_at=told[name])
            continue
        inside = found.get("oneOf", ()) if name or "properties" not in found else ()
        parts = found.get("properties", {})
        if parts:
            required = found.get("required", ())
            if name:
                told[name] = operation
            yield Form(
                name,
                found.get("description", ""),
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
    """What a schema that is described elsewhere is called there, "" for one that stands here."""
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
