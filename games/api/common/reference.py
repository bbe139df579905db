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
from games.api.common.schema import openapi
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
    """An object that is sent or answered."""

    text: str
    parts: tuple[Part, ...]


@dataclass(frozen=True)
class Example:
    """A body as it may be sent, or as it is answered."""

    name: str
    body: str


@dataclass(frozen=True)
class Operation:
    """One thing to ask for."""

    key: str
    method: str
    path: str
    summary: str
    text: str
    parameters: tuple[Part, ...]
    sent: tuple[Form, ...]
    answered: tuple[Form, ...]
    examples: tuple[Example, ...]
    problems: tuple[str, ...]


@require_safe
def reference(request: HttpRequest) -> HttpResponse:
    """What can be asked, what is answered, and what each problem means."""
    described = openapi()
    context = {
        "text": described["info"]["description"],
        "operations": tuple(_operations(described)),
        "problems": [
            (kind.code, kind.status, translate(kind.title), translate(kind.detail)) for kind in KINDS.values()
        ],
    }
    return render(request, "games/api/reference.html", context)


def _operations(described: Mapping[str, Any]) -> Iterator[Operation]:
    for path, methods in described["paths"].items():
        for method, said in methods.items():
            sent = said.get("requestBody", {}).get("content", {}).get(JSON, {})
            answered = said["responses"]["200"]["content"][JSON]
            yield Operation(
                key=said["operationId"],
                method=method.upper(),
                path=path,
                summary=said["summary"],
                text=said["description"],
                parameters=tuple(_parameter(found) for found in said.get("parameters", ())),
                sent=tuple(_forms(sent.get("schema"), described)),
                answered=tuple(_forms(answered["schema"], described)),
                examples=(*_examples(sent), *_examples(answered)),
                problems=tuple(_problems(said["responses"])),
            )


def _problems(responses: Mapping[str, Any]) -> Iterator[str]:
    """The codes of what may go wrong."""
    for found in responses.values():
        if MEDIA_TYPE in found["content"]:
            yield from found["description"].split(", ")


def _parameter(said: Mapping[str, Any]) -> Part:
    return Part(said["name"], _type(said["schema"]), said.get("required", False), said.get("description", ""))


def _forms(schema: Mapping[str, Any] | None, described: Mapping[str, Any]) -> Iterator[Form]:
    """The object, each of several that may stand in one place, and below it those it is made of."""
    waiting, seen = [schema] if schema else [], set()
    while waiting:
        found = waiting.pop(0)
        name = _name(found)
        if name in seen:
            continue
        seen.add(name)
        if name:
            found = described["components"]["schemas"][name]
        inside = found.get("oneOf", ()) if name or "properties" not in found else ()
        parts = found.get("properties", {})
        if parts:
            required = found.get("required", ())
            yield Form(
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


def _examples(content: Mapping[str, Any]) -> Iterator[Example]:
    for key, example in content.get("examples", {}).items():
        yield Example(example.get("summary", key), json.dumps(example["value"], ensure_ascii=False, indent=1))
