"""Checks of API responses against the OpenAPI document."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from jsonschema import Draft4Validator

from games.common.api import schema


def schema_errors(method: str, path: str, status: int, body: Any) -> list[str]:
    """Return a sentence for each difference between a JSON response and its description.

    An address that is not described has no differences.
    """
    operation = _find_operation(method, path)
    if operation is None:
        return []
    responses = operation["responses"]
    response = responses.get(str(status)) or responses[f"{status // 100}XX"]
    (content,) = response["content"].values()
    whole = {**json_schema(content["schema"]), "components": components()}
    return [f"{list(wrong.path)}: {wrong.message}" for wrong in Draft4Validator(whole).iter_errors(body)]


def _find_operation(method: str, path: str) -> Any:
    for pattern, methods in _path_patterns():
        if pattern.fullmatch(path):
            return methods.get(method.lower())
    return None


@cache
def _path_patterns() -> list[tuple[re.Pattern[str], Any]]:
    """Return the described paths as patterns, most specific first."""
    paths = sorted(schema.openapi()["paths"].items(), key=lambda item: item[0].count("{"))
    return [(re.compile(re.sub(r"\{\w+\}", "[^/]+", path)), methods) for path, methods in paths]


@cache
def components() -> Any:
    """Return the document's components as JSON Schema."""
    return json_schema(schema.openapi()["components"])


def json_schema(node: Any) -> Any:
    """Return the OpenAPI schema as JSON Schema, which has no `nullable`.

    Undescribed properties are not allowed.
    """
    if isinstance(node, list):
        return [json_schema(part) for part in node]
    if not isinstance(node, dict):
        return node
    plain = {name: json_schema(part) for name, part in node.items() if name != "nullable"}
    if isinstance(plain.get("properties"), dict):
        plain.setdefault("additionalProperties", False)
    return {"anyOf": [plain, {"type": "null"}]} if node.get("nullable") is True else plain
