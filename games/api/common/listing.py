"""A short text form of the OpenAPI schema (`docs/api.txt`), in which a diff shows every change of the API.

The text has a line for each operation, parameter and field.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from games.api.common.schema import ALWAYS

LIMITS = {
    "minLength": "at least {} long",
    "maxLength": "at most {} long",
    "minimum": "≥ {}",
    "maximum": "≤ {}",
}
LIMITS |= {"pattern": "like {}", "default": "default {}", "maxItems": "at most {}"}


def listing(described: Mapping[str, Any]) -> Iterator[str]:
    """Yield the lines of the text form of `described`, the OpenAPI schema.

    First come the operations with their parameters, then the component schemas with their fields.
    """
    for path, methods in described["paths"].items():
        for method, operation in methods.items():
            yield f"{method.upper()} {path} {operation['operationId']}{_security(operation)}"
            for part in operation.get("parameters", ()):
                yield f"  {part['in']} {_field(part['name'], part['schema'], part.get('required', False))}"
            body = operation.get("requestBody")
            if body is not None:
                yield f"  body{'' if body.get('required') else '?'} {_contents(body)}"
            yield from _answers(operation["responses"])
    for name, schema in sorted(described["components"]["schemas"].items()):
        yield f"{name} {_type({**schema, 'properties': None})}".replace(" object", "")
        required = schema.get("required", ())
        for field, part in schema.get("properties", {}).items():
            yield f"  {_field(field, part, field in required)}"


def _security(operation: Mapping[str, Any]) -> str:
    """Return the accepted ways to authenticate, like " [session, token]".

    "nobody" means that the operation accepts anonymous clients.
    """
    ways = ["nobody" if not way else "+".join(way) for way in operation.get("security", ())]
    return f" [{', '.join(ways)}]"


def _answers(responses: Mapping[str, Any]) -> Iterator[str]:
    """Yield a line for each successful response, then one line with the codes of the possible problems.

    The line leaves out problems that every operation can have. There is none if no others are left.
    """
    problems = []
    for status, response in responses.items():
        if status < "400":
            headers = "".join(f" +{name}" for name in response.get("headers", {}))
            yield f"  {status} {_contents(response)}{headers}".rstrip()
        else:
            problems += [code for code in response["description"].split(", ") if code not in ALWAYS]
    if problems:
        yield f"  problems {' '.join(problems)}"


def _contents(message: Mapping[str, Any]) -> str:
    return " | ".join(
        _type(content["schema"]) if kind == "application/json" else f"{kind} {_type(content['schema'])}"
        for kind, content in message.get("content", {}).items()
    )


def _field(name: str, schema: Mapping[str, Any], is_required: bool) -> str:
    return f"{name}{'' if is_required else '?'} {_type(schema)}"


def _type(schema: Mapping[str, Any]) -> str:
    """Return the type of a schema in one line, with its limits, and "or null" if the value may be null."""
    several = next((schema[name] for name in ("oneOf", "allOf", "anyOf") if name in schema), None)
    if "$ref" in schema:
        kind = str(schema["$ref"]).rpartition("/")[2]
    elif several is not None:
        kind = " | ".join(_type(other) for other in several)
    elif "enum" in schema:
        kind = " | ".join(json.dumps(value, ensure_ascii=False) for value in schema["enum"])
    elif schema.get("type") == "array":
        kind = f"[{_type(schema['items'])}]"
    elif isinstance(schema.get("additionalProperties"), dict) and schema["additionalProperties"]:
        kind = f"{{{_type(schema['additionalProperties'])}}}"
    else:
        kind = " ".join(schema[name] for name in ("type", "format") if name in schema) or "anything"
    limits = [text.format(schema[name]) for name, text in LIMITS.items() if name in schema]
    return " ".join([kind, *limits, *(["or null"] if schema.get("nullable") else [])])
