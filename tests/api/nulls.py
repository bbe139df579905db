"""Nulls that the description of the API does not allow, in bodies of requests and responses."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from games.api.common.schema import openapi

Schema = Mapping[str, Any]


def nulls_answered(method: str, path: str, status: int, body: Any) -> list[str]:
    """Return the places of an answer that are null although its operation does not describe them as nullable."""
    operation = _operation(method, path)
    response = operation and operation["responses"].get(str(status))
    contents: Schema = (response or {}).get("content", {})
    schemas = [content["schema"] for kind, content in contents.items() if kind.endswith("json")]
    return sorted(set(_nulls(body, schemas[0], "answer"))) if schemas else []


def nulls_sent(method: str, path: str, body: Any) -> list[str]:
    """Return the places of a body that are null although its operation does not describe them as nullable."""
    operation = _operation(method, path)
    contents: Schema = ((operation or {}).get("requestBody") or {}).get("content", {})
    schemas = [content["schema"] for content in contents.values()]
    return sorted(set(_nulls(body, schemas[0], "body"))) if schemas else []


def _nulls(value: Any, schema: Schema, where: str) -> Iterator[str]:
    """Yield the places of undescribed nulls. Of alternatives that fit, the one with the fewest of them counts."""
    known = _resolved(schema)
    if value is None:
        if not (_takes_null(schema) or _takes_null(known)):
            yield where
        return
    for several in ("oneOf", "anyOf", "allOf"):
        if several in known:
            fitting = [one for one in known[several] if _fits(value, one)] or known[several]
            yield from min((list(_nulls(value, one, where)) for one in fitting), key=len)
    if isinstance(value, dict):
        others = known.get("additionalProperties")
        for name, part in value.items():
            described = known.get("properties", {}).get(name, others)
            if isinstance(described, dict):
                yield from _nulls(part, described, f"{where}.{name}")
    elif isinstance(value, list):
        for part in value:
            yield from _nulls(part, known.get("items", {}), f"{where}[]")


def _resolved(schema: Schema) -> Schema:
    """Return the schema that a reference refers to; any other schema as it is."""
    while "$ref" in schema:
        schema = openapi()["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    return schema


def _fits(value: Any, schema: Schema) -> bool:
    """Return whether an object has all required fields of the schema and no others; True for other values."""
    known = _resolved(schema)
    if not isinstance(value, dict) or "properties" not in known:
        return True
    names, required = set(known["properties"]), set(known.get("required", ()))
    return required <= set(value) <= names


def _takes_null(schema: Schema) -> bool:
    """Return whether the schema allows null; one that says nothing allows everything."""
    several = [one for name in ("oneOf", "anyOf") for one in schema.get(name, ())]
    is_anything = not schema.keys() - {"description", "title"}
    return (
        is_anything
        or schema.get("nullable") is True
        or None in schema.get("enum", ())
        or any(_takes_null(one) for one in several)
    )


def _operation(method: str, path: str) -> Schema | None:
    """Return the described operation at this address; None if there is none."""
    for pattern, methods in _addresses():
        if pattern.fullmatch(path.partition("?")[0]):
            operation: Schema | None = methods.get(method.lower())
            return operation
    return None


@cache
def _addresses() -> list[tuple[re.Pattern[str], Schema]]:
    """Return the described addresses, those without parts to fill in first."""
    paths = sorted(openapi()["paths"].items(), key=lambda item: item[0].count("{"))
    return [(re.compile(re.sub(r"\{\w+\}", "[^/]+", path)), methods) for path, methods in paths]
