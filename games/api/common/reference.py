"""The page about the API: a guide, and the reference, which is generated from the OpenAPI schema."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.http import FileResponse, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from games.api.common.guide import STEPS, settings_in_curl, settings_in_python
from games.api.common.notation import ROUNDS
from games.api.common.problems import KINDS, MEDIA_TYPE
from games.api.common.roles import USER, path_of, wing_of
from games.api.common.schema import ALWAYS, openapi, pages_of_operations
from games.network import client_key
from games.people.trials import Trial, make_trial
from games.scoring.errors import RuleError
from games.scoring.variants import VARIANTS
from games.scoring.words import Text, _
from games.shown.common.sentences import translate

JSON = "application/json"
EVENT = "EventNow"  # the component with a mapping of every kind of event
EVENTS = "events-of-games"  # the anchor of the section about events
# Components whose fields only the section about events lists. Operations with one of `OF_EVENTS` refer to it.
INSIDE_EVENTS = ("EventLine", "EventPlayer", "EventNewcomer", "RulesAgreedData", "PlayersSeatedData")
OF_EVENTS = dict.fromkeys((EVENT, "EventSent", "EventData"), EVENTS)


ROLES: Mapping[str, Text] = {
    "nobody": _("Everyone, also without a token"),
    "session": _("A signed-in session; no token"),
    "anonymous": _("With or without a signed-in session; no token"),
    "user": _("Any token"),
    "witness": _("Anyone with access to the table"),
    "member": _("Members of the table and scorekeepers"),
    "scorer": _("Scorekeepers of the table"),
    "owner": _("Owners of the table"),
}
SECTIONS: Mapping[str, Text] = {
    "play": _("Rules, tables and games"),
    "people": _("People and access"),
    "money": _("Money"),
    "season": _("Seasons and figures"),
    "notebook": _("Files and the feed"),
}


@dataclass(frozen=True)
class Part:
    """A field of a body or an answer, or a parameter: its name, its type in short, and its meaning."""

    name: str
    type: str
    is_required: bool
    text: str


@dataclass(frozen=True)
class Form:
    """An object of a request or an answer, or a kind of event with an example as JSON.

    If an earlier operation already lists the fields of this object, `told_at` is that operation's id,
    and `parts` is empty.
    """

    name: str
    text: str = ""
    parts: tuple[Part, ...] = ()
    told_at: str = ""
    example: str = ""


@dataclass(frozen=True)
class Operation:
    """An operation of the API, as the page shows it. `key` is its operation id."""

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
    roles: tuple[str, ...]
    scopes: tuple[str, ...]
    most: int  # the most requests in a minute

    @property
    def roles_in_words(self) -> list[str]:
        """The users who may call the operation: the texts of `ROLES` in the reader's language."""
        return [translate(ROLES[role]) for role in self.roles]


@dataclass(frozen=True)
class Section:
    """The operations of one wing (subject), such as money."""

    id: str
    title: str
    operations: tuple[Operation, ...]


@require_safe
def client(request: HttpRequest) -> FileResponse:
    """Send the Python client (`docs/client.py`) that the guide uses."""
    file = settings.BASE_DIR / "docs" / "client.py"
    return FileResponse(file.open("rb"), content_type="text/x-python; charset=utf-8", filename=file.name)


@require_safe
def reference(request: HttpRequest) -> HttpResponse:
    """Show the guide, every operation with its parameters and fields, and the meaning of each problem."""
    return _page(request)


@require_http_methods(["GET", "HEAD", "POST"])
def trial(request: HttpRequest) -> HttpResponse:
    """Create a trial table, which lasts an hour, and show the guide with a token for it.

    No later page shows this token. A request that is not a POST is redirected to the page about the API.
    """
    if request.method != "POST":
        return redirect("api")
    try:
        made = make_trial(client_key(request.META.get("REMOTE_ADDR", "")))
    except RuleError as refusal:
        return _page(request, refused=translate(refusal.text))
    return _page(request, made)


def _page(request: HttpRequest, made: Trial | None = None, *, refused: str = "") -> HttpResponse:
    described = openapi()
    sections = tuple(_sections(described))
    operations = [operation for section in sections for operation in section.operations]
    site = request.build_absolute_uri("/").rstrip("/")
    given = (site, made.secret, made.table.code) if made else (site, "anotador_…", "…")
    context = {
        "trial": made,
        "refused": refused,
        "text": described["info"]["description"],
        "steps": [(step, translate(step.title), translate(step.text)) for step in STEPS],
        "in_curl": settings_in_curl(*given),
        "in_python": settings_in_python(*given),
        "sections": sections,
        "events": tuple(_events(described)),
        "events_id": EVENTS,
        "notation": [(translate(VARIANTS[key].name), "\n".join(lines)) for key, lines in ROUNDS.items()],
        # listed once, because a header has the same meaning in every operation
        "headers": {part.name: part for operation in operations for part in operation.headers}.values(),
        "always": ALWAYS,
        "problems": [
            (kind.code, kind.status, translate(kind.title), translate(kind.detail)) for kind in KINDS.values()
        ],
    }
    return render(request, "games/api/reference.html", context, status=429 if refused else 200)


def _sections(described: Mapping[str, Any]) -> Iterator[Section]:
    listed = dict(OF_EVENTS)
    wings = {path_of(page): wing_of(page) for page in pages_of_operations()}
    for wing, title in SECTIONS.items():
        paths = {path: methods for path, methods in described["paths"].items() if wings[path] == wing}
        operations = tuple(_operations(described, paths, listed))
        yield Section(f"section-{wing}", translate(title), operations)


def _operations(
    described: Mapping[str, Any], paths: Mapping[str, Any], listed: dict[str, str]
) -> Iterator[Operation]:
    for path, methods in paths.items():
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
                roles=tuple(_roles(operation)),
                scopes=tuple(operation.get("x-scopes", ())),
                most=min(limit["most"] for limit in operation["x-limits"]),
            )


def _roles(operation: Mapping[str, Any]) -> Iterator[str]:
    """Yield the keys of `ROLES` that describe the users who may call this operation.

    For an operation that accepts a token this is the lowest role, e.g. "scorer", or "nobody" if everyone may
    call it. If it refuses tokens, "anonymous" means that no session is needed either; otherwise the keys are
    "session" and, at a table, the lowest role.
    """
    role, security = operation.get("x-role", "nobody"), operation["security"]
    if {"token": []} in security:
        yield role
    elif {} in security:
        yield "anonymous"
    else:
        yield "session"
        if role != USER:
            yield role


def _events(described: Mapping[str, Any]) -> Iterator[Form]:
    """Yield a Form for each kind of event, with an example, then one for each object nested in their data.

    `described` is the whole OpenAPI schema.
    """
    components = described["components"]["schemas"]
    for kind, place in components[EVENT]["discriminator"]["mapping"].items():
        schema = components[_name({"$ref": place})]
        data = components[_name(schema["properties"]["data"])]
        example = json.dumps(schema["example"], ensure_ascii=False)
        yield Form(kind, schema["description"], _parts(data), example=example)
    for name in INSIDE_EVENTS:
        schema = components[name]
        example = json.dumps(schema["example"], ensure_ascii=False) if "example" in schema else ""
        yield Form(name, schema["description"], _parts(schema), example=example)


def _answered(responses: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return the schema of an operation's JSON answer; None if it answers something else, e.g. a file.

    `responses` are those of the operation in OpenAPI. The errors among them have a media type of their own.
    """
    contents = (response.get("content", {}) for response in responses.values())
    return next((content[JSON]["schema"] for content in contents if JSON in content), None)


def _problems(responses: Mapping[str, Any]) -> Iterator[str]:
    """Yield the codes of the problems of an operation, without those that every operation has.

    `responses` are those of the operation in OpenAPI.
    """
    for response in responses.values():
        if MEDIA_TYPE in response.get("content", {}):
            yield from (code for code in response["description"].split(", ") if code not in ALWAYS)


def _parameters(operation: Mapping[str, Any], *places: str) -> Iterator[Part]:
    """Yield the parameters of an operation that are in one of these places: "path", "query" or "header"."""
    for part in operation.get("parameters", ()):
        if part["in"] in places:
            is_required = part.get("required", False)
            yield Part(part["name"], _type(part["schema"]), is_required, part.get("description", ""))


def _forms(
    schema: Mapping[str, Any] | None, described: Mapping[str, Any], listed: dict[str, str], operation: str
) -> Iterator[Form]:
    """Yield a Form for each object of a schema: the outermost first, then the objects nested inside it.

    `schema` is that of a body or an answer, None if there is none. `described` is the whole OpenAPI schema,
    and `operation` the id of the operation. `listed` maps the name of an object to the id of the operation
    that first lists its fields; this function adds to it. A later operation refers to that one, because the
    page would become too long if each listed the fields again.
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
            if name:
                listed[name] = operation
            yield Form(name, schema.get("description", ""), _parts(schema))
        waiting += [other for other in inside if _name(other)]
        waiting += [other for part in parts.values() for other in _referred(part)]


def _parts(schema: Mapping[str, Any]) -> tuple[Part, ...]:
    """Return the fields of an object schema."""
    required = schema.get("required", ())
    return tuple(
        Part(key, _type(part), key in required, part.get("description", ""))
        for key, part in schema["properties"].items()
    )


def _referred(part: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    for other in (part, part.get("items", {}), *part.get("allOf", ())):
        if _name(other):
            yield other


def _name(schema: Mapping[str, Any]) -> str:
    """Return the name of the component that a `$ref` schema refers to; "" for any other schema."""
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
